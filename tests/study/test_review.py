"""Reviews of games, against plain negamax and by hand."""

import json
import random
from contextlib import nullcontext
from itertools import pairwise
from pathlib import Path

import pytest
from pydantic import TypeAdapter

from solver.game.games import parse_game
from solver.game.greedy import play_greedily
from solver.game.notation import square_name
from solver.game.position import Position
from solver.game.rules import Rules
from solver.search.forced import find_forced
from solver.search.threats import Prover
from solver.search.truth import Truth, open_tablebase, open_truth
from solver.study.review import FAULTS, Review, judge, review_game
from tests.commands import TableFile, assert_refused, mnk
from tests.slow_build import Oracle, oracle
from tests.verification.fakes import Partial
from tests.web.asgi import Client

GAMES = ["3,3,3", "3,3,3,misere", "3,3,3,gravity", "3,3,3,torus", "3,3,3,maker", "affine,3", "3,4,3,gravity"]
REVIEW = TypeAdapter(Review)


def random_game(rules: Rules, draw: random.Random) -> list[int]:
    position, moves = Position.start(rules), []
    while not position.is_over and draw.random() < 0.97:
        moves.append(draw.choice(position.legal_moves))
        position = position.play(moves[-1])
    return moves or [Position.start(rules).legal_moves[0]]


@pytest.mark.sampled
@pytest.mark.parametrize("game", GAMES)
def test_reviews_are_those_of_plain_negamax(game: str, table_file: TableFile) -> None:
    known, draw = oracle(game), random.Random(game)
    with open_tablebase(table_file(game)) as table:
        for _ in range(30):
            played = random_game(known.rules, draw)
            review = review_game(table, played)
            REVIEW.validate_python(review, strict=True)
            compare(known, played, review)


def compare(known: Oracle, played: list[int], review: Review) -> None:
    """Compute mistakes, decisions and the accuracy again, from the values alone."""
    position, faults = Position.start(known.rules), []
    counts = {"X": [0, 0], "O": [0, 0]}  # decisions, and those that kept the result
    for square, move, shown in zip(played, review["moves"], review["positions"], strict=False):
        value = known.value(position)
        assert (shown["position"], shown["wdl"], shown["distance"]) == (position.board, *value)
        after = known.value(position.play(square))
        others = [-known.value(position.play(other)).wdl for other in position.legal_moves]
        mistake = -after.wdl < value.wdl
        slow = not mistake and after.before_move() != value
        assert move["kind"] == ("mistake" if mistake else "slow" if slow else "best")
        assert (move["sentence"] is None) == (move["kind"] == "best")
        assert len(move["held"]) == others.count(max(others))
        assert move["legal"] == len(others)
        if len(set(others)) > 1:
            counts[position.to_move][0] += 1
            counts[position.to_move][1] += not mistake
        if mistake:
            faults.append(move["number"])
        position = position.play(square)
    assert review["positions"][-1]["position"] == position.board
    assert review["outcome"] == position.outcome
    assert review["lost_at"] == (faults[-1] if faults else None)
    for side, (decisions, kept) in counts.items():
        own = review["sides"][side]  # type: ignore[literal-required]
        assert (own["decisions"], own["kept"], own["mistakes"]) == (decisions, kept, decisions - kept)
        assert own["accuracy"] == (round(100 * kept / decisions, 1) if decisions else None)


def test_accuracy_is_the_critical_score_of_a_random_player(tictactoe: Truth) -> None:
    """Over every decision of 3,3,3, it agrees with `mnk verify`: 0.4046 in 3,191 positions."""
    positions = [position for position in oracle("3,3,3").reachable() if not position.is_over]
    shares = []
    for position, ranked in zip(positions, tictactoe.moves_many(positions), strict=True):
        kinds = [judge(position, ranked, square)[0] for square, _ in ranked]
        if "mistake" in kinds:
            shares.append(1 - kinds.count("mistake") / len(kinds))
    assert (len(shares), round(sum(shares) / len(shares), 4)) == (3191, 0.4046)


