"""An engine that reads lines and talks too much; it fails on the boards with one stone on one of the first squares."""

import sys
import time

print("# hello", flush=True)
for line in sys.stdin:
    board = line.split()[0].replace("/", "")
    print("# I was asked", board, flush=True)
    print("warning: slow", file=sys.stderr, flush=True)
    stone = board.index("X") if board.count(".") == 8 else 8
    if stone == 0:
        sys.exit(5)
    if stone == 1:
        time.sleep(60)
    while stone == 2:
        print("# flood", flush=True)
    print(stone if stone == 4 else board.index("."), flush=True)
