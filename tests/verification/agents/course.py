"""The module of a well-known course's exercise: a minimax on rows of "X", "O" and None, and its helpers."""

import math

X = "X"
O = "O"  # noqa: E741 - the course's name
EMPTY = None

Board = list[list[str | None]]
Action = tuple[int, int]


def player(board: Board) -> str:
    cells = [cell for row in board for cell in row]
    return X if cells.count(X) == cells.count(O) else O


def actions(board: Board) -> set[Action]:
    return {(i, j) for i in range(3) for j in range(3) if board[i][j] is EMPTY}


def result(board: Board, action: Action) -> Board:
    after = [[*row] for row in board]
    after[action[0]][action[1]] = player(board)
    return after


def winner(board: Board) -> str | None:
    rows: list[list[str | None] | tuple[str | None, ...]] = [
        *board,
        *zip(*board, strict=True),
        [board[i][i] for i in range(3)],
        [board[i][2 - i] for i in range(3)],
    ]
    for row in rows:
        if row[0] is not EMPTY and len({*row}) == 1:
            return row[0]
    return None


def terminal(board: Board) -> bool:
    return winner(board) is not None or not actions(board)


def utility(board: Board) -> int:
    return {X: 1, O: -1}.get(winner(board) or "", 0)


def minimax(board: Board) -> Action | None:
    if terminal(board):
        return None
    sign = 1 if player(board) == X else -1
    return max(sorted(actions(board)), key=lambda action: sign * value(result(board, action)))


def value(board: Board) -> float:
    if terminal(board):
        return utility(board)
    best = -math.inf if player(board) == X else math.inf
    for action in actions(board):
        now = value(result(board, action))
        best = max(best, now) if player(board) == X else min(best, now)
    return best
