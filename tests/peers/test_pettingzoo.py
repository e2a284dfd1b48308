"""`mnk verify` gives agents of PettingZoo the same boards as PettingZoo does."""

import random
from importlib import import_module
from typing import Any

import numpy as np
import pytest

from solver.export.observations import pettingzoo_action, pettingzoo_hashes
from solver.game.games import parse_game
from solver.game.lines import squares_of
from solver.game.position import Position
from solver.verification.positions import live_positions
from tests.observations import observe
from tests.peers.first_legal import act
from tests.peers.record import report

pytestmark = pytest.mark.peers

THREE, DROPS = parse_game("3,3,3"), parse_game("6,7,4,gravity")


def environment(game: str) -> Any:
    return import_module("pettingzoo").make("aec", game)


def action(position: Position, square: int) -> int:
    """PettingZoo's number of a move: of its column, or of its square, column by column."""
    row, column = divmod(square, position.rules.diagram.columns)
    return column if position.rules.gravity else column * position.rules.diagram.rows + row


def assert_sees(game: Any, position: Position) -> None:
    """Assert that PettingZoo gives the side to move the same observation."""
    theirs = game.observe(game.agent_selection)
    ours = observe(position)
    assert {*theirs} == {*ours} == {"observation", "action_mask"}
    for name, array in theirs.items():
        np.testing.assert_array_equal(ours[name], array, err_msg=position.board, strict=True)
    if not position.rules.gravity:  # no hash of the other's 42 squares fits
        assert int(pettingzoo_hashes(position.rules, theirs["observation"])) == position.hash
    assert {pettingzoo_action(position.rules, square) for square in position.legal_moves} == {
        *np.flatnonzero(theirs["action_mask"]).tolist()
    }


def test_observations_of_every_position_of_tic_tac_toe_match() -> None:
    game = environment("classic/tictactoe-v3")
    for position in live_positions(THREE):
        game.reset()
        stones = [[*squares_of(side)] for side in (position.x, position.o)]
        for ply in range(position.ply):
            game.step(action(position, stones[ply % 2][ply // 2]))
        assert_sees(game, position)


def test_observations_of_connect_four_match() -> None:
    game, chance = environment("classic/connect_four-v3"), random.Random(4)
    for _ in range(100):
        game.reset()
        position = Position.start(DROPS)
        while not position.is_over:
            assert_sees(game, position)
            square = chance.choice(position.legal_moves)
            game.step(action(position, square))
            position = position.play(square)
        assert any(game.terminations.values())


@pytest.mark.parametrize("side", ["X", "O"])
def test_the_line_that_beats_an_agent_beats_it_there(side: str) -> None:
    """PettingZoo plays the line to its end."""
    said = report("mnk verify 3,3,3 tests/peers/first_legal.py --profile pettingzoo")
    assert said["counts"]["illegal"] == said["counts"]["exception"] == 0
    line = said["play"][side]["line"]
    game = environment("classic/tictactoe-v3")
    game.reset()
    position = Position.start(THREE)
    for square in line:
        seen = game.observe(game.agent_selection)
        if position.to_move == side:
            assert act(seen) == action(position, square)
        game.step(action(position, square))
        position = position.play(square)
    agent = game.possible_agents["XO".index(side)]
    assert game.rewards[agent] == -1
