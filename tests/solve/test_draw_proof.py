from random import Random

import pytest

from solver.check.check_report import StrategyReport
from solver.check.holding_check import Pairs, check_holding
from solver.check.plain_rules import Stones
from solver.errors import RulesError
from solver.game.games import parse_game
from solver.game.position import Position
from solver.game.rules import Rules
from solver.search.pairings import PairingFinder, start_pairing
from solver.solve.draw_proof import DrawNotes, DrawProgress, prove_draw
from tests.holding import can_complete, random_rules


def checked(rules: Rules, rows: dict[Stones, int], pairing: Pairs | None = None) -> StrategyReport:
    report = StrategyReport()
    check_holding(rules, rows, PairingFinder(rules, "O").answer, report, pairing)
    return report


@pytest.mark.parametrize(
    ("name", "rows"),
    [
        ("3,3,3", None), ("3,4,3", None), ("4,4,3", None), ("fano", None), ("2x2x2,2", None), ("4,4,3,exact", None),
        ("3,3,3,o=b2", 0), ("3,3,3,maker,o=b2", 0), ("3,5,4", 0), ("4,4,4", 0), ("4,4,4,torus", 4), ("4,5,4", 6),
        ("projective,3", 3), ("5,5,5", 0), ("6,6,5", 0),
    ],
)  # fmt: skip
def test_small_games(name: str, rows: int | None) -> None:
    rules = parse_game(name)
    found = prove_draw(rules)
    assert rows == (None if found is None else len(found))
    if found is not None:
        report = checked(rules, found, start_pairing(rules))
        assert (report.problems, report.unused, len(found)) == ((), 0, rows)


@pytest.mark.parametrize("games", [40, pytest.param(150, marks=pytest.mark.slow)])
def test_proves_all_that_is_true_of_random_games_and_nothing_else(games: int) -> None:
    random, proved, with_rows = Random(11), 0, 0
    for _ in range(games):
        rules = random_rules(random)
        rows = prove_draw(rules)
        assert (rows is None) == can_complete(rules, 0, 0)
        if rows is None:
            continue
        proved += 1
        with_rows += len(rows) > 0
        assert checked(rules, rows, start_pairing(rules)).problems == ()
        finder = PairingFinder(rules, "O")
        for (x, o), move in rows.items():
            position = Position(rules, x, o)
            assert position.canonical() == position
            assert finder.reply(x, o) is None
            assert not can_complete(rules, x, position.play(move).o)
    assert games / 5 < proved < games * 4 / 5
    assert with_rows > 0


def test_a_memory_that_forgets_positions_changes_no_claim() -> None:
    rules = parse_game("4,6,4")
    rows = prove_draw(rules, memory=1 << 16)
    assert rows is not None
    assert checked(rules, rows).problems == ()


def test_the_proof_is_deterministic_and_reports_progress() -> None:
    rules = parse_game("4,6,4")
    steps: list[DrawProgress] = []
    assert prove_draw(rules, 60, steps.append) == prove_draw(rules)
    assert [step.nodes for step in steps] == sorted(step.nodes for step in steps)
    assert steps[-1].nodes > 0


def test_gives_up_when_time_is_over() -> None:
    assert prove_draw(parse_game("8,8,5"), 0) is None


@pytest.mark.parametrize("name", ["4,4,4,gravity", "4,4,4,misere", "4,4,4,maker,misere"])
def test_rejects_games_in_which_stopping_x_proves_nothing(name: str) -> None:
    with pytest.raises(RulesError, match="without gravity and misère"):
        prove_draw(parse_game(name))


@pytest.mark.slow
@pytest.mark.parametrize(("name", "rows"), [("7,7,5", 193), ("6,8,5", 121), ("8,8,6", 0), ("9,9,6", 20), ("7,10,6", 9)])
def test_large_boards(name: str, rows: int) -> None:
    rules = parse_game(name)
    found = prove_draw(rules)
    assert found is not None
    report = checked(rules, found)
    assert (report.problems, report.unused, len(found)) == ((), 0, rows)


def test_an_interrupted_proof_resumes_from_its_notes_with_less_work() -> None:
    rules, steps, kept = parse_game("5,5,5,torus"), list[DrawProgress](), list[DrawNotes]()
    rows = prove_draw(rules, progress=steps.append)
    whole = steps[-1].nodes

    def interrupt(state: DrawProgress) -> None:
        if state.nodes > whole // 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        prove_draw(rules, progress=interrupt, keep=kept.append)
    [notes] = kept
    assert 0 < len(notes.places) == len(notes.entries)
    resumed = list[DrawProgress]()
    again = prove_draw(rules, progress=resumed.append, notes=notes)
    assert rows is not None
    assert again is not None
    assert resumed[-1].nodes < whole
    other = list[DrawProgress]()
    assert prove_draw(rules, progress=other.append, memory=1 << 16, notes=notes) is not None  # of another size
