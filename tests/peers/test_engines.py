"""Published engines, graded by `mnk verify`; the results agree with the facts."""

from importlib import import_module
from math import sqrt
from typing import Any

import pytest

from solver.game.games import parse_game
from solver.search.truth import open_truth
from solver.verification.positions import live_positions
from tests.peers.record import NPM, Record, measured, records, report

pytestmark = pytest.mark.peers

FAILURES = ("illegal", "exception", "timeout", "wrong_type", "crash")


def name(record: Record) -> str:
    return f"{record['package']}-{record['engine']}"


@pytest.mark.parametrize("record", records(), ids=name)
def test_results_of_published_engines_are_reproduced(record: Record) -> None:
    if record.get("registry") == "npm" and not NPM.is_dir():
        pytest.skip("npm install --ignore-scripts --prefix data/examples/peers")
    now = measured(record)
    found, before = now["found"], record["found"]
    assert (now["version"], now["convention"]) == (record["version"], record["convention"])
    if record["exact"]:
        assert found == before
        return
    # Two samples of a count differ by about the root of their sum; four times that is no accident.
    beaten = {count for count in before if count.startswith("beaten")}
    far = {count for count in {*before} - beaten if abs(found[count] - before[count]) > spread(found, before, count)}
    assert not far, found
    assert [found[count] for count in FAILURES] == [0] * len(FAILURES)


def spread(found: Record, before: Record, count: str) -> float:
    return 0 if count == "positions" else 3 + 4 * sqrt(found[count] + before[count])


@pytest.mark.parametrize("record", [record for record in records() if not record["exact"]], ids=name)
def test_draws_follow_from_the_seed(record: Record) -> None:
    first, second = (report(record["command"], "--sample", "100,1") for _ in range(2))
    assert first.pop("seconds") > 0
    assert second.pop("seconds") > 0
    assert first == second


def test_xo_names_best_moves_only() -> None:
    evaluate: Any = import_module("xo.ai").evaluate
    board: Any = import_module("xo.board").Board
    rules = parse_game("3,3,3")
    table = open_truth(rules, None)
    for position in live_positions(rules):
        named = evaluate(board.fromstring("".join(position.cells).lower()), position.to_move.lower()).positions
        squares = {3 * (row - 1) + column - 1 for row, column in named}
        assert squares <= best(table.moves(position)), position.board


def best(moves: list[tuple[int, Any]]) -> set[int]:
    """The moves that keep the value and lose no time."""
    return {square for square, value in moves if value.rank == moves[0][1].rank}


def test_a_blunder_is_shown_again_by_the_command_that_comes_with_it() -> None:
    [command] = [record["command"] for record in records() if record["engine"] == "Negamax(2)"]
    said = report(command)
    fault = said["faults"][0]
    again = report(fault["command"])
    assert again["wrong"] == again["positions"] == 1
    assert again["faults"][0]["move"] == fault["move"]
