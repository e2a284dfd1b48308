"""`mnk review`: show the value of a game after every move, the mistakes, and the accuracy of both sides."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import click

from solver.cli.options import game_argument, mnk_command, read_games, value_options
from solver.cli.output import align_columns, echo_json, format_sides
from solver.cli.running import open_answers
from solver.errors import InputError, quoted
from solver.game.descriptions import describe_rules
from solver.game.rules import Rules
from solver.study.review import FAULTS, Review, describe_result, review_game
from solver.support.english import plural

_BOARD: Final = re.compile(r"[xo._-]+(/[xo._-]+)+", re.IGNORECASE)


@mnk_command(
    "review",
    "mnk review 3,3,3 a1 b1 c3 b2                the moves played, X first",
    "mnk review 3,3,3 '?game=3,3,3&moves=a1,b1'  a link to the page",
    "mnk review 15,15,5 game.psq                 a file: PSQ, SGF or moves",
)
@game_argument
@click.argument("moves", nargs=-1, required=True, metavar="MOVES")
@click.option(
    "--from", "start", metavar="POSITION", help="The first position; default: the one in the game, or the empty board."
)
@value_options
def command(rules: Rules, moves: tuple[str, ...], start: str | None, seconds: float, data: Path, as_json: bool) -> None:
    """Review a game that was played: its value after every MOVE, the mistakes, the accuracy, and the losing move.

    A mistake gives away a win or a draw. A decision is a move made where some legal move was a mistake. The accuracy of
    a side is the percentage of its decisions that kept the result. A move is judged if all legal moves have
    values: without a table, a search may not find them in time. On a large board, moves are judged that miss or allow a
    win by continuous fours or threats.
    """
    games = read_games(moves) if len(moves) == 1 else [" ".join(moves)]
    if len(games) != 1:
        raise InputError(
            f"{quoted(moves[0])} has {plural(len(games), 'game')}; give one game, such as one of its lines."
        )
    if _BOARD.fullmatch(games[0]):
        raise InputError(f"{quoted(games[0])} is a position; give moves, and the first position with --from.")
    with open_answers(data, rules, seconds) as truth:
        review = review_game(truth, games[0], start)
    if as_json:
        echo_json(review)
    else:
        head = [f"{rules}: {describe_rules(rules)}", *filter(None, [review["reading"]]), ""]
        click.echo("\n".join([*head, *_format_review(review)]))


def _format_review(review: Review) -> Iterator[str]:
    first, *positions = review["positions"]
    rows = [("", "start", describe_result(first, None), "")]
    for move, after in zip(review["moves"], positions, strict=True):
        outcome = review["outcome"] if move["number"] == len(positions) else None
        played = f"{move['side']} {move['name']}{'?' * (move['kind'] in FAULTS)}"
        rows.append((f"{move['number']}.", played, describe_result(after, outcome), move["sentence"] or ""))
    yield align_columns(rows, left=[1, 2, 3])
    yield ""
    yield from format_sides(review["sides"])
    yield review["summary"]
    yield f"The whole game as a link: http://127.0.0.1:8000/{review['link']}"
