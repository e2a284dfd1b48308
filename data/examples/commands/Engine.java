// An engine in Java for `mnk verify`, without a build:
//     mnk verify 3,3,3 'cmd:java Engine.java'
// Another engine takes its place in choose().
import java.util.Scanner;

public class Engine {
    static final int[][] LINES = {
        {0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}
    };

    // board: nine signs, row by row, '.' an empty square; player: 'X' or 'O'. Returns a square, from 0.
    static int choose(char[] board, char player) {
        int best = -2, move = -1;
        for (int square = 0; square < 9; square++) {
            if (board[square] != '.') continue;
            board[square] = player;
            int value = -value(board, other(player));
            board[square] = '.';
            if (value > best) {
                best = value;
                move = square;
            }
        }
        return move;
    }

    // 1, 0 or -1: what the player to move gets.
    static int value(char[] board, char player) {
        for (int[] line : LINES) {
            if (board[line[0]] != '.' && board[line[0]] == board[line[1]] && board[line[0]] == board[line[2]]) return -1;
        }
        int best = -2;
        for (int square = 0; square < 9; square++) {
            if (board[square] != '.') continue;
            board[square] = player;
            best = Math.max(best, -value(board, other(player)));
            board[square] = '.';
        }
        return best == -2 ? 0 : best;
    }

    static char other(char player) {
        return player == 'X' ? 'O' : 'X';
    }

    public static void main(String[] arguments) {
        Scanner lines = new Scanner(System.in);
        while (lines.hasNextLine()) {
            String[] parts = lines.nextLine().split(" ");
            System.out.println(choose(parts[0].replace("/", "").toCharArray(), parts[1].charAt(0)));
            System.out.flush();
        }
    }
}
