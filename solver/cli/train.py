"""`mnk train`: find the only good move in positions drawn from a table."""

import random
from datetime import UTC, date, datetime
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

import click

from solver.cli.options import data_option, game_argument, mnk_command
from solver.cli.output import format_board
from solver.cli.running import ask_word, open_table
from solver.errors import PositionError
from solver.game.descriptions import describe_rules
from solver.game.notation import example_square, parse_move, square_name
from solver.game.rules import Rules
from solver.study.puzzles import LEVELS, THEMES, Level, Puzzle, Theme, daily_puzzle
from solver.study.trainer import Streak, Trainer, load_streaks, save_streaks, streaks_file
from solver.support.english import plural

if TYPE_CHECKING:
    from solver.tablebase import Tablebase


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
    takes five plies or more. Streaks are kept in $XDG_STATE_HOME/mnk/streaks.json.
    """
    if daily and (level or theme or seed is not None):
        raise click.UsageError("The puzzle of a day is the same for everybody; leave the other options out.")
    day = datetime.now(UTC).date() if daily == "today" else None
    try:
        if daily is not None and day is None:
            day = date.fromisoformat(daily)
    except ValueError as error:
        raise click.BadParameter(f"{daily!r} is not a day; write one such as 2026-11-22.") from error
    drawn = random.randrange(10**6) if seed is None else seed
    with open_table(data, rules) as table:
        _Training(table, rules, streaks_file()).run(Trainer(table, drawn, level, theme), day)


class _Training:
    """A dialogue that asks one puzzle after another."""

    def __init__(self, table: "Tablebase", rules: Rules, file: Path) -> None:
        self.table, self.rules, self.file = table, rules, file
        self.streaks = load_streaks(file)
        self.streak = self.streaks.setdefault(rules.name, Streak())

    def run(self, trainer: Trainer, day: date | None) -> None:
        """Ask the puzzle of a day, or puzzles until the person quits."""
        click.echo(f"{self.rules}: {describe_rules(self.rules)}")
        square = example_square(self.rules)
        click.echo(f"Type the only move, such as {square}; h gives a hint, s shows the solution, q quits.")
        for number in count(1):
            puzzle = daily_puzzle(self.table, day) if day else trainer.draw(self.streak.running)
            title = f"Puzzle of {day.isoformat()}" if day else f"Puzzle {number}"
            click.echo(f"\n{title}, {puzzle.level}\n\n{format_board(puzzle.position)}\n\n{puzzle.task}")
            right = self.ask(puzzle)
            if right is None:
                return
            self.streak.count(right)
            if day:
                self.streak.count_day(day, right)
            save_streaks(self.file, self.streaks)
            daily = f" Daily puzzles in a row: {self.streak.days}." if day else ""
            click.echo(f"Streak: {self.streak.running}, the best {self.streak.best}.{daily}")
            if day:
                return

    def ask(self, puzzle: Puzzle) -> bool | None:
        """Return whether the answer to a puzzle is right, None if the person quits."""
        while True:
            word = ask_word(f"{puzzle.position.to_move}> ")
            if word in {None, "q", "quit"}:
                return None
            if word in {"h", "hint"}:
                others = plural(puzzle.decoys, "other move looks", "other moves look")
                decoys = others if puzzle.decoys else "no other move looks"
                click.echo(f"{puzzle.about} To a player who looks two plies ahead, {decoys} as good.".strip())
            elif word in {"s", "solution"}:
                click.echo(f"It is {square_name(self.rules, puzzle.square)}.")
                return False
            elif word:
                try:
                    square = parse_move(self.rules, puzzle.position.x | puzzle.position.o, word)
                    puzzle.position.play(square)
                except PositionError as error:
                    click.echo(str(error))
                    continue
                click.echo(puzzle.judge(square))
                return square == puzzle.square
