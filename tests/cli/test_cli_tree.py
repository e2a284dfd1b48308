"""Strategies as text and pictures, and the command `mnk tree`."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from solver.drawing.board import TreeNode, count_boards, svg_tree
from solver.drawing.diagram import grid
from solver.engines.builtin.and_or import search_board
from solver.game.games import parse_game
from solver.game.notation import parse_move
from solver.game.position import Position
from solver.game.strategy_views import strategy_svg, strategy_text, strategy_tree
from solver.search.truth import open_tablebase
from tests.commands import TableFile, assert_refused, mnk

RULES = parse_game("3,3,3")
BOARD = "XO./OX./..."


def texts(svg: str) -> list[str]:
    root = ElementTree.fromstring(svg)
    return [element.text or "" for element in root.iter() if element.tag.endswith("}text")]


def test_strategy_text() -> None:
    strategy = search_board(RULES, BOARD, "X").strategy
    assert strategy
    assert strategy_text(strategy).splitlines() == [
        "X plays c1.",
        "  If O plays c2: X plays a3 and wins.",
        "  If O plays a3: X plays c2.",
        "    If O plays b3: X plays c3 and wins.",
        "    If O plays c3: X plays b3 and draws.",
        "  If O plays b3: X plays c2.",
        "    If O plays a3: X plays c3 and wins.",
        "    If O plays c3: X plays a3 and wins.",
        "  If O plays c3: X plays c2.",
        "    If O plays a3: X plays b3 and draws.",
        "    If O plays b3: X plays a3 and wins.",
    ]
    assert strategy_text(strategy, 1) == "X plays c1, with an answer to every reply."


def test_strategy_picture() -> None:
    strategy = search_board(RULES, BOARD, "X", draw_ok=False).strategy
    assert strategy
    root = strategy_tree(strategy)
    assert count_boards(root) == 7
    svg = strategy_svg(strategy)
    assert [text for text in texts(svg) if text.startswith("if")].count("if O plays b3") == 1
    assert "X plays a3 and wins" in texts(svg)
    cut = strategy_tree(strategy, 1)
    assert (count_boards(cut), cut.hidden) == (1, 6)
    assert "X plays c1; 6 more boards" in texts(strategy_svg(strategy, 1))


def test_boards_do_not_overlap() -> None:
    leaves = [TreeNode("XO.O", f"leaf {i}") for i in range(3)]
    svg = svg_tree(grid(2, 2), TreeNode("....", children=[*leaves, TreeNode("X...", children=leaves)]), title="a < b")
    boards = [
        (float(rect.get("x", "")), float(rect.get("y", "")), float(rect.get("height", "")))
        for rect in ElementTree.fromstring(svg).iter()
        if rect.get("rx") == "5"
    ]
    assert len(boards) == 8
    for x, y, height in boards:
        assert all(abs(y - other) >= height + 14 for at, other, _ in boards if at == x and other != y)
    assert len({(x, y) for x, y, _ in boards}) == 8


def test_command_strategies(tmp_path: Path) -> None:
    picture = tmp_path / "strategy.svg"
    result = mnk("tree", "3,3,3", BOARD, "-o", picture, "--data", tmp_path)
    assert (result.exit_code, result.stderr) == (0, f"Wrote {picture}\n")
    assert result.stdout.startswith("X plays c1.\n  If O plays c2: X plays a3 and wins.")
    assert result.stdout.endswith("Goal: X does not lose.\nX wins with best play; --side X --win shows how.\n")
    lost = mnk("tree", "3,3,3", BOARD, "--side", "O", "--data", tmp_path).stdout
    assert lost == "O has no strategy.\n\nGoal: O does not lose.\nX wins with best play; --side X --win shows how.\n"
    assert len(texts(picture.read_text())) > 10
    assert mnk("tree", "3,3,3", "XO.", "OX.", "...", "--data", tmp_path).stdout == result.stdout
    no_strategy = mnk("tree", "3,3,3", "start", "--side", "O", "--win", "-o", picture, "--data", tmp_path)
    assert no_strategy.stdout.startswith("O has no strategy.\n")
    assert "O has no strategy" in texts(picture.read_text())
    assert mnk("tree", "3,3,3", "XXX/OO./...", "--side", "X", "--data", tmp_path).stdout.startswith("X wins.\n")
    cut = mnk("tree", "3,3,3,misere", "start", "--side", "O", "--depth", "2", "--data", tmp_path).stdout
    assert "  If X plays a2, b2, c2, a3, b3 or c3: O plays c1.\n" in cut  # some replies would end the game


def test_command_prints_the_strategy_as_json(table_file: TableFile) -> None:
    folder = table_file("3,3,3").parent
    printed = json.loads(mnk("tree", "3,3,3", "start", "--json", "--data", folder).stdout)
    with open_tablebase(table_file("3,3,3")) as table:
        strategy = table.strategy(Position.start(RULES))
    assert strategy
    assert {
        Position.parse(RULES, board): parse_move(RULES, 0, move) for board, move in printed["strategy"].items()
    } == (strategy.moves)
    assert json.loads(mnk("tree", "3,3,3", "start", "--win", "--json", "--data", folder).stdout)["strategy"] is None


@pytest.mark.parametrize(
    ("arguments", "exit_code", "message"), [(["4,4,3", "start"], 3, "mnk build 4,4,3"), (["3,3,3", "XX"], 2, "XX")]
)
def test_command_refuses(arguments: list[str], exit_code: int, message: str, tmp_path: Path) -> None:
    assert_refused(mnk("tree", *arguments, "--data", tmp_path), exit_code, message)


def test_a_strategy_without_a_depth_begins_with_the_empty_board_and_has_a_limit(
    table_file: TableFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = table_file("3,3,3").parent
    whole = mnk("tree", "3,3,3", "--data", data)
    assert whole.exit_code == 0
    assert whole.stdout == mnk("tree", "3,3,3", "start", "--depth", "9", "--data", data).stdout
    monkeypatch.setattr("solver.cli.tree.MOST_MOVES", 12)
    cut = mnk("tree", "3,3,3", "--data", data).stdout
    assert cut.startswith(mnk("tree", "3,3,3", "--depth", "2", "--data", data).stdout)
    assert cut.endswith("One more move of X leads to more than 12 positions; --depth 3 shows it.\n")
