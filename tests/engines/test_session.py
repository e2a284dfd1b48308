"""The game below `mnk play`, and the strengths that it and the page offer."""

import random
import re
from fractions import Fraction
from pathlib import Path

import pytest

import solver.web
from solver.engines.builtin.perfect import STRENGTHS, strength_spec
from solver.engines.engine import make_engine
from solver.engines.session import GameSession
from solver.game.games import parse_game
from solver.game.position import Position
from solver.tablebase import Tablebase, open_tablebase
from tests.commands import TableFile

RULES = parse_game("3,3,3")
PLAYERS = Path(solver.web.__path__[0], "page", "js", "players.js")


@pytest.fixture
def table(table_file: TableFile) -> Tablebase:
    """The table of 3,3,3."""
    return open_tablebase(table_file("3,3,3"))


def careless(seed: int, people: str) -> GameSession:
    """A game of a person who plays by chance against an engine that does, to its end."""
    dice = random.Random(seed)
    engine = make_engine("random", RULES)
    game = GameSession(past=[Position.start(RULES)], people=people, engine=engine, seed=seed)
    while not game.position.is_over:
        if game.awaits_engine:
            game.reply()
        else:
            game.play(dice.choice(game.position.legal_moves))
    return game


@pytest.mark.parametrize("people", ["X", "O", "XO"])
def test_moves_are_taken_back_to_each_turn_of_the_person(people: str) -> None:
    for seed in range(20):
        game = careless(seed, people)
        whole = game.past.copy()
        stood = [game.position]
        while game.undo():
            assert game.position.to_move in people
            assert not game.awaits_engine
            stood.append(game.position)
        # every turn of the person's was stopped at, once
        turns = [position for position in whole[:-1] if position.to_move in people]
        assert stood == [whole[-1], *reversed(turns)]
        game.restart()
        assert (game.past, game.played) == (whole[:1], [])


def share_of_best(table: Tablebase, engine: str, position: Position) -> Fraction:
    """The probability that an engine plays one of the best moves."""
    chances = make_engine(engine, table.rules, tables=table).distribution(position)
    moves = table.moves(position)
    assert chances is not None
    return sum(
        (chances.get(square, Fraction(0)) for square, value in moves if value.rank == moves[0][1].rank), Fraction(0)
    )


def test_the_page_offers_the_same_strengths(table: Tablebase) -> None:
    found = re.findall(r'^  (\w+): \{ label: "(.*)", engine: (?:"(.*)"|null) \},$', PLAYERS.read_text(), re.MULTILINE)
    assert [name for name, _, _ in found] == ["person", *STRENGTHS]
    assert found[0] == ("person", "Person", "")
    positions = [Position.parse(RULES, text) for text in ("start", "b2", "XX./OO./...", "XO./.X./...", "a1 b2 c3")]
    for name, label, engine in found[1:]:
        assert label.split(",")[0].lower() == name
        assert all(float(percent) == STRENGTHS[name] for percent in re.findall(r"([\d.]+) %", label))
        for position in positions:
            same = share_of_best(table, strength_spec(STRENGTHS[name]), position)
            assert share_of_best(table, engine, position) == same
