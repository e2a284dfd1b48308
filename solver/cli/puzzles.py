"""`mnk puzzles`: show positions with one move to find, drawn at random or from games that were played."""

from itertools import islice
from pathlib import Path
from random import randrange
from shlex import quote
from typing import TYPE_CHECKING

import click

from solver.cli.options import count_option, game_argument, mnk_command, output_option, read_games, value_options
from solver.cli.output import echo_json, format_board
from solver.cli.running import open_answers
from solver.errors import PositionError
from solver.game.rules import Rules
from solver.support.english import plural
from solver.support.files import write_file

if TYPE_CHECKING:
    from solver.study.puzzles import Goal, Level, Theme


@mnk_command(
    "puzzles",
    "mnk puzzles 3,3,3 --seed 7                  from the table",
    "mnk puzzles 15,15,5 --level hard            wins by fours, in random games",
    "mnk puzzles 15,15,5 --plies 11              by threats too, within 11 plies",
    "mnk puzzles 3,3,3 --count 12 -o sheet.html  a sheet to print",
    "mnk puzzles 15,15,5 game.psq games.sgf      the same in games that were played",
)
@game_argument
@click.argument("games", nargs=-1, metavar="[PLAYED]...")
@count_option("--count", "The most puzzles to show.", default=2, show_default=True)
@click.option("--seed", metavar="SEED", help="The same seed gives the same puzzles; default: random.")
@click.option("--level", type=click.Choice(["easy", "medium", "hard"]), help="Only puzzles of this level.")
@click.option("--goal", type=click.Choice(["win", "draw"]), help="Only puzzles with this result.")
@click.option(
    "--theme", type=click.Choice(["finish", "block", "fork", "trap", "long win"]), help="Only puzzles with this theme."
)
@count_option("--plies", "Only wins within N plies; on a large board, by threats too.", default=None)
@output_option("Write a sheet to print to FILE.html, with the solutions on its last page.")
@value_options
def command(
    rules: Rules,
    games: tuple[str, ...],
    count: int,
    seed: str | None,
    level: "Level | None",
    goal: "Goal | None",
    theme: "Theme | None",
    plies: int | None,
    output: Path | None,
    seconds: float,
    data: Path,
    as_json: bool,
) -> None:
    """Show positions of GAME in which only one move wins, or only one keeps the draw, and then the solutions.

    Without a table of a large board, they are wins by continuous fours, and with --plies by continuous threats too.
    They come from random games, or from games that were PLAYED: each is a file (PSQ, SGF, or a game in each line) or
    the moves in quotation marks. A browser prints the sheet, or saves it as PDF.
    """
    if output and output.suffix.lower() != ".html":
        raise click.UsageError(f"A sheet is HTML, so {output} must end in .html; a browser saves it as PDF.")
    if output and as_json:
        raise click.UsageError("--json prints the puzzles; leave out --output.")
    from solver.study.played import read_played_game
    from solver.study.puzzle_sheet import puzzle_sheet, solve
    from solver.study.puzzles import draw_puzzles, find_puzzles, puzzle_answer

    with open_answers(data, rules, seconds) as truth:
        if games:
            played = (read_played_game(rules, game).positions for game in read_games(games))
            every = (puzzle for positions in played for puzzle in find_puzzles(truth, positions, plies))
            wanted = (one for one in every if level in {None, one.level} and goal in {None, one.goal})
            wanted = (one for one in wanted if theme is None or theme in one.themes)
            found = [*islice(wanted, count)]
            if not found:
                raise PositionError("The games have no such puzzle; give other games, or draw puzzles without games.")
        else:
            seed = str(randrange(10**6)) if seed is None else seed
            found = draw_puzzles(truth, seed, count, level=level, theme=theme, goal=goal, plies=plies)
        if as_json:
            echo_json({**({} if games else {"seed": seed}), "puzzles": [puzzle_answer(truth, one) for one in found]})
            return
    if output:
        kind = {"level": level, "goal": goal, "theme": theme, "plies": plies}
        options = "".join(f" --{name} '{value}'" for name, value in kind.items() if value)
        again = f"mnk puzzles {rules} --count {count} --seed {quote(seed or '')}{options}"
        origin = "From games that were played." if games else again
        write_file(output, puzzle_sheet(rules, found, origin))
        click.echo(f"Wrote {plural(len(found), 'puzzle')} to {output}.")
        return
    for number, puzzle in enumerate(found, 1):
        click.echo(f"{number}. {puzzle.task} ({puzzle.level})\n\n{format_board(puzzle.position)}\n")
        click.echo(f"{puzzle.position.board}\n")
    click.echo("Solutions: " + "; ".join(f"{number}. {solve(puzzle)}" for number, puzzle in enumerate(found, 1)) + ".")
    if not games:
        click.echo(f"The same puzzles again: --seed {quote(seed or '')}")
