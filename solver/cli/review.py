"""`mnk review`: show the value of a game after every move, the mistakes, and the accuracy of both sides."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from solver.cli.options import data_option, game_argument, json_option, mnk_command, search_seconds_option
from solver.cli.output import align_columns, echo_json, format_sides
from solver.cli.running import open_answers
from solver.game.descriptions import describe_rules
from solver.game.rules import Rules
from solver.study.played import read_link
from solver.study.review import Review, describe_result, review_game

_MARKS = {"best": "", "slow": "", "mistake": "?"}


class _ReviewCommand(click.Command):
    """A command that infers the game from a link."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the command line, with the game of a link as its first argument."""
        game = read_link(args[0]).get("game") if args and "moves=" in args[0] else None
        return super().parse_args(ctx, [game, *args] if game else args)


@mnk_command(
    "review",
    "mnk review 3,3,3 a1 b1 c3 b2           the moves played, X first",
    "mnk review '?game=3,3,3&moves=a1,b1'   a link to the page",
    cls=_ReviewCommand,
)
@game_argument
@click.argument("moves", nargs=-1, required=True, metavar="MOVES")
@click.option(
    "--from", "start", metavar="POSITION", help="The first position; default: the one in the game, or the empty board."
)
@search_seconds_option()
@data_option
@json_option
def command(
    rules: Rules,
    moves: tuple[str, ...],
    start: str | None,
    seconds: float,
    data: Path,
    as_json: bool,
) -> None:
    """Review a game of GAME: its value after every MOVE, the mistakes, the accuracy, and where it was lost.

    A mistake gives away a win or a draw. The accuracy of a side is the percentage of its decisions, the moves that
    could give the result away, that kept it.
    """
    with open_answers(data, rules, seconds) as table:
        review = review_game(table, " ".join(moves), start)
    if as_json:
        echo_json(review)
    else:
        click.echo("\n".join([f"{rules}: {describe_rules(rules)}", "", *_format_review(rules, review)]))


def _format_review(rules: Rules, review: Review) -> Iterator[str]:
    first, *positions = review["positions"]
    rows = [("", "start", describe_result(first, None), "")]
    for move, after in zip(review["moves"], positions, strict=True):
        outcome = review["outcome"] if move["number"] == len(positions) else None
        played = f"{move['side']} {move['name']}{_MARKS[move['kind']]}"
        rows.append((f"{move['number']}.", played, describe_result(after, outcome), move["sentence"] or ""))
    yield align_columns(rows, left=[1, 2, 3])
    yield ""
    yield from filter(None, _draw_chart(review, draws=rules.can_draw))
    yield ""
    yield from format_sides(review["sides"])
    yield review["summary"]
    yield f"The whole game as a link: http://127.0.0.1:8000/{review['link']}"


def _draw_chart(review: Review, *, draws: bool) -> Iterator[str]:
    """Yield the lines of a chart of the values after every move, with a question mark below each mistake."""
    standings = [-after["wdl"] if after["ply"] % 2 else after["wdl"] for after in review["positions"]]
    for level, name, sign in ((1, "X wins", "X"), (0, "draw", "="), (-1, "O wins", "O")):
        if level or draws:
            yield _chart_row(name, [sign if standing == level else "" for standing in standings])
    yield _chart_row("", ["", *(_MARKS[move["kind"]] for move in review["moves"])])
    if len(standings) > 5:
        yield _chart_row("move", ["" if number % 5 or not number else str(number) for number in range(len(standings))])


def _chart_row(name: str, signs: Sequence[str]) -> str:
    return f"{name:6}{''.join(sign.rjust(2) for sign in signs)}".rstrip()
