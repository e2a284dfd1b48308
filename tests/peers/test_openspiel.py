"""OpenSpiel's bots, asked through the adapter, on boards of which the sides differ too."""

import random

import pytest

from solver.errors import EngineError, RulesError
from solver.position import Position
from solver.rules import Rules
from solver.verification.subject import AskOptions, open_subject
from solver.verification.verify import verify
from tests.commands import TableFile

pytestmark = pytest.mark.peers


def walks(rules: Rules, least: int, count: int) -> list[Position]:
    """Positions of random games with so many stones or more, none of them over."""
    chance, found = random.Random(7), dict[Position, None]()
    while len(found) < count:
        position = Position.start(rules)
        while not position.is_over and len(found) < count:
            if position.ply >= least:
                found[position] = None
            position = position.play(chance.choice(position.legal_moves))
    return [*found]


@pytest.mark.parametrize("game", ["3,3,3", "3,4,3", "5,4,4"])
def test_a_bot_that_takes_the_first_action_takes_the_first_empty_square(game: str) -> None:
    rules = Rules.parse(game)
    positions = walks(rules, 0, 300)
    order = ":".join(map(str, range(rules.squares)))
    bot = f"openspiel:fixed_action_preference,actions={order}"
    with open_subject(bot, rules, options=AskOptions(workers=1)) as subject:
        moves = [answer.move for answer in subject.ask(positions)]
    assert moves == [min(position.legal_moves) for position in positions]


@pytest.mark.parametrize("game", ["3,4,3", "4,3,3", "4,4,4"])
def test_its_search_states_the_values_of_the_table(game: str, table_file: TableFile) -> None:
    rules = Rules.parse(game)
    at = walks(rules, rules.squares - 7, 200)
    report = verify("openspiel:minimax", rules, at=at, tables=table_file(game).parent)
    assert report.passed
    assert report.values is not None
    assert (report.values.positions, report.values.agreement) == (200, 1)


def test_what_it_does_not_have_is_refused() -> None:
    with pytest.raises(EngineError, match="no bot 'nobody'; choose one of minimax, mcts, "):
        open_subject("openspiel:nobody", Rules.parse("3,3,3"))
    with pytest.raises(EngineError, match="no option 'depth'; it has simulations, uct_c and seed"):
        open_subject("openspiel:mcts,depth=3", Rules.parse("3,3,3"))
    with pytest.raises(RulesError, match="leave out gravity"):
        open_subject("openspiel:mcts", Rules.parse("4,4,4,gravity"))
