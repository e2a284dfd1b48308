"""Report a missing table, and suggest a build, but only one that fits this machine."""

from contextlib import suppress
from math import comb
from os.path import exists
from pathlib import Path
from typing import Final

from solver.errors import MissingTable, TableError
from solver.game.rules import MAX_SQUARES, Rules, derived
from solver.store.paths import build_command, default_folder, find_strategy_file
from solver.store.strategy_file import is_unfinished_proof

_PER_BYTE: Final = 2  # placements up to symmetry for each byte on the disk during a build, or more
_SURE: Final = 2.5e10  # placements up to symmetry of games whose builds take less than 2 GB of memory: 5,5,4 has 2.0e10
_COUNTED: Final = 18  # squares of boards on which positions of exact lines can surely be counted
_MOST: Final = 1e14  # placements up to symmetry of games that may fit somewhere; the largest table so far has 9e12


def suggest_build(rules: Rules, folder: Path) -> tuple[str, str | None]:
    """Return a clause that suggests how to get a table, and the command that builds it.

    The clause is empty if no table can be built and no proof is left to find. The command is None unless the table
    surely fits, and the game is one that `mnk build` accepts.

    >>> from solver.game.games import parse_game
    >>> suggest_build(parse_game("4,4,4"), Path("data"))
    ('build a table with `mnk build 4,4,4`', 'mnk build 4,4,4')
    >>> suggest_build(parse_game("6,6,4,gravity"), Path("data"))  # it would take 51 GB of memory
    ('see with `mnk forecast 6,6,4,gravity` whether a table fits', None)
    >>> suggest_build(parse_game("6,6,5"), Path("data"))
    ('look for a proof with `mnk build 6,6,5`', None)
    >>> suggest_build(parse_game("6,6,4"), Path("data"))  # its strategy is part of this package
    ('', None)
    """
    command = build_command(rules, folder)
    if not may_fit(rules):
        path, is_open = find_strategy_file(folder, rules), rules.has_threats
        with suppress(TableError):  # a damaged file says nothing
            is_open = is_open and (path is None or is_unfinished_proof(path, rules))
        return (f"look for a proof with `{command}`" if is_open else ""), None
    import shutil  # a probe does not need it

    existing = next(place for place in (folder.absolute(), *folder.absolute().parents) if exists(place))
    placements, is_counted = count_placements(rules), rules.squares <= _COUNTED or not rules.exact
    if is_counted and placements <= _SURE and placements / _PER_BYTE < shutil.disk_usage(existing).free:
        return f"build a table with `{command}`", command
    forecast = build_command(rules, default_folder()).replace("build", "forecast", 1)  # it has no option --data
    return f"see with `{forecast}` whether a table fits", None


def may_fit(rules: Rules) -> bool:
    """Return False if the table of a game fits no machine."""
    return rules.squares <= MAX_SQUARES and count_placements(rules) <= _MOST


def missing_table(rules: Rules, folder: Path | None) -> MissingTable:
    """Return the error for a game whose table is missing. folder: None if the message must not name the folder."""
    advice, command = suggest_build(rules, folder or default_folder())
    if rules.squares > MAX_SQUARES and not rules.gravity:
        proof = f"; {advice}" if advice else ""
        advice = f"whole tables can be built for boards of at most {MAX_SQUARES} squares, not {rules.squares}{proof}"
    where = f"in {folder}" if folder else "here"
    return MissingTable(f"There is no table of {rules} {where}{advice and '; '}{advice}.", command)


@derived
def count_placements(rules: Rules) -> float:
    """Return about how many positions a game has up to symmetry, without regard to lines that end it."""
    if rules.gravity and (board := rules.rectangle):
        ways = [1]  # by stones: the number of ways to fill the columns so far
        for _ in range(board.n):
            ways = [sum(ways[max(0, stones - board.m) : stones + 1]) for stones in range(len(ways) + board.m)]
    else:
        ways = [comb(rules.squares, stones) for stones in range(rules.squares + 1)]
    total = sum(way * comb(stones, stones // 2) for stones, way in enumerate(ways[: rules.plies + 1]))
    return total / rules.symmetries.order
