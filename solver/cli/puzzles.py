"""`mnk puzzles`: show positions with one move to find, drawn at random or from games that were played."""

from itertools import islice
from pathlib import Path
from random import randrange
from typing import TYPE_CHECKING

import click

from solver.cli.options import count_option, game_argument, mnk_command, read_games, value_options
from solver.cli.output import echo_json, format_board
from solver.cli.running import open_answers
from solver.errors import PositionError
from solver.game.notation import square_name
from solver.game.rules import Rules

if TYPE_CHECKING:
    from solver.study.puzzles import Goal, Level, Puzzle


@mnk_command(
    "puzzles",
    "mnk puzzles 3,3,3 --seed 7               from the table",
    "mnk puzzles 15,15,5 --level hard         wins by fours, in random games",
    "mnk puzzles 15,15,5 game.psq games.sgf   the same in games that were played",
)
@game_argument
@click.argument("games", nargs=-1, metavar="[PLAYED]...")
@count_option("--count", "The most puzzles to show.", default=2, show_default=True)
@click.option("--seed", metavar="SEED", help="The same seed gives the same puzzles; default: random.")
@click.option("--level", type=click.Choice(["easy", "medium", "hard"]), help="Only puzzles of this level.")
@click.option("--goal", type=click.Choice(["win", "draw"]), help="Only puzzles with this result.")
@value_options
def command(
    rules: Rules,
    games: tuple[str, ...],
    count: int,
    seed: str | None,
    level: "Level | None",
    goal: "Goal | None",
    seconds: float,
    data: Path,
    as_json: bool,
) -> None:
    """Show positions of GAME in which only one move wins, or only one keeps the draw, and then the solutions.

    Without a table of a large board, they are wins by continuous fours. They come from random games, or from games that
    were PLAYED: each is a file (PSQ, SGF, or a game in each line) or the moves in quotation marks.
    """
    from solver.study.played import read_played_game
    from solver.study.puzzles import draw_puzzles, find_puzzles, puzzle_answer

    with open_answers(data, rules, seconds) as truth:
        if games:
            played = (read_played_game(rules, game).positions for game in read_games(games))
            every = (puzzle for positions in played for puzzle in find_puzzles(truth, positions))
            wanted = (one for one in every if level in {None, one.level} and goal in {None, one.goal})
            found = [*islice(wanted, count)]
            if not found:
                raise PositionError("The games have no such puzzle; give other games, or draw puzzles without games.")
        else:
            seed = str(randrange(10**6)) if seed is None else seed
            found = draw_puzzles(truth, seed, count, level=level, goal=goal)
        if as_json:
            echo_json({**({} if games else {"seed": seed}), "puzzles": [puzzle_answer(truth, one) for one in found]})
            return
    for number, puzzle in enumerate(found, 1):
        click.echo(f"{number}. {puzzle.task} ({puzzle.level})\n\n{format_board(puzzle.position)}\n")
        click.echo(f"{puzzle.position.board}\n")
    click.echo("Solutions: " + "; ".join(f"{number}. {_solve(puzzle)}" for number, puzzle in enumerate(found, 1)) + ".")
    if not games:
        click.echo(f"The same puzzles again: --seed {seed}")


def _solve(puzzle: "Puzzle") -> str:
    """Return the solution of a puzzle in words."""
    rules = puzzle.position.rules
    return " ".join(square_name(rules, square) for square in puzzle.line or (puzzle.square,))
