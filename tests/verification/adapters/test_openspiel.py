"""OpenSpiel is an extra: without it there is one sentence that says how to have it. (With it: tests/peers.)"""

import random
import sys

import pytest

from solver.errors import MissingExtra
from solver.game.games import parse_game
from solver.game.position import Position
from solver.verification.adapters.openspiel import _Bot
from solver.verification.adapters.own_moves import order_moves
from tests.small_games import slow_games
from tests.verification.fakes import THREE


def test_without_the_extra_it_is_told_how_to_have_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(MissingExtra, match=r"pip install '\.\[openspiel\]'"):
        _Bot("minimax", 0, THREE)


@pytest.mark.parametrize("game", ["3,3,3", "4,4,4,gravity", *slow_games("6,7,4,gravity")])
def test_an_order_of_moves_leads_to_the_position(game: str) -> None:
    rules, chance = parse_game(game), random.Random(3)
    for _ in range(20):
        position = Position.start(rules)
        while not position.is_over:
            again = Position.start(rules)
            for square in order_moves(position):
                again = again.play(square)
            assert again == position
            position = position.play(chance.choice(position.legal_moves))
