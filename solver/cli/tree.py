"""`mnk tree`: print a conditional plan, or the minimax tree below a position."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from solver.cli.options import (
    PositionCommand,
    count_option,
    data_option,
    game_argument,
    json_option,
    mnk_command,
    position_argument,
    side_option,
    svg_option,
)
from solver.cli.output import echo_json
from solver.errors import EngineError
from solver.game.position import Position
from solver.game.rules import Rules
from solver.support.english import plural
from solver.support.files import write_file

if TYPE_CHECKING:
    from solver.game.strategy.plan import Plan

MOST_DRAWN = 2000  # boards in a picture
MOST_SHOWN = 20_000  # nodes that are printed
MOST_SEARCHED = 12  # empty squares from which a plan is searched without a table
MOST_WALKED = 10  # squares; larger games are counted by positions


@mnk_command(
    "tree",
    "mnk tree 3,3,3 XO./OX./...                what X plays, and answers to replies",
    "mnk tree 3,3,3 start --side O -o o.svg    how O holds the draw, drawn",
    "mnk tree 3,3,3 X../.O./O.X --minimax      the moves and their values",
    cls=PositionCommand,
)
@game_argument
@position_argument()
@click.option("--plan", "kind", flag_value="plan", default="plan", help="A conditional plan (this is the default).")
@click.option("--minimax", "kind", flag_value="minimax", help="The minimax tree, and what it measures.")
@side_option("Whose plan; default: the side to move.", default=None)
@click.option("--win", is_flag=True, help="A draw does not count as a success of the plan.")
@click.option("--search", is_flag=True, help="Search the plan, and count nodes, even where there is a table.")
@count_option("--depth", "Moves of the plan (all), or plies of the tree (1), shown.")
@svg_option("Draw it to a file.")
@data_option
@json_option
def command(
    rules: Rules,
    position: str,
    kind: str,
    side: str | None,
    win: bool,
    search: bool,
    depth: int | None,
    svg: Path | None,
    data: Path,
    as_json: bool,
) -> None:
    """Print the plan by which a player reaches the goal from POSITION in GAME, or the minimax tree.

    A plan says what to play and what to answer to every reply. It is read from the table, or where there is
    none found by and-or search. The goal is not to lose; with --win it is to win. (`mnk forecast` says
    what building a table would need.)
    """
    from solver.game.strategy.answers import plan_answer
    from solver.game.strategy.rendering import plan_svg, plan_text, plan_tree
    from solver.support.drawing.board import count_boards

    start = Position.parse(rules, position)
    if kind == "minimax":
        for given, option in [(side, "--side"), (win, "--win"), (search, "--search")]:
            if given:
                raise click.UsageError(f"{option} belongs to --plan, not to --minimax.")
        _show_minimax(start, depth or 1, svg, as_json)
        return
    board, player, draw_ok = start.board, side or start.to_move, not win
    plan, nodes = _find_plan(start, player, draw_ok, search, data)
    if svg is not None:
        _require_drawable(count_boards(plan_tree(rules, board, player, plan, depth)))
        write_file(svg, plan_svg(rules, board, player, plan, depth) + "\n")
    if as_json:
        echo_json({**plan_answer(start, player, draw_ok, plan), "nodes": nodes})
        return
    click.echo(plan_text(rules, board, player, plan, depth))
    source = "read from the table" if nodes is None else f"found by and-or search, {plural(nodes, 'node')}"
    click.echo(f"\nGoal: {player} {'wins or draws' if draw_ok else 'wins'}; {source}.")


def _find_plan(position: Position, player: str, draw_ok: bool, search: bool, data: Path) -> "tuple[Plan, int | None]":
    """Find the plan; return it and the nodes entered, None if it was not searched."""
    from solver.engines.builtin.and_or import search_position
    from solver.store.paths import build_command, table_path
    from solver.tablebase import TablebaseFolder

    if not search and table_path(data, position.rules).exists():
        with TablebaseFolder(data) as tables:
            return tables.table(position.rules).plan(position, player, draw_ok), None
    empty = position.rules.squares - position.ply
    if not search and empty > MOST_SEARCHED:
        raise EngineError(
            f"There is no table of {position.rules} in {data}, and {empty} empty squares are many to search; "
            f"run `{build_command(position.rules.name, data)}`, or give --search and wait."
        )
    return search_position(position, player, draw_ok)


def _show_minimax(position: Position, depth: int, svg: Path | None, as_json: bool) -> None:
    from solver.engines.game_tree.measuring import measure_game, measure_tree
    from solver.engines.game_tree.node import build_tree, exact_value

    is_large = position.ply == 0 and position.rules.squares > MOST_WALKED
    whole = measure_game(position.rules) if is_large else measure_tree(position)
    shown = measure_tree(position, depth).nodes
    if shown > MOST_SHOWN:
        raise EngineError(f"{shown:,} positions are too many to show; give a smaller --depth.")
    tree = build_tree(position, depth) if whole.value is None else build_tree(position, depth, exact_value)
    if svg is not None:
        _require_drawable(tree.statistics().nodes)
        write_file(svg, tree.svg() + "\n")
    if as_json:
        facts = {"game": position.rules.name, "exact": whole.value is not None}
        echo_json(facts | {"tree": tree.json(), "figures": whole.json()})
        return
    click.echo(tree.text())
    if whole.value is None:
        click.echo("\nThe game is too large to search: values are judged by immediate wins at the last ply shown.")
    click.echo(f"\nThe whole tree:\n{whole.text()}")


def _require_drawable(boards: int) -> None:
    if boards > MOST_DRAWN:
        raise EngineError(f"{boards:,} boards are too many to draw; give a smaller --depth.")
