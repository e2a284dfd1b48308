"""An engine for `cmd:`, in Python: the first empty square by its name, and a value."""

import os
import sys

rows, columns, _ = (int(number) for number in os.environ["MNK_GAME"].split(","))
print("# ready")
for line in sys.stdin:
    board, side = line.split()
    assert side == ("X" if board.count("X") == board.count("O") else "O")
    row, column = divmod(board.replace("/", "").index("."), columns)
    print(f"{'abcdefgh'[column]}{row + 1} value {0.25 if side == 'X' else -0.25}", flush=True)
