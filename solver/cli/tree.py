"""`mnk tree`: show a strategy with an answer to every reply."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from solver.cli.options import (
    count_option,
    game_argument,
    mnk_command,
    output_option,
    position_argument,
    side_option,
    value_options,
)
from solver.cli.output import echo_json
from solver.cli.running import open_answers
from solver.errors import PictureError
from solver.game.notation import square_name
from solver.game.position import Position
from solver.game.rules import OTHER, Rules

if TYPE_CHECKING:
    from solver.game.strategies import Strategy
    from solver.search.truth import Truth

MOST_DRAWN = 2000  # boards in a picture

MOST_MOVES = 2000  # the moves of a strategy that are shown without --depth


@mnk_command(
    "tree",
    "mnk tree 3,3,3 XO./OX./...        the moves of X and all replies",
    "mnk tree 3,3,3 --side O -o o.svg  how O holds the draw, drawn",
)
@game_argument
@position_argument(required=False)
@side_option("The player of the strategy; default: the side to move.")
@click.option("--win", is_flag=True, help="Accept only a win, not a draw.")
@count_option(
    "--depth",
    f"The moves of the strategy to show; default: all, up to {MOST_MOVES:,} positions.",
)
@output_option("Draw it to FILE.svg or FILE.png.", picture=True)
@value_options
def command(
    rules: Rules,
    position: str,
    side: str | None,
    win: bool,
    depth: int | None,
    output: Path | None,
    seconds: float,
    data: Path,
    as_json: bool,
) -> None:
    """Show the strategy by which a player reaches the goal from POSITION (by default the empty board) in GAME.

    A strategy has a move for the player and an answer to every reply. The goal is not to lose; with --win it is to win.
    """
    from solver.drawing.board import TreeNode, count_boards, svg_tree
    from solver.export.pictures import save_picture
    from solver.game.strategy_views import strategy_svg, strategy_text, strategy_tree

    start = Position.parse(rules, position)
    player, draw_ok = side or start.to_move, not win
    with open_answers(data, rules, seconds) as truth:
        if depth:
            strategy, is_cut = truth.strategy(start, player, draw_ok, depth), False
        else:
            strategy, depth, is_cut = _find(truth, start, player, draw_ok)
        value = truth.get(start) if draw_ok and truth.empty is None else None
    none = f"{player} has no strategy"
    if output is not None:
        boards = count_boards(strategy_tree(strategy, depth)) if strategy else 1
        if boards > MOST_DRAWN:
            raise PictureError(f"{boards:,} boards are too many to draw; give a smaller --depth.")
        nothing = svg_tree(rules.diagram, TreeNode(start.cells, below=none), title=f"{rules}: {none}")
        save_picture(strategy_svg(strategy, depth) if strategy else nothing, output)
        click.echo(f"Wrote {output}", err=True)  # the strategy itself goes to standard output
    if as_json:
        facts = {"game": rules.name, "position": start.board, "player": player, "draw_ok": draw_ok}
        moves = strategy and {at.board: square_name(rules, move) for at, move in strategy.moves.items()}
        echo_json({**facts, "strategy": moves})
        return
    click.echo(strategy_text(strategy, depth) if strategy else f"{none}.")
    click.echo(f"\nGoal: {player} {'does not lose' if draw_ok else 'wins'}.")
    if value and value.wdl and not start.is_over:
        winner = start.to_move if value.wdl > 0 else OTHER[start.to_move]
        click.echo(f"{winner} wins with best play; --side {winner} --win shows how.")
    if is_cut:
        more = f"--depth {(depth or 0) + 1} shows it"
        click.echo(f"One more move of {player} leads to more than {MOST_MOVES:,} positions; {more}.")


def _find(truth: "Truth", start: Position, player: str, draw_ok: bool) -> tuple["Strategy | None", int | None, bool]:
    """Return a strategy with at most MOST_MOVES moves, its depth if it is not complete, and whether it is cut."""
    depth, strategy = 1, truth.strategy(start, player, draw_ok, 1)
    while strategy:
        replies = {reply for at in {start, *strategy.moves} for reply in strategy.replies(at).values()}
        unanswered = {reply for reply in replies - strategy.moves.keys() if not reply.is_over}
        if not unanswered:
            return strategy, None, False
        if len(strategy.moves) + len(unanswered) > MOST_MOVES:
            return strategy, depth, True
        depth += 1
        strategy = truth.strategy(start, player, draw_ok, depth)
    return None, None, False
