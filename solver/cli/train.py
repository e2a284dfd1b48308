"""`mnk train`: find the only good move in positions drawn from a table."""

import random
from contextlib import suppress
from datetime import UTC, date, datetime
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from solver.cli.options import data_option, game_argument, mnk_command
from solver.cli.output import format_board
from solver.cli.running import ask_word, open_table
from solver.errors import PositionError
from solver.game.descriptions import describe_rules
from solver.game.notation import example_square, parse_move, square_name
from solver.game.rules import Rules
from solver.study.puzzles import LEVELS, THEMES, Level, Puzzle, Theme, daily_puzzle, draw_puzzles
from solver.support.english import plural

if TYPE_CHECKING:
    from solver.tablebase import Tablebase

_RISES: Final[tuple[tuple[int, Level], ...]] = ((6, "hard"), (3, "medium"), (0, "easy"))  # from these streaks on
_MOST_OF_A_LEVEL: Final = 3_000  # positions to draw for a level that the streak determines


@mnk_command(
    "train",
    "mnk train 3,3,3                        puzzles that get harder with the streak",
    "mnk train 4,4,4 --level hard --theme trap",
    "mnk train 4,5,4,gravity --daily        the puzzle of today",
)
@game_argument
@click.option("--level", type=click.Choice(LEVELS), help="The difficulty; default: it grows with the streak.")
@click.option("--theme", type=click.Choice(THEMES), help="The theme of the only move.")
@click.option("--seed", type=int, metavar="N", help="The seed of the puzzles.")
@click.option(
    "--daily",
    is_flag=False,
    flag_value="today",
    metavar="[DATE]",
    help="The puzzle of today, or of a day such as 2026-11-22.",
)
@data_option
def command(
    rules: Rules, level: Level | None, theme: Theme | None, seed: int | None, daily: str | None, data: Path
) -> None:
    """Solve puzzles: find the only move that wins, or the only move that draws, in positions of GAME.

    An easy move needs a search of two plies, a medium one of four, a hard one of more. Themes: a finish wins
    at once; a block meets a win on the next ply; a fork threatens two; a trap leaves one good reply; a long win
    takes five plies or more.
    """
    if daily and (level or theme or seed is not None):
        raise click.UsageError("The puzzle of a day is the same for everybody; leave the other options out.")
    day = datetime.now(UTC).date() if daily == "today" else None
    try:
        if daily is not None and day is None:
            day = date.fromisoformat(daily)
    except ValueError as error:
        raise click.BadParameter(f"{daily!r} is not a day; write one such as 2026-11-22.") from error
    first = random.randrange(10**6) if seed is None else seed
    with open_table(data, rules) as table:
        click.echo(f"{rules}: {describe_rules(rules)}")
        click.echo(
            f"Type the only move, such as {example_square(rules)}; h gives a hint, s shows the solution, q quits."
        )
        if day:
            _ask(f"Puzzle of {day.isoformat()}", daily_puzzle(table, day))
            return
        streak = 0
        for number in count(1):
            right = _ask(f"Puzzle {number}", draw_next(table, f"{first} {number}", streak, level, theme))
            if right is None:
                return
            streak = streak + 1 if right else 0
            click.echo(f"Streak: {streak}.")


def draw_next(table: "Tablebase", seed: str, streak: int, level: Level | None, theme: Theme | None) -> Puzzle:
    """Return a puzzle, whose level rises with the streak unless it is given.

    Raise PositionError if no puzzle of the requested kind is found.
    """
    if level is None:
        rising = next(each for least, each in _RISES if streak >= least)
        with suppress(PositionError):  # some kinds of puzzles are missing at some levels
            return draw_puzzles(table, seed, level=rising, theme=theme, most=_MOST_OF_A_LEVEL)[0]
    return draw_puzzles(table, seed, level=level, theme=theme)[0]


def _ask(title: str, puzzle: Puzzle) -> bool | None:
    """Show a puzzle and return whether the answer is right, None if the person quits."""
    click.echo(f"\n{title}, {puzzle.level}\n\n{format_board(puzzle.position)}\n\n{puzzle.task}")
    rules = puzzle.position.rules
    while True:
        word = ask_word(f"{puzzle.position.to_move}> ")
        if word in {None, "q", "quit"}:
            return None
        if word in {"h", "hint"}:
            others = plural(puzzle.decoys, "other move looks", "other moves look")
            decoys = others if puzzle.decoys else "no other move looks"
            click.echo(f"{puzzle.about} To a player who looks two plies ahead, {decoys} as good.".strip())
        elif word in {"s", "solution"}:
            click.echo(f"It is {square_name(rules, puzzle.square)}.")
            return False
        elif word:
            try:
                square = parse_move(rules, puzzle.position.x | puzzle.position.o, word)
                puzzle.position.play(square)
            except PositionError as error:
                click.echo(str(error))
                continue
            click.echo(puzzle.judge(square))
            return square == puzzle.square
