"""Observations of PettingZoo and OpenSpiel as hashes, checked on every position of small games."""

import sqlite3
from contextlib import closing

import numpy as np
import pytest

from solver.errors import NotationError
from solver.export.observations import openspiel_hashes, pettingzoo_action, pettingzoo_hashes
from solver.game.games import parse_game
from solver.game.position import Position
from solver.search.truth import open_tablebase
from solver.store.paths import SHIPPED
from tests.commands import TableFile
from tests.observations import observe


def everything(game: str, table_file: TableFile) -> list[Position]:
    with closing(sqlite3.connect(table_file(game))) as database:
        hashes = [number for (number,) in database.execute("SELECT hash FROM positions")]
    return [Position.parse(parse_game(game), number) for number in hashes]


def openspiel(position: Position) -> list[list[int]]:
    """The observation tensor: the empty squares, those of O, those of X."""
    return [[int(cell == mark) for cell in position.cells] for mark in ".OX"]


def connect_four(position: Position) -> list[list[int]]:
    """The layout of OpenSpiel's connect_four: X, O and empty, the bottom row first."""
    cells = "".join(reversed(position.board.split("/")))
    return [[int(cell == mark) for cell in cells] for mark in "XO."]


@pytest.mark.sampled
@pytest.mark.parametrize("game", ["3,3,3", "3,3,3,gravity", "3,4,3,gravity"])
def test_observations_of_mnk_verify_are_read_back(game: str, table_file: TableFile) -> None:
    """`mnk verify` writes observations with its own code; tests/peers compare that with PettingZoo."""
    rules = parse_game(game)
    positions = everything(game, table_file)
    given = [observe(position) for position in positions]
    batch = np.array([board["observation"] for board in given])
    hashes = pettingzoo_hashes(rules, batch)
    assert hashes.dtype == np.int64
    assert hashes.tolist() == [position.hash for position in positions]
    assert (
        pettingzoo_hashes(rules, batch[:6].reshape(2, 3, *batch.shape[1:])).tolist()
        == hashes[:6].reshape(2, 3).tolist()
    )
    for board, position in zip(given, positions, strict=True):
        actions = {pettingzoo_action(rules, square) for square in position.legal_moves}
        assert {*np.flatnonzero(board["action_mask"]).tolist()} == actions


@pytest.mark.slow
@pytest.mark.parametrize("game", ["3,3,3", "3,4,3", "3,4,3,gravity"])
def test_every_observation_of_openspiel(game: str, table_file: TableFile) -> None:
    positions, rules = everything(game, table_file)[::3], parse_game(game)
    write = connect_four if rules.gravity else openspiel
    flat = np.array([write(position) for position in positions], np.float32).reshape(len(positions), -1)
    expected = [position.hash for position in positions]
    assert openspiel_hashes(rules, flat).tolist() == expected
    assert openspiel_hashes(rules, flat.reshape(-1, 3, rules.diagram.rows, rules.diagram.columns)).tolist() == expected
    assert openspiel_hashes(rules, flat.tolist()[5]).tolist() == expected[5]


def test_recorded_observations() -> None:
    """From tictactoe_v3 of PettingZoo 1.27 after the actions 0, 1, 4, and from tic_tac_toe of OpenSpiel 2.0."""
    own, other = [[0, 1, 0], [0, 0, 0], [0, 0, 0]], [[1, 0, 0], [0, 1, 0], [0, 0, 0]]
    rules = parse_game("3,3,3")
    seen = Position.parse(rules, int(pettingzoo_hashes(rules, np.stack([own, other], axis=2))))
    assert seen == Position.parse(rules, "X../OX./...")
    tensor = [0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0]
    assert Position.parse(rules, int(openspiel_hashes(rules, tensor))) == Position.parse(rules, "XO./.X./...")


def test_other_shapes_are_refused() -> None:
    rules, gravity = parse_game("3,3,3"), parse_game("3,4,3,gravity")
    wrong = [(pettingzoo_hashes, rules, shape) for shape in ((2, 3, 3), (3, 4, 2), (9,))]
    wrong += [(openspiel_hashes, rules, shape) for shape in ((26,), (3, 3, 4), (3, 3, 2))]
    for hashes, game, shape in [*wrong, (pettingzoo_hashes, gravity, (4, 3, 2))]:
        with pytest.raises(NotationError, match="shape"):
            hashes(game, np.zeros(shape))
    largest, last = parse_game("3,13,3"), np.zeros((13, 3, 2))
    last[12, 2, 0] = last[0, 0, 1] = 1
    assert Position.parse(largest, int(pettingzoo_hashes(largest, last))).cells[38] == "X"


def test_connect_four_is_read_and_probed() -> None:
    """Its hashes do not fit in int64."""
    rules = parse_game("6,7,4,gravity")
    positions = [Position.from_moves(rules, moves) for moves in ("", "d", "gggggg", "44444452365", "aabbccd")]
    seen = pettingzoo_hashes(rules, np.array([observe(position)["observation"] for position in positions]))
    tensors = np.array([connect_four(position) for position in positions]).reshape(5, 3, 6, 7)
    assert max(seen) > 2**64
    assert seen.tolist() == openspiel_hashes(rules, tensors).tolist() == [position.hash for position in positions]
    with open_tablebase(SHIPPED / "mnk-6-7-4-gravity.sqlite") as truth:
        wdl, distance = truth.table.probe_many(seen.reshape(5, 1))
        values = [truth.probe(position) for position in positions]
    assert (str(wdl.dtype), str(distance.dtype), wdl.shape) == ("int8", "int16", (5, 1))
    found = list(zip(wdl.ravel().tolist(), distance.ravel().tolist(), strict=True))
    assert found == [(value.wdl, value.distance) for value in values]
