"""`mnk tree`: show a strategy with an answer to every reply."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from solver.cli.options import (
    PICTURE_FILE,
    PositionCommand,
    count_option,
    data_option,
    game_argument,
    json_option,
    mnk_command,
    position_argument,
    side_option,
)
from solver.cli.output import echo_json
from solver.errors import EngineError
from solver.game.position import Position
from solver.game.rules import Rules
from solver.support.english import plural

if TYPE_CHECKING:
    from solver.game.strategies import StrategyTree

MOST_DRAWN = 2000  # boards in a picture
MOST_SEARCHED = 12  # empty squares from which a strategy is searched without a table


@mnk_command(
    "tree",
    "mnk tree 3,3,3 XO./OX./...                the moves of X and all replies",
    "mnk tree 3,3,3 start --side O -o o.svg    how O holds the draw, drawn",
    cls=PositionCommand,
)
@game_argument
@position_argument()
@side_option("The player of the strategy; default: the side to move.", default=None)
@click.option("--win", is_flag=True, help="A draw does not reach the goal.")
@click.option("--search", is_flag=True, help="Find the strategy by search, and count nodes, even if there is a table.")
@count_option("--depth", "The moves of the strategy to show; default: all.")
@click.option("-o", "--output", "out", type=PICTURE_FILE, metavar="FILE", help="Draw it to FILE.svg or FILE.png.")
@data_option
@json_option
def command(
    rules: Rules,
    position: str,
    side: str | None,
    win: bool,
    search: bool,
    depth: int | None,
    out: Path | None,
    data: Path,
    as_json: bool,
) -> None:
    """Show the strategy by which a player reaches the goal from POSITION in GAME.

    A strategy has a move for the player and an answer to every reply. It is read from the table, or found by and-or
    search if there is no table. The goal is not to lose; with --win it is to win.
    """
    from solver.drawing.board import count_boards
    from solver.game.strategy_views import strategy_svg, strategy_text, strategy_tree
    from solver.pictures import save_picture

    start = Position.parse(rules, position)
    board, player, draw_ok = start.board, side or start.to_move, not win
    strategy, nodes = _find_strategy(start, player, draw_ok, search, data)
    if out is not None:
        boards = count_boards(strategy_tree(rules, board, player, strategy, depth))
        if boards > MOST_DRAWN:
            raise EngineError(f"{boards:,} boards are too many to draw; give a smaller --depth.")
        save_picture(strategy_svg(rules, board, player, strategy, depth), out)
    if as_json:
        facts = {"game": rules.name, "position": board, "player": player, "draw_ok": draw_ok}
        echo_json({**facts, "strategy": strategy, "nodes": nodes})
        return
    click.echo(strategy_text(rules, board, player, strategy, depth))
    source = "read from the table" if nodes is None else f"found by and-or search, {plural(nodes, 'node')}"
    click.echo(f"\nGoal: {player} {'wins or draws' if draw_ok else 'wins'}; {source}.")


def _find_strategy(
    position: Position, player: str, draw_ok: bool, search: bool, data: Path
) -> "tuple[StrategyTree, int | None]":
    """Return the strategy and the number of nodes searched, None if it was read from the table."""
    from solver.engines.builtin.and_or import search_position
    from solver.store.paths import build_command, table_path
    from solver.tablebase import TablebaseFolder

    if not search and table_path(data, position.rules).exists():
        with TablebaseFolder(data) as tables:
            return tables.table(position.rules).strategy(position, player, draw_ok), None
    empty = position.rules.squares - position.ply
    if not search and empty > MOST_SEARCHED:
        raise EngineError(
            f"There is no table of {position.rules} in {data}, and {empty} empty squares take long to search; "
            f"run `{build_command(position.rules.name, data)}`, or search anyway with --search."
        )
    return search_position(position, player, draw_ok)
