"""Wins by threats: the search never claims a win that is not there, on random games of all kinds."""

from random import Random
from types import SimpleNamespace
from typing import get_args

import pytest

from solver.errors import RulesError
from solver.game.games import parse_game
from solver.game.notation import parse_square, square_name
from solver.game.position import Position
from solver.game.rules import OTHER, Rules, Side
from solver.game.value import Value
from solver.kernels import proof_walk
from solver.kernels.proof_nodes import Proof
from solver.kernels.proof_walk import Walk
from solver.kernels.threat_lines import Board
from solver.search.sources import ThreatSearch
from solver.search.threats import Prover
from solver.search.truth import open_tablebase
from tests.commands import TableFile
from tests.random_games import Known, PlainGame, draw_game
from tests.small_games import slow_games


def assert_right(prover: Prover, position: Position, known: Known | Value) -> tuple[bool, bool]:
    """Compare what the search claims about a position; return whether it is won, and whether the search finds a win."""
    win, won = prover.forced_win(position), known.wdl > 0
    if win:
        assert won
        assert (win.value.distance or known.distance) == known.distance
        assert known.distance is not None
        assert known.distance <= len(win.moves)
        assert_wins(position, win.moves)
    found = bool(win)
    for threats in (prover.leaf_win(position), prover.threat_win(position, 0.1)):
        if threats:
            move, plies = threats
            assert won
            assert known.distance is not None
            assert known.distance <= plies
            assert move in position.legal_moves
            found = True
    for attacker in get_args(Side):
        for quiet in (False, True):
            proof = prover.prove(position, attacker, seconds=30, quiet=quiet)
            wins = known.wdl == (1 if attacker == position.to_move else -1)
            assert wins or proof is None, (position, attacker, quiet)
            if proof:
                assert known.distance is not None
                assert known.distance <= proof.within
                found |= attacker == position.to_move
    return won, found


def assert_wins(position: Position, moves: list[int]) -> None:
    """Play a forced win: the side to move completes a line with the last move, and never before."""
    for move in moves[:-1]:
        position = position.play(move)
        assert not position.is_over
    assert position.play(moves[-1]).outcome == position.to_move


def threat_game(seed: int) -> tuple[PlainGame, list[dict[tuple[int, int], Known]]]:
    chance = Random(seed)
    while True:
        game, known = draw_game(chance, 20_000)
        if game.rules.has_threats:
            return game, known


@pytest.mark.parametrize("seed", [*range(3), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(3, 100))])
def test_no_win_is_claimed_that_is_not_there_in_a_random_game(seed: int) -> None:
    game, known = threat_game(seed)
    prover, chance = Prover(game.rules), Random(seed)
    for level in known:
        for stones in chance.sample(sorted(level), min(len(level), 12)):
            if not level[stones].is_over:
                assert_right(prover, Position.parse(game.rules, f"hash:{game.hash(*stones)}"), level[stones])


def test_the_memory_of_a_search_is_that_of_its_tables() -> None:
    prover = Prover(parse_game("7,7,5"))
    before = prover.bytes
    prover.threat_win(Position.start(prover.rules), 0.01)
    assert 1 << 20 < before < prover.bytes


@pytest.mark.parametrize(
    ("game", "games"),
    [
        ("3,4,3", 50),
        *(
            pytest.param(game, 150, marks=pytest.mark.slow)
            for game in ("3,4,3", "4,4,4", "3,5,4", "4,4,3", "4,5,3,exact", "4,4,3,torus")
        ),
    ],
)
def test_wins_agree_with_a_table_and_few_are_missed(game: str, games: int, table_file: TableFile) -> None:
    rules, chance = parse_game(game), Random(1)
    prover, won, found = Prover(rules), 0, 0
    with open_tablebase(table_file(game)) as truth:
        for _ in range(games):
            position = Position.start(rules)
            for _ in range(chance.randrange(rules.squares)):
                if not position.is_over:
                    position = position.play(chance.choice(position.legal_moves))
            if not position.is_over:
                is_won, is_found = assert_right(prover, position, truth.probe(position))
                won, found = won + is_won, found + is_found
    assert won
    assert found == won  # with quiet moves, the search of such small games is complete


@pytest.mark.parametrize("game", ["3,3,3", *slow_games("4,4,4", "3,5,4")])
def test_no_win_is_claimed_in_a_drawn_game(game: str) -> None:
    rules = parse_game(game)
    prover = Prover(rules)
    for attacker in get_args(Side):
        assert prover.prove(Position.start(rules), attacker, seconds=60, quiet=True) is None
        assert not prover.is_late  # everything was tried