def test_the_sentences_name_the_loss_and_the_moves_that_held(tictactoe: Truth) -> None:
    review = review_game(tictactoe, "a1 b1 c3 b2 a3 c1")
    assert [(move["name"], move["sentence"]) for move in review["moves"]] == [
        ("a1", None),
        ("b1", "b1 throws the draw away: X wins in 5 plies; only b2 draws."),
        ("c3", "c3 throws the win away: a draw; a2, b2 or a3 wins."),
        ("b2", None),
        ("a3", "a3 throws the draw away: O wins in 1 ply; only b3 draws."),
        ("c1", "c1 throws the win away: X wins in 1 ply; only b3 wins."),
    ]
    assert (
        review["summary"]
        == "Move 6, c1, was the last mistake. O could still have won. With best play, X wins in 1 ply."
    )
    assert review["lost_at"] == 6
    counts = {"moves": 3, "decisions": 3, "kept": 1, "mistakes": 2, "slow": 0}
    assert review["sides"]["O"] == {**counts, "accuracy": 33.3}


@pytest.mark.parametrize(
    ("start", "move", "sentence"),
    [
        ("XX./OO./...", "a3", "a3 throws the win away: O wins in 1 ply; only c1 wins."),
        ("XO./.../...", "c2", "c2 throws the win away: a draw; a2, b2 or a3 wins."),
        ("XO./X../..O", "b2", "b2 is slow: X wins in 2 plies; a3 wins at once."),
        ("XO./.X./...", "a2", "a2 loses sooner than necessary: X wins in 1 ply, after c3 in 3 plies."),
    ],
)
def test_moves_that_are_not_the_best(start: str, move: str, sentence: str, tictactoe: Truth) -> None:
    assert review_game(tictactoe, move, start)["moves"][0]["sentence"] == sentence


def test_nobody_errs_in_the_main_line(tictactoe: Truth) -> None:
    review = review_game(tictactoe, tictactoe.mainline(Position.start(tictactoe.rules)))
    assert review["summary"] == "No mistakes. A draw."
    running = review_game(tictactoe, "a1 b2")
    assert running["summary"] == "No mistakes so far. With best play, this is a draw."
    assert review["lost_at"] is running["lost_at"] is None
    assert {review["sides"]["X"]["accuracy"], review["sides"]["O"]["accuracy"]} == {100.0}


def test_a_move_is_judged_if_all_moves_have_values_or_one_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    partial = Partial("X../.../...", "X../O../.X.")
    review = review_game(partial, "a1 a2 b1 b3")
    REVIEW.validate_python(review, strict=True)
    assert [position["category"] for position in review["positions"]] == ["draw", None, "win", "loss", "win"]
    assert [(move["kind"], move["verdict"], len(move["held"])) for move in review["moves"]] == [
        ("unsettled", None, 0),
        ("mistake", "loss", 1),
        ("best", "win", 3),
        ("slow", "loss", 6),
    ]
    assert "Move 2, a2, was the mistake. O could still have drawn." in review["summary"]
    assert "1 move could not be judged" in review["summary"]
    monkeypatch.setattr("solver.cli.review.open_answers", lambda *_: nullcontext(partial))
    printed = mnk("review", "3,3,3", "a1").stdout
    assert "1.  X a1   unsettled" in printed
    assert "No known mistakes so far. The position is unsettled. 1 move could not be judged." in printed


def test_a_table_without_distances_reviews_too(table_file: TableFile) -> None:
    with open_tablebase(table_file("4,4,3", metric="wdl")) as table:
        review = review_game(table, "a1 b1 c1 d1 a2 d4 b2")
        REVIEW.validate_python(review, strict=True)
        assert review["positions"][0]["distance"] is None
        assert {move["kind"] for move in review["moves"]} <= {"best", "mistake"}


def test_the_command_and_the_address_answer_alike(table_file: TableFile) -> None:
    data = table_file("3,3,3").parent
    printed = json.loads(mnk("review", "3,3,3", "b2", "a1", "--from", "a3 c1", "--json", "--data", data).stdout)
    with Client(data) as api:
        assert api.json("/v1/3,3,3/review", moves="b2,a1", position="a3 c1") == printed
        assert "moves" in api.refused("/v1/3,3,3/review", 400, "bad_request")
        assert "Move 2" in api.refused("/v1/3,3,3/review", 400, "illegal_move", moves="a1 a1")


