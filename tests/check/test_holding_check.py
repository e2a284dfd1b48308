from functools import partial
from typing import Any

import pytest

from solver.check import check_report
from solver.check.check_report import StrategyReport
from solver.check.holding_check import check_holding as check_with
from solver.check.holding_check import is_pairing
from solver.check.plain_rules import Stones
from solver.game.games import parse_game
from solver.game.rules import Rules
from solver.search.pairings import PairingFinder, start_pairing
from solver.solve.draw_proof import prove_draw

NAME = "4,5,4"


def check_holding(rules: Rules, rows: dict[Stones, int], *pairing: Any, **options: Any) -> StrategyReport:
    report = StrategyReport()
    check_with(rules, rows, PairingFinder(rules, "O").answer, report, *pairing, **options)
    return report


@pytest.fixture(scope="module")
def rules() -> Rules:
    return parse_game(NAME)


@pytest.fixture(scope="module")
def rows(rules: Rules) -> dict[Stones, int]:
    rows = prove_draw(rules)
    assert rows
    return rows


def test_counts(rules: Rules, rows: dict[Stones, int]) -> None:
    report = check_holding(rules, rows)
    assert report.positions == len(rows) + report.pairings
    assert (report.unused, report.problems) == (0, ())
    assert report.replies > report.positions


def test_every_missing_row_is_a_fault(rules: Rules, rows: dict[Stones, int]) -> None:
    for key in rows:
        report = check_holding(rules, {other: move for other, move in rows.items() if other != key})
        assert len(report.problems) == 1
        assert "no row" in report.problems[0]


def test_wrong_and_illegal_moves_are_faults(rules: Rules, rows: dict[Stones, int]) -> None:
    (x, o), _ = first = next(iter(rows.items()))
    taken = next(square for square in range(rules.squares) if (x | o) >> square & 1)
    for square in (taken, -1, rules.squares):
        report = check_holding(rules, {**rows, first[0]: square})
        assert "illegal" in report.problems[0]
    reports = [check_holding(rules, {**rows, (x, o): s}) for s in range(rules.squares) if not (x | o) >> s & 1]
    assert 0 < sum(report.problems != () for report in reports) < len(reports)


def test_unused_rows_are_counted(rules: Rules, rows: dict[Stones, int]) -> None:
    report = check_holding(rules, {**rows, (0b111, 0): 5})
    assert (report.unused, report.problems) == (1, ())


def test_a_strategy_that_lets_x_win_is_at_fault() -> None:
    rules = parse_game("3,3,3,x=b2")
    rows = {(x, o): square for x in range(1 << 8) for o in range(1 << 8) if not x & o for square in [_last(x | o)]}
    report = check_holding(rules, rows)
    assert any("completed a line" in fault for fault in report.problems)


def _last(taken: int) -> int:
    return max((square for square in range(8) if not taken >> square & 1), default=0)


def test_an_adviser_is_not_trusted(rules: Rules, rows: dict[Stones, int], monkeypatch: pytest.MonkeyPatch) -> None:
    """All answers are wrong in one way: a taken square, a pair too few, pairs that overlap, or pairs of one square."""
    finder = PairingFinder(rules, "O")
    monkeypatch.setattr(check_report, "MOST_PROBLEMS", 10_000)

    def lie(kind: str, x: int, o: int) -> Any:
        square, pairs = finder.answer(x, o) or (0, [])
        return {
            "taken": ((x & -x).bit_length() - 1, pairs),
            "few": (square, pairs[1:]),
            "overlap": (square, [*pairs, *pairs[:1]]),
            "one": (square, [(first, first) for first, _ in pairs]),
            "none": None,
        }[kind]

    count = check_holding(rules, rows).pairings
    for kind in ("taken", "few", "overlap", "one", "none"):
        report = StrategyReport()
        check_with(rules, rows, partial(lie, kind), report)
        assert len(report.problems) == count - report.pairings > 0


def test_pairs_are_those_of_the_plain_rules() -> None:
    rules = parse_game("3,3,3")
    corners_and_centre = 1 << 2 | 1 << 4 | 1 << 6  # on every line
    assert is_pairing(rules, (0, corners_and_centre), [])
    assert not is_pairing(rules, (0, corners_and_centre), [(2, 3)])
    assert not is_pairing(rules, (0, 0), [(0, 1), (3, 5), (6, 7)])  # nothing on the columns
    assert is_pairing(parse_game("1,2,2"), (0, 0), [(0, 1)])
    assert not is_pairing(parse_game("1,2,2"), (1, 0), [(0, 1)])
    assert not is_pairing(parse_game("1,2,2"), (0, 0), [(0, 2)])


def test_a_stored_pairing_is_verified() -> None:
    rules = parse_game("5,5,5")
    pairs = start_pairing(rules)
    assert pairs is not None
    assert check_holding(rules, {}, pairs).problems == ()
    for wrong in (pairs[1:], [*pairs[1:], (pairs[0][0], pairs[1][0])], []):
        assert len(check_holding(rules, {}, wrong).problems) == 1


def test_progress() -> None:
    calls: list[int] = []
    check_holding(parse_game("4,4,4"), {}, progress=lambda report: calls.append(report.positions))
    assert calls == sorted(calls)
    assert calls[-1] > 0
