// An engine in C++ for `mnk verify`: c++ -O2 -o engine engine.cpp, then
//     mnk verify 3,3,3 cmd:./engine
// Another engine takes its place in choose().
#include <algorithm>
#include <iostream>
#include <string>

const int LINES[8][3] = {{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}};

char other(char player) { return player == 'X' ? 'O' : 'X'; }

// 1, 0 or -1: what the player to move gets.
int value(std::string& board, char player) {
    for (const auto& line : LINES)
        if (board[line[0]] != '.' && board[line[0]] == board[line[1]] && board[line[0]] == board[line[2]]) return -1;
    int best = -2;
    for (char& cell : board) {
        if (cell != '.') continue;
        cell = player;
        best = std::max(best, -value(board, other(player)));
        cell = '.';
    }
    return best == -2 ? 0 : best;
}

// board: nine signs, row by row, '.' an empty square; player: 'X' or 'O'. Returns a square, from 0.
int choose(std::string board, char player) {
    int best = -2, move = -1;
    for (int square = 0; square < 9; ++square) {
        if (board[square] != '.') continue;
        board[square] = player;
        const int found = -value(board, other(player));
        board[square] = '.';
        if (found > best) best = found, move = square;
    }
    return move;
}

int main() {
    std::string board, player;
    while (std::cin >> board >> player) {
        board.erase(std::remove(board.begin(), board.end(), '/'), board.end());
        std::cout << choose(board, player[0]) << std::endl;
    }
}