def test_the_command_shows_marks_and_where_it_was_lost(table_file: TableFile) -> None:
    data = table_file("3,3,3").parent
    shown = mnk("review", "3,3,3", "a1", "b1", "c3", "--data", data).stdout
    assert "2.  O b1?  X wins in 5 plies  b1 throws the draw away: X wins in 5 plies; only b2 draws." in shown
    assert "O: accuracy 0.0 %, kept the result in 0 of 1 decision." in shown
    assert "Move 3, c3, was the last mistake. X could still have won. With best play, this is a draw." in shown
    assert "/?game=3,3,3&moves=a1,b1,c3\n" in shown


def test_invalid_arguments_of_the_command(table_file: TableFile, tmp_path: Path) -> None:
    assert mnk("review", "3,3,3").exit_code == 2
    assert_refused(mnk("review", "4,4,3", "a1", "--data", tmp_path), 3, "mnk build 4,4,3")
    assert_refused(
        mnk("review", "3,3,3", "XO./.X./...", "--data", table_file("3,3,3").parent), 2, "is a position; give moves"
    )


THREE_IN_A_ROW = "j8 a1 k8 c1 l8"  # O must play i8 or m8


@pytest.mark.parametrize(
    ("moves", "kind", "sentence"),
    [
        ("e1", "allowed", "e1 allows a win within 3 plies: X i8 h8 m8; i8 or m8 prevents it."),
        ("m8", "best", None),
        ("e1 i8", "best", None),
        ("e1 o15", "missed", "o15 misses a win within 3 plies: X i8 h8 m8."),
        ("m8 h10", "unsettled", None),
        ("m8 h10 g1", "allowed", "g1 allows a win within 11 plies; after d1, e1 or i9, none is found."),
    ],
)
def test_on_a_large_board_missed_and_allowed_wins_are_found(moves: str, kind: str, sentence: str | None) -> None:
    with open_truth(parse_game("15,15,5")) as truth:
        review = review_game(truth, f"{THREE_IN_A_ROW} {moves}")
    REVIEW.validate_python(review, strict=True)
    last = review["moves"][-1]
    assert (last["kind"], last["sentence"], last["decision"]) == (kind, sentence, kind != "unsettled")
    side = review["sides"][last["side"]]
    assert side["mistakes"] == (kind in FAULTS)
    if kind in FAULTS:
        could = {"missed": "could still have won", "allowed": "could have prevented a win by fours"}[kind]
        assert f"Move {last['number']}, {last['name']}, was the " in review["summary"]
        assert could in review["summary"]


THREATS = "j11 h11 k12 i10 g12 j9 k8 k10 l11 h10 j10 h9"  # X must play h8, or O wins by threats


@pytest.mark.parametrize(
    ("game", "moves", "kind", "sentence"),
    [
        ("15,15,5", "h12", "allowed", "h12 allows a win within 13 plies by threats: O h7; after h8, none is found."),
        ("15,15,5", "h8", "best", None),
        ("15,15,5", "h12 i12", "missed", "i12 misses a win within 13 plies by threats: O h7."),
        ("15,15,5", "h12 h7", "best", None),
        ("19,19,5", "h12", "allowed", "h12 allows a win within 13 plies by threats: O h7; after h8, none is found."),
        ("19,19,5", "h12 i12", "missed", "i12 misses a win within 13 plies by threats: O h7."),
    ],
)
def test_wins_by_threats_are_missed_and_allowed(game: str, moves: str, kind: str, sentence: str | None) -> None:
    rules = parse_game(game)
    with open_truth(rules) as truth:
        review = review_game(truth, f"{THREATS} {moves}")
    REVIEW.validate_python(review, strict=True)
    last = review["moves"][-1]
    assert (last["kind"], last["sentence"], last["decision"]) == (kind, sentence, True)
    if kind == "allowed":
        assert "X could have prevented a win by fours or threats, as far as is known." in review["summary"]
    if moves == "h12":
        assert (review["positions"][-1]["category"], review["positions"][-1]["within"]) == ("win", 13)
        lost = Position.from_moves(rules, f"{THREATS} {moves}".split())
        assert Prover(rules).prove(lost, "O", seconds=60)  # every reply is tried


