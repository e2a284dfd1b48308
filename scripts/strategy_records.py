"""Check the stored strategies after every reply, and record the results (data/solved/strategies.csv).

The strategies are those of the package and of data/proofs, except unfinished ones.
"""

import argparse
import sys
from contextlib import closing
from pathlib import Path
from time import process_time
from typing import Final

from game_atlas import ROOT, Row, read_rows, write_rows

from solver.check.strategy_check import check_strategy
from solver.game.games import parse_game
from solver.search.threats import Prover
from solver.store.paths import SHIPPED, find_strategy_file
from solver.store.strategy_file import StrategyReader

FILE: Final = ROOT / "data" / "solved" / "strategies.csv"
PROOFS: Final = ROOT / "data" / "proofs"


def main() -> int:
    """Check the strategies and return the exit code: 1 if one is wrong, which leaves its record as it was."""
    parser = argparse.ArgumentParser(prog="scripts/large --strategies")
    parser.add_argument("games", nargs="*", metavar="GAME", default=list_strategies())
    given, code = parser.parse_args(), 0
    for game in given.games:
        if path := find_strategy_file(PROOFS, parse_game(game)):
            code |= _record(game, path)
        else:
            parser.error(f"There is no strategy of {game} in the package or in {PROOFS}.")
    return code


def list_strategies() -> list[str]:
    """Return the games with a whole strategy."""
    games = []
    for path in sorted(one for folder in (SHIPPED, PROOFS) for one in Path(folder).glob("*.strategy.sqlite")):
        with closing(StrategyReader(path)) as reader:
            if not reader.header.is_unfinished:
                games.append(reader.rules.name)
    return games


def read_records() -> dict[str, Row]:
    """Return the records by the names of the games."""
    return {row["game"]: row for row in read_rows(FILE)}


def _record(game: str, path: Path) -> int:
    begun = process_time()
    report = check_strategy(path, Prover)
    seconds = process_time() - begun
    print(
        f"{game}: {report.claim}, {report.replies:,} replies, {seconds:.0f} s", *report.problems, sep="\n  ", flush=True
    )
    if report.problems:
        return 1
    with closing(StrategyReader(path)) as reader:
        claim, moves = reader.header, len(reader)
    folder = "" if path.parent == Path(SHIPPED) else f" --data {PROOFS.relative_to(ROOT)}"
    row = {
        "game": game, "side": claim.side, "claim": claim.claim, "within": str(claim.within or ""), "moves": str(moves),
        "digest": report.digest, "positions": str(report.positions), "replies": str(report.replies),
        "forced": str(report.forced), "pairings": str(report.pairings), "seconds": f"{seconds:.1f}",
        "command": f"mnk check {game}{folder}",
    }  # fmt: skip
    records = read_records() | {game: row}
    write_rows(FILE, [records[name] for name in list_strategies() if name in records])
    return 0


if __name__ == "__main__":
    sys.exit(main())
