"""A brain of Gomocup's protocol that plays the first empty square, and logs its input in a file.

It clears its board only where the protocol demands it: on START and RESTART. With a second argument it does not know
RESTART, and must be started again.
"""

import sys

log = open(sys.argv[1], "a", encoding="utf-8")  # noqa: SIM115 - it is open as long as the brain lives
width = height = 0
taken: set[tuple[int, int]] = set()


def heard() -> str:
    line = sys.stdin.readline().strip()
    log.write(line + "\n")
    log.flush()
    return line


def play() -> None:
    free = ((x, y) for y in range(height) for x in range(width) if (x, y) not in taken)
    x, y = next(free)
    taken.add((x, y))
    print("MESSAGE thinking of", x, y)
    print(f"{x},{y}", flush=True)


while line := heard():
    word, _, rest = line.partition(" ")
    if word in {"START", "RECTSTART"}:
        width, height = ([int(n) for n in rest.split(",")] * 2)[:2]
        taken.clear()
        print("OK" if width < 20 else "ERROR unsupported size", flush=True)
    elif word == "RESTART":
        taken.clear()
        print("UNKNOWN" if sys.argv[2:] else "OK", flush=True)
    elif word == "BEGIN":
        play()
    elif word == "TURN":
        x, y = (int(n) for n in rest.split(","))
        taken.add((x, y))
        play()
    elif word == "BOARD":
        while (stone := heard()) != "DONE":
            x, y, _who = (int(n) for n in stone.split(","))
            taken.add((x, y))
        play()