def test_both_sides_are_judged_by_threats_where_no_strategy_is_stored() -> None:
    """With another first move, the sides of the same game are exchanged."""
    with open_truth(parse_game("19,19,5")) as truth:
        review = review_game(truth, f"a19 {THREATS} h12 i12")
    last = review["moves"][-1]
    assert (last["side"], last["kind"]) == ("X", "missed")
    assert last["sentence"] == "i12 misses a win within 13 plies by threats: X h7."


def test_all_moves_that_prevent_a_win_are_counted() -> None:
    rules = parse_game("15,15,5")
    positions = play_greedily(rules, random.Random(3), 1.0)
    played = [(after.x | after.o) ^ (before.x | before.o) for before, after in pairwise(positions)]
    with open_truth(rules) as truth:
        moves = review_game(truth, [move.bit_length() - 1 for move in played])["moves"]
    counted = [move for move in moves if " others" in (move["sentence"] or "")]
    assert max(len(move["held"]) for move in counted) > 6
    for move in counted:
        assert f"or {len(move['held']) - 4} others" in (move["sentence"] or "")


def test_a_stored_strategy_judges_moves_of_a_large_game(tmp_path: Path) -> None:
    with open_truth(parse_game("6,6,4"), tmp_path) as truth:
        review = review_game(truth, "c3 d4 f1 b2 a6")
        after = Position.from_moves(truth.rules, ["c3", "d4", "f1"])
        assert Prover(truth.rules).prove(after, "O", seconds=60)  # every reply is tried
    assert [one["category"] for one in review["positions"]] == ["win", "loss", "win", "win", "win", "win"]
    assert [one["kind"] for one in review["moves"]] == ["best", "best", "missed", "missed", "missed"]
    assert review["moves"][2]["sentence"] == "f1 misses a win within 11 plies."
    assert review["moves"][3]["sentence"] == "b2 misses a win within 11 plies by threats: O c4."


def test_a_move_that_leaves_a_stored_strategy_is_not_judged() -> None:
    with open_truth(parse_game("gomoku")) as truth:
        review = review_game(truth, "h8 i9 g9 a1 b2")
    assert [one["category"] for one in review["positions"]] == ["win", "loss", "win", "loss", "win", None]
    assert [one["kind"] for one in review["moves"]] == [*["best"] * 4, "unsettled"]
    assert review["moves"][-1]["sentence"] == "b2 leaves the stored strategy, which wins within 31 plies."
    assert (review["sides"]["X"]["decisions"], review["sides"]["X"]["mistakes"]) == (2, 0)
    assert review["summary"].startswith("No known mistakes so far.")


def test_a_move_in_a_lost_position_is_no_mistake_on_a_large_board() -> None:
    """The stored strategy wins after h8 a1 anyway, and so after f1, which allows a win by fours."""
    with open_truth(parse_game("gomoku")) as truth:
        moves = ["h8", "a1"]
        for reply in ("a2", "f1"):
            moves += [square_name(truth.rules, truth.best_move(Position.from_moves(truth.rules, moves))), reply]
        position, review = Position.from_moves(truth.rules, moves[:-1]), review_game(truth, moves)
        assert truth.threats
        assert find_forced(truth.threats, position).is_defence
    last = review["moves"][-1]
    assert (last["value"], last["kind"], last["decision"], last["held"]) == ("loss", "best", False, [])
    assert review["summary"].startswith("No mistakes so far. With best play, X wins")


def test_a_file_is_reviewed(tmp_path: Path) -> None:
    (tmp_path / "game.psq").write_text("Piskvorky 15x15, 11:11, 1\n10,8,0\n1,1,0\n11,8,0\n3,1,0\n12,8,0\n5,1,0\n-1\n")
    (tmp_path / "two.txt").write_text("h8 i9\nh8 i8\n")
    found = mnk("review", "15,15,5", tmp_path / "game.psq").stdout
    assert "6.  O e1?  X wins in 3 plies       e1 allows a win within 3 plies" in found
    assert_refused(mnk("review", "15,15,5", tmp_path / "two.txt"), 2, "has 2 games; give one game")
