"""The chart of a game: marks of mistakes stand at their points, and nothing that is written lies over anything else."""

import json
import subprocess
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from playwright._impl._driver import compute_driver_executable

PROGRAM = Path(__file__).with_name("chart.mjs")
HEIGHT, SMALL = 9, 6  # pixels of a figure or a question mark, whose line of text is .78rem or .55rem
WIDTH = 7  # pixels of one


def answers(values: list[tuple[int, int]]) -> list[dict[str, Any]]:
    """The answers of a game's positions from (1 X wins, 0 a draw, -1 O wins; plies to the end)."""
    return [
        {
            "wdl": value if ply % 2 == 0 else -value,
            "distance": left,
            "terminal": left == 0 and value != 0,
            "winner": {1: "X", -1: "O", 0: None}[value],
            "to_move": "XO"[ply % 2],
            "ply": ply + 4,
        }
        for ply, (value, left) in enumerate(values)
    ]


SHORT = [(0, 0), (1, 3), (0, 0), (-1, 5), (1, 2), (-1, 3), (1, 1)]
LONG = [*[((ply % 3) - 1, 9) for ply in range(24)], (1, 1)]


@pytest.fixture(scope="module")
def charts(modules: Path) -> list[list[dict[str, Any]]]:
    asked = [[answers(game), 1, width] for game in (SHORT, LONG) for width in (270, 600)]
    node = compute_driver_executable()[0]
    done = subprocess.run([node, PROGRAM, modules], input=json.dumps(asked), capture_output=True, text=True, check=True)
    found: list[list[dict[str, Any]]] = json.loads(done.stdout)
    return found


def box(part: dict[str, Any]) -> tuple[float, float, float, float]:
    """The left, right, top and bottom of a text."""
    is_small = "small" in part["class"]
    wide = (WIDTH - 2 * is_small) * len(part["text"]) / 2
    return part["x"] - wide, part["x"] + wide, part["y"] - (SMALL if is_small else HEIGHT), part["y"]


def test_nothing_that_is_written_overlaps(charts: list[list[dict[str, Any]]]) -> None:
    for chart in charts:
        texts = [part for part in chart if part["tag"] == "text" and part["class"] != "label"]
        for one, other in combinations(texts, 2):
            (left, right, top, bottom), (begin, end, upper, lower) = box(one), box(other)
            assert right <= begin or end <= left or bottom <= upper or lower <= top, (one, other)


def test_a_mark_stands_at_the_point_of_its_move(charts: list[list[dict[str, Any]]]) -> None:
    for chart, game in zip(charts, (SHORT, SHORT, LONG, LONG), strict=True):
        faults = [part for part in chart if part["tag"] == "text" and "fault" in part["class"]]
        halos = [part for part in chart if "halo" in part.get("class", "")]
        told = answers(game)
        wrong = [ply for ply in range(1, len(told)) if -told[ply]["wdl"] < told[ply - 1]["wdl"]]
        assert [fault["x"] for fault in faults] == [halos[ply]["cx"] for ply in wrong]
        assert all(abs(fault["y"] - halos[ply]["cy"]) < 25 for fault, ply in zip(faults, wrong, strict=True))


def test_moves_are_counted_from_the_first_of_the_game(charts: list[list[dict[str, Any]]]) -> None:
    ticks = [part["text"] for part in charts[1] if part.get("class") == "tick"]
    assert ticks == [str(move) for move in range(len(SHORT))]