def test_a_proof_that_is_not_collected_in_time_is_late(monkeypatch: pytest.MonkeyPatch) -> None:
    found = list[Board]()

    def begin(board: Board, proof: Proof, walk: Walk) -> None:
        found.append(board)
        proof_walk.begin(board, proof, walk)

    collecting = SimpleNamespace(**{**vars(proof_walk), "begin": begin})
    monkeypatch.setattr("solver.search.threats.proof_walk", collecting)
    monkeypatch.setattr("solver.search.threats._WALK_SLICE", 1)
    prover = Prover(parse_game("6,6,4"))
    late = prover.prove(Position.start(prover.rules), "X", quiet=True, seconds=1, timer=lambda: 2.0 if found else 0.0)
    assert (late, len(found), prover.is_late) == (None, 1, True)


@pytest.mark.parametrize("game", ["6,7,4,gravity", "3,3,3,misere", "2,2,3"])
def test_games_without_threats_are_refused(game: str) -> None:
    with pytest.raises(RulesError, match="expected lines that win, without gravity and misere"):
        Prover(parse_game(game))


def value_of(rules: Rules, moves: str) -> str:
    return str(ThreatSearch(rules).find(Position.from_moves(rules, moves), 10))


def test_threats_settle_positions_of_gomoku_for_both_sides() -> None:
    rules = parse_game("15,15,5")
    assert value_of(rules, "h8 a1 i8 a2 j8 a3 k8 a4") == "win in 1"
    assert value_of(rules, "h8 a1 i8 a2 j8 c9") == "win in 3"
    assert value_of(rules, "h8 a1 i8 c3 j9 n14 j10 c14 j8").startswith("loss within")
    assert value_of(rules, "h8 a1 i8 c3 j9 n14 j10 c14") == "win in 5"
    assert value_of(rules, "h8 a1 i9 c3") == "None"


def test_exactly_five_do_not_win_with_six() -> None:
    free, exact = parse_game("15,15,5"), parse_game("15,15,5,exact")
    moves = "a1 a15 b1 c15 c1 e15 e1 g15 f1 i15"
    assert value_of(free, moves) == "win in 1"
    assert Prover(exact).forced_win(Position.from_moves(exact, moves)) is None


def test_answers_that_are_not_played_bar_no_lines_of_the_other_side() -> None:
    """After k5, O answers on j6, g9 or l4. A stone on l4 would bar his own line, which he needs after j6."""
    rows = [
        "", "", ".......X.......", "...O...O..O....", "....X.XO.O.....", ".....XXOX......", ".....XXOX......",
        ".....OOXO......", ".....X..O......",
    ]  # fmt: skip
    board = "/".join([*(row or 15 * "." for row in rows), *6 * [15 * "."]])
    position = Position.parse(parse_game("15,15,5,exact"), board)
    prover, k5 = Prover(position.rules), parse_square(position.rules, "k5")
    won = prover.leaf_win(position)
    assert won
    assert won[0] != k5
    after = position.play(won[0])
    assert all(prover.threat_win(after.play(reply), 5) for reply in after.legal_moves)


def test_a_four_of_the_other_side_must_be_answered_first() -> None:
    rules = parse_game("15,15,5")
    open_three = "h8 a1 i8 b1 j8 c1 a15 d1"  # O has four in the first row
    assert value_of(rules, open_three) != "win in 3"
    assert Prover(rules).forced_win(Position.from_moves(rules, f"{open_three} e1 c9")) is not None


def test_a_threat_of_the_other_side_leaves_only_the_moves_that_can_disturb_it() -> None:
    rules = parse_game("15,15,5")
    far = Position.from_moves(rules, "h8 i1 g7 j1 d12 k1")  # far from the stones of X, O threatens to win by fours
    moves = {square_name(rules, move) for move in Prover(rules).order(far, 16)}
    assert {"h1", "l1"} <= moves <= {"g1", "h1", "l1", "m1"}


def test_both_sides_can_have_lines_of_their_own() -> None:
    rules = parse_game("4,4,3,maker")  # O has no lines, and wins if X never completes one
    prover = Prover(rules)
    assert prover.prove(Position.start(rules), "X", seconds=30, quiet=True)
    assert prover.prove(Position.start(rules), OTHER["X"], seconds=30, quiet=True) is None
