"""Strategies of games too large for a table: built, checked against every reply, and found wrong when they are."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random
from shutil import copyfile

import pytest

from solver.check.strategy_check import check_strategy, sample_strategy
from solver.errors import DamagedTable, InputError
from solver.game.games import parse_game
from solver.game.position import Position
from solver.search.strategies import StoredStrategy
from solver.search.threats import Prover
from solver.solve.proof import prove_game
from solver.store.paths import SHIPPED, strategy_path
from solver.store.strategy_file import Row, StrategyReader, digest_strategy
from tests.commands import mnk
from tests.small_games import slow_games

WON = {"6,6,4": 13, "7,7,4": 15, "5,6,4": 13}
"""Games that X wins, and the plies that the proof takes at most."""
GOMOKU = {"15,15,5": 67, "15,15,5,exact": 65}


@pytest.fixture(scope="module")
def strategy(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    folder = tmp_path_factory.mktemp("strategies")

    def proved(game: str) -> Path:
        rules = parse_game(game)
        if not strategy_path(folder, rules).exists():
            assert prove_game(rules, folder, seconds=300) == strategy_path(folder, rules)
        return strategy_path(folder, rules)

    return proved


@pytest.mark.parametrize("game", ["6,6,4", *slow_games("5,6,4", "7,7,4", "10,10,4", "19,19,4", "4,4,3,exact")])
def test_a_proved_win_holds_against_every_reply(strategy: Callable[[str], Path], game: str) -> None:
    path = strategy(game)
    with path.open("rb"):
        report = check_strategy(path, Prover)
    assert report.problems == ()
    assert report.unused == 0
    assert report.replies >= report.positions - 1
    assert report.claim.startswith("X wins within")
    reader = StrategyReader(path)
    assert (reader.header.within or 99) <= WON.get(game, 99)
    assert reader.digest == digest_strategy(reader.rules, reader.header, reader)
    assert len([*reader]) == len(reader)
    reader.close()


def damaged(path: Path, folder: Path, statement: str, *values: object) -> Path:
    """Return a copy of a strategy, changed by a statement, with the digest of its rows."""
    copy = folder / path.name
    copyfile(path, copy)
    with sqlite3.connect(copy) as connection:
        connection.execute(statement, values)
    reader = StrategyReader(copy)
    digest = digest_strategy(reader.rules, reader.header, reader)
    reader.close()
    with sqlite3.connect(copy) as connection:
        connection.execute("UPDATE meta SET value = ? WHERE key = 'digest'", (digest,))
    return copy


def rows_of(path: Path) -> list[Row]:
    reader = StrategyReader(path)
    rows = [*reader]
    reader.close()
    return rows


@pytest.mark.parametrize("most", [2, pytest.param(99, marks=pytest.mark.slow)])
def test_planted_errors_are_found(strategy: Callable[[str], Path], tmp_path: Path, most: int) -> None:
    path = strategy("8,8,5,x=d4+e5,o=a1")
    rows = rows_of(path)
    assert len(rows) > 1
    for row in rows[:most]:
        where, number = "WHERE position = ?", row.hash.to_bytes((row.hash.bit_length() + 7) // 8, "big")
        missing = check_strategy(damaged(path, tmp_path, f"DELETE FROM moves {where}", number), Prover)
        assert any("without a row" in problem or "the empty board" in problem for problem in missing.problems)
        early = check_strategy(damaged(path, tmp_path, f"UPDATE moves SET within = 3 {where}", number), Prover)
        assert any("beyond its bound" in problem for problem in early.problems)
        if taken := [square for square in range(64) if row.hash // 3**square % 3]:
            copy = damaged(path, tmp_path, f"UPDATE moves SET move = {taken[0]} {where}", number)
            assert any("not legal" in one for one in check_strategy(copy, Prover).problems)
            with closing(StoredStrategy(copy)) as source, pytest.raises(DamagedTable, match="is not legal"):
                source.find_move(Position.parse(source.rules, f"hash:{row.hash}"))


def test_rows_that_were_checked_are_not_checked_again(strategy: Callable[[str], Path], tmp_path: Path) -> None:
    path, checked = strategy("8,8,5,x=d4+e5,o=a1"), dict[int, int]()
    rows = rows_of(path)
    whole = check_strategy(path, Prover, checked=checked)
    assert [checked[row.hash] for row in rows] == [*whole.row_plies]
    half = dict([*checked.items()][::2])
    rest = check_strategy(path, Prover, checked=half)
    assert (rest.problems, rest.within, rest.row_plies) == ((), whole.within, whole.row_plies)
    assert rest.positions < whole.positions
    assert half == checked
    number = rows[0].hash.to_bytes((rows[0].hash.bit_length() + 7) // 8, "big")
    early, right = damaged(path, tmp_path, "UPDATE moves SET within = 3 WHERE position = ?", number), dict[int, int]()
    check_strategy(early, Prover, checked=right)
    assert {*right} == {row.hash for row in rows[1:]}


def test_a_bad_move_a_wrong_claim_and_a_wrong_digest_are_found(strategy: Callable[[str], Path], tmp_path: Path) -> None:
    path = strategy("6,6,4")
    corner = check_strategy(damaged(path, tmp_path, "UPDATE moves SET move = 0 WHERE length(position) = 0"), Prover)
    assert any("without a row" in problem for problem in corner.problems)
    claim = check_strategy(damaged(path, tmp_path, "UPDATE meta SET value = '11' WHERE key = 'within'"), Prover)
    assert claim.problems == ("The win takes up to 13 plies, but the file says 11.",)
    copy = damaged(path, tmp_path, "UPDATE meta SET value = 'x' WHERE key = 'builder'")
    with sqlite3.connect(copy) as connection:
        connection.execute("UPDATE meta SET value = '0' WHERE key = 'digest'")
    assert any("but the file says 0" in problem for problem in check_strategy(copy, Prover).problems)


def test_each_row_is_checked_whether_or_not_play_reaches_it(strategy: Callable[[str], Path], tmp_path: Path) -> None:
    path = strategy("6,6,4")
    rules = parse_game("6,6,4")
    won = Position.from_moves(rules, "a1 a6 b1 f6 c1 c6").canonical()  # X wins with d1
    winning = Prover(rules).forced_win(won)
    assert winning
    add, key = "INSERT INTO moves VALUES (?, ?, 36)", won.hash.to_bytes((won.hash.bit_length() + 7) // 8, "big")
    right = check_strategy(damaged(path, tmp_path, add, key, winning.moves[0]), Prover)
    assert (right.problems, right.unused, right.row_plies.count(0)) == ((), 1, 1)
    idle = next(move for move in won.legal_moves if move not in winning.moves)
    wrong = check_strategy(damaged(path, tmp_path, add, key, idle), Prover)
    assert any(problem.startswith("In ") for problem in wrong.problems)
    impossible = check_strategy(damaged(path, tmp_path, add, b"\x0d", 5), Prover)  # three stones of X
    assert any("can't arise in play" in problem for problem in impossible.problems)
    of_o = check_strategy(damaged(path, tmp_path, "UPDATE meta SET value = 'O' WHERE key = 'side'"), Prover)
    assert "A win of O from the empty board cannot be checked." in of_o.problems


def test_the_report_does_not_depend_on_the_threads(strategy: Callable[[str], Path]) -> None:
    path = strategy("8,8,5,x=d4+e5,o=a1")
    assert check_strategy(path, Prover, threads=1) == check_strategy(path, Prover, threads=4)


def test_games_against_a_strategy_are_won_and_a_bad_one_is_found_out(
    strategy: Callable[[str], Path], tmp_path: Path
) -> None:
    path = strategy("6,6,4")
    report = sample_strategy(path, Prover, 30)
    assert (report.problems, report.games) == ((), 30)
    assert 7 < report.within <= 13
    corner = sample_strategy(
        damaged(path, tmp_path, "UPDATE moves SET move = 0 WHERE length(position) = 0"), Prover, 30
    )
    assert corner.problems
    bound = damaged(path, tmp_path, "UPDATE meta SET value = '5' WHERE key = 'within'")
    assert "The win takes up to" in sample_strategy(bound, Prover, 30).problems[-1]
    row = damaged(path, tmp_path, "UPDATE moves SET within = 5")
    assert "A win comes later than a row says" in sample_strategy(row, Prover, 30).problems[0]
    with sqlite3.connect(row) as connection:
        connection.execute("UPDATE moves SET within = 7")
    assert "The digest of the rows" in sample_strategy(row, Prover, 30).problems[0]
    with pytest.raises(InputError, match="check it whole"):
        sample_strategy(strategy_path(SHIPPED, parse_game("7,7,5")), Prover, 1)


def test_the_strategy_of_another_game_is_refused(tmp_path: Path) -> None:
    copyfile(strategy_path(SHIPPED, parse_game("7,7,4")), strategy_path(tmp_path, parse_game("6,6,4")))
    for options in ([], ["--sample", "3"]):
        result = mnk("check", "6,6,4", "--data", tmp_path, *options)
        assert result.exit_code == 4
        assert "has a strategy of 7,7,4, not of 6,6,4" in result.stderr


@pytest.mark.parametrize("count", [5, pytest.param(100, marks=pytest.mark.slow)])
@pytest.mark.parametrize(("game", "within"), GOMOKU.items())
def test_moves_of_gomoku_hold_against_every_reply(game: str, within: int, count: int) -> None:
    path = strategy_path(SHIPPED, parse_game(game))
    tried = Random(count).sample(rows_of(path), count)
    known = {row.hash: row.within or 0 for row in rows_of(path) if row not in tried}
    report = check_strategy(path, Prover, checked=known)
    assert (report.problems, report.claim) == ((), f"X wins within {within} plies")
    assert report.replies > 100 * count
    assert {row.hash for row in tried} <= {*known}
    assert all(known[row.hash] <= (row.within or 0) for row in tried)


@pytest.mark.parametrize("games", [2, pytest.param(100, marks=pytest.mark.slow)])
@pytest.mark.parametrize(("game", "within"), GOMOKU.items())
def test_games_of_gomoku_are_won(game: str, within: int, games: int) -> None:
    report = sample_strategy(strategy_path(SHIPPED, parse_game(game)), Prover, games)
    assert (report.problems, report.games) == ((), games)
    assert report.within <= within
