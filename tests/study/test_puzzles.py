"""Puzzles, against plain negamax: the uniqueness of the only move, its themes, and its level."""

import json
import random
from collections import Counter
from datetime import UTC, date, datetime
from pathlib import Path
from typing import get_args

import pytest
from pydantic import TypeAdapter

from solver.errors import InputError, PositionError
from solver.game.games import parse_game
from solver.game.position import Position
from solver.game.sampling import sample_position
from solver.search.threats import Prover
from solver.search.truth import Truth, open_tablebase, open_truth
from solver.study.puzzles import (
    Level,
    Puzzles,
    Theme,
    count_decoys,
    daily_puzzle,
    draw_puzzles,
    find_puzzles,
    look_ahead,
    make_puzzle,
    puzzle_answer,
)
from tests.commands import TableFile, assert_refused, mnk
from tests.slow_build import Oracle, oracle
from tests.web.asgi import Client

GAMES = ["3,3,3", "3,3,3,misere", "3,3,3,gravity", "3,3,3,maker", "affine,3"]
PUZZLES = TypeAdapter(Puzzles)


def slow_puzzles(known: Oracle) -> dict[Position, tuple[int, int]]:
    """Return every position whose best result only one move reaches, with (move, result)."""
    found = {}
    for position in live_positions(known):
        value = known.value(position)
        reaching = [square for _, square, reached in known.moves(position) if reached.wdl == value.wdl]
        if value.wdl >= 0 and len(reaching) == 1 < len(position.legal_moves):
            found[position] = (reaching[0], value.wdl)
    return found


def live_positions(known: Oracle) -> list[Position]:
    return [position for position in known.reachable() if not position.is_over]


@pytest.mark.sampled
@pytest.mark.parametrize("game", GAMES)
def test_puzzles_are_the_positions_with_one_move_to_find(game: str, table_file: TableFile) -> None:
    known = oracle(game)
    with open_tablebase(table_file(game)) as table:
        positions = live_positions(known)
        made = {
            position: (puzzle.square, 1 if puzzle.goal == "win" else 0)
            for position, moves in zip(positions, table.moves_many(positions), strict=True)
            if (puzzle := make_puzzle(table, position, moves))
        }
    assert made == slow_puzzles(known)


@pytest.mark.parametrize("game", GAMES)
def test_themes_and_decoys_follow_their_definitions(game: str, table_file: TableFile) -> None:
    known = oracle(game)
    met: Counter[str] = Counter()
    with open_tablebase(table_file(game)) as table:
        positions = random.Random(1).sample(list(slow_puzzles(known)), 100)
        for position, moves in zip(positions, table.moves_many(positions), strict=True):
            puzzle = make_puzzle(table, position, moves)
            assert puzzle is not None
            assert set(puzzle.themes) == slow_themes(known, position, puzzle.square)
            met.update(puzzle.themes)
        for position, moves in zip(positions[:40], table.moves_many(positions[:40]), strict=True):
            decoys = [count_decoys(position, moves, sight) for sight in range(1, 10)]
            assert decoys == sorted(decoys, reverse=True)
            assert decoys[-1] == 0
            untimed = [(square, value._replace(distance=None)) for square, value in moves]
            assert [count_decoys(position, untimed, sight) for sight in (1, 2, 4)] == [decoys[0], decoys[1], decoys[3]]
    assert met


def slow_themes(known: Oracle, position: Position, square: int) -> set[str]:
    """Return the themes by their definitions, from values and legal moves."""
    value, after = known.value(position), position.play(square)
    replies = [] if after.is_over else [reached.wdl for _, _, reached in known.moves(after)]
    others = [position.play(other) for other in position.legal_moves if other != square]
    found = set()
    if value == (1, 1):
        found.add("finish")
    elif all(wins_next(other) for other in others):
        found.add("block")
    if replies.count(max(replies, default=0)) == 1 < len(replies):
        found.add("trap")
    if value.wdl == 1 and (value.distance or 0) >= 5:
        found.add("long win")
    threats = [s for s in after.legal_moves if completes(after, position.to_move, s)]
    answers = [s for s in after.legal_moves if completes(after, after.to_move, s)]
    if not known.rules.misere and len(threats) > 1 and not answers:
        found.add("fork")
    return found


def wins_next(position: Position) -> bool:
    return (position.outcome in {"X", "O"} and position.outcome == position.to_move) or any(
        position.play(square).outcome == position.to_move for square in position.legal_moves
    )


def completes(position: Position, side: str, square: int) -> bool:
    """Return whether a stone of a side on a free square completes one of its lines, on either side's turn."""
    stones = (position.x if side == "X" else position.o) | 1 << square
    lines = position.rules.x_lines if side == "X" else position.rules.o_lines
    return any(stones & line.mask == line.mask for line in lines)


def test_looking_ahead_finds_the_value_of_a_position_that_ends_in_time() -> None:
    known = oracle("3,3,3,misere")
    for position in random.Random(3).sample(known.reachable(), 150):
        value = known.value(position)
        for plies in (0, 1, 2, 3):
            seen = value.wdl if (value.distance or 0) <= plies else 0
            assert look_ahead(position, position.to_move, plies) == seen


def test_puzzles_follow_from_the_seed(tictactoe: Truth) -> None:
    drawn = draw_puzzles(tictactoe, 7, 5)
    assert len({puzzle.position for puzzle in drawn}) == 5
    assert draw_puzzles(tictactoe, 7, 3) == drawn[:3]
    assert draw_puzzles(tictactoe, 8, 5) != drawn


@pytest.mark.slow
def test_every_puzzle_is_as_likely_as_any_other(tictactoe: Truth) -> None:
    """For 3,3,3 with the goal to draw, by a chi-square test of the plies."""
    weights = Counter(position.ply for position, (_, reached) in slow_puzzles(oracle("3,3,3")).items() if not reached)
    drawn = [draw_puzzles(tictactoe, seed, goal="draw")[0].position.ply for seed in range(200)]
    expected = {ply: 200 * weight / sum(weights.values()) for ply, weight in weights.items()}
    chi_square = sum((drawn.count(ply) - share) ** 2 / share for ply, share in expected.items())
    assert chi_square < 20.5  # of five degrees of freedom, 0.1 %
    assert len(expected) == 6


@pytest.mark.sampled
@pytest.mark.parametrize("level", get_args(Level))
@pytest.mark.parametrize("theme", get_args(Theme))
def test_a_kind_of_puzzle_can_be_requested(level: str, theme: str, tictactoe: Truth) -> None:
    possible = {"finish": {"easy"}, "block": {"easy"}}.get(theme, set(get_args(Level)))
    if level not in possible:
        with pytest.raises(PositionError, match=f"No puzzle of level {level} with the theme {theme} was found in 600"):
            draw_puzzles(tictactoe, 1, level=level, theme=theme, most=600)  # type: ignore[arg-type]
        return
    try:
        drawn = draw_puzzles(tictactoe, 1, 2, level=level, theme=theme, most=3000)  # type: ignore[arg-type]
    except PositionError:
        assert (level, theme) in {("easy", "long win"), ("medium", "long win"), ("hard", "fork"), ("hard", "trap")}
    else:
        assert all(puzzle.level == level and theme in puzzle.themes for puzzle in drawn)


def test_the_puzzle_of_a_day_is_the_same_for_everybody(tictactoe: Truth) -> None:
    days = [date(2026, 11, day) for day in range(1, 21)]
    puzzles = [
        daily_puzzle(tictactoe, datetime(day.year, day.month, day.day, 5, tzinfo=UTC)) for day in days
    ]  # also by the hour
    assert puzzles == [daily_puzzle(tictactoe, day) for day in days]
    assert len({puzzle.position for puzzle in puzzles}) > 12
    assert "easy" not in {puzzle.level for puzzle in puzzles}
    with pytest.raises(InputError, match="count is '0'; give a whole number, 1 or more"):
        draw_puzzles(tictactoe, 1, 0)


def test_positions_are_drawn_evenly() -> None:
    rules, draw = parse_game("3,3,3,gravity"), random.Random(1)
    positions = [position for position in live_positions(oracle("3,3,3,gravity")) if position.ply == 2]
    counts = Counter(sample_position(rules, 2, draw) for _ in range(200 * len(positions)))
    assert set(counts) == set(positions)
    assert max(abs(count - 200) for count in counts.values()) < 60


def test_a_large_table_without_distances_has_puzzles_too(table_file: TableFile) -> None:
    with open_tablebase(table_file("4,4,4", metric="wdl")) as table, open_tablebase(table_file("4,4,4")) as timed:
        for puzzle in draw_puzzles(table, 3, 10):
            [moves] = timed.moves_many([puzzle.position])
            other = make_puzzle(timed, puzzle.position, moves)
            assert other is not None
            for name in ("square", "decoys", "themes", "level"):
                assert getattr(other, name) == getattr(puzzle, name)


def test_the_address_answers_with_puzzles(table_file: TableFile) -> None:
    path = table_file("3,3,3")
    with Client(path.parent) as api, open_tablebase(path) as table:
        given = [puzzle_answer(table, puzzle) for puzzle in draw_puzzles(table, 3, 2, level="medium")]
        answer = api.json("/v1/3,3,3/puzzles", seed=3, count=2, level="medium")
        PUZZLES.validate_python(answer, strict=True)
        assert answer == {"seed": "3", "puzzles": given}
        day = puzzle_answer(table, daily_puzzle(table, date(2026, 11, 22)))
        assert api.json("/v1/3,3,3/puzzles", day="2026-11-22")["puzzles"] == [day]
        assert len({api.json("/v1/3,3,3/puzzles")["seed"] for _ in range(3)}) > 1
        refused = api.refused("/v1/3,3,3/puzzles", 400, "position_error", level="hard", theme="block", seed=1)
        assert "choose another kind" in refused
        api.refused("/v1/3,3,3/puzzles", 400, "bad_request", theme="luck")
        for other in ("0", "1e9", "2026-13-01"):
            refused = api.refused("/v1/3,3,3/puzzles", 400, "bad_request", day=other)
            assert refused == "The request is invalid: day: Write a day as year-month-day, such as 2026-11-22."


@pytest.mark.parametrize("game", ["3,3,3,misere", "4,4,4,gravity"])
def test_a_game_that_is_searched_has_the_puzzles_of_its_table(game: str, table_file: TableFile, tmp_path: Path) -> None:
    with (
        open_tablebase(table_file(game)) as table,
        open_truth(table.rules, tmp_path) as searched,
        Client(tmp_path) as api,
    ):
        drawn = draw_puzzles(table, 3, 4)
        assert draw_puzzles(searched, 3, 4) == drawn
        assert [one["position"] for one in api.json(f"/v1/{game}/puzzles", seed=3, count=4)["puzzles"]] == [
            puzzle.position.board for puzzle in drawn
        ]


def test_a_game_that_is_neither_in_a_table_nor_searched_has_no_puzzles(tmp_path: Path) -> None:
    assert_refused(mnk("puzzles", "4,5,4", "--data", tmp_path), 3, f"`mnk build 4,5,4 --data {tmp_path}`")
    assert_refused(mnk("puzzles", "4,8,4,gravity", "--data", tmp_path), 3, "There is no table of 4,8,4,gravity")


def test_a_request_for_puzzles_on_a_large_board_is_bounded(tmp_path: Path) -> None:
    with Client(tmp_path) as api:
        refused = api.refused("/v1/2x2x2x2x2,2/puzzles", 400, "position_error", seed=1, theme="fork")
        found_none = api.refused("/v1/2x2x2x2x2,2/puzzles", 400, "position_error", seed=1, level="hard")
    assert (
        refused == "Puzzles of 2x2x2x2x2,2 are wins by threats, which have no themes; leave out the theme and the goal."
    )
    assert found_none.startswith("No puzzle of level hard was found in 30 random games of 2x2x2x2x2,2")


GOMOKU = parse_game("15,15,5")
THREATS = "j11 h11 k12 i10 g12 j9 k8 k10 l11 h10 j10 h9 h12"  # O wins by threats
FOUR_AND_THREE = "h8 a1 i8 g8 j8 a3 k7 c1 k6 o1"  # k8 makes a four and a three


@pytest.mark.slow
@pytest.mark.parametrize("count", [3, 8])
def test_on_a_large_board_puzzles_are_wins_by_fours_that_one_move_begins(count: int) -> None:
    with open_truth(GOMOKU) as truth:
        drawn = draw_puzzles(truth, 7, count)
        assert draw_puzzles(truth, 7, 2) == drawn[:2]
        assert draw_puzzles(truth, 8, 1) != drawn[:1]
        for puzzle in drawn:
            position = puzzle.position
            for square in puzzle.line:
                position = position.play(square)
            assert position.outcome == puzzle.position.to_move
            assert puzzle.task == f"{position.outcome} to move: win by fours in {(len(puzzle.line) + 1) // 2} moves."
            assert puzzle.level == ("easy" if len(puzzle.line) == 3 else "medium" if len(puzzle.line) <= 7 else "hard")
            PUZZLES.validate_python({"seed": "7", "puzzles": [puzzle_answer(truth, puzzle)]}, strict=True)
        assert {puzzle.level for puzzle in draw_puzzles(truth, 7, count - 2, level="hard")} == {"hard"}
        with pytest.raises(PositionError, match="leave out the theme and the goal"):
            draw_puzzles(truth, 7, goal="draw")


@pytest.mark.parametrize("count", [2, pytest.param(8, marks=pytest.mark.slow)])
def test_with_a_length_puzzles_are_wins_by_threats_too(count: int) -> None:
    with open_truth(GOMOKU) as truth:
        drawn = draw_puzzles(truth, 7, count, plies=11, level="hard")
        assert draw_puzzles(truth, 7, 1, plies=11, level="hard") == drawn[:1]
        assert {puzzle.plies for puzzle in drawn} <= {9, 11}
        threats = [puzzle for puzzle in drawn if len(puzzle.line) == 1]
        assert len(threats) >= count // 2
        for puzzle in threats:
            assert puzzle.task == f"{puzzle.position.to_move} to move: win by threats within {puzzle.plies} plies."
            after = puzzle.position.play(puzzle.square)
            assert Prover(GOMOKU).prove(after, puzzle.position.to_move, seconds=60)  # every reply is tried
            PUZZLES.validate_python({"seed": "7", "puzzles": [puzzle_answer(truth, puzzle)]}, strict=True)
        with pytest.raises(
            PositionError, match="No puzzle of level hard won within 7 plies was found in 2 random games"
        ):
            draw_puzzles(truth, 7, plies=7, level="hard", games=2)


@pytest.mark.parametrize("plies", [1, 3, 4])
def test_puzzles_of_a_length_are_won_in_time(plies: int, tictactoe: Truth) -> None:
    for puzzle in draw_puzzles(tictactoe, 1, 5, plies=plies):
        value = tictactoe.probe(puzzle.position)
        assert value.wdl > 0
        assert value.distance is not None
        assert value.distance <= plies


def test_puzzles_are_found_in_games_that_were_played(table_file: TableFile) -> None:
    with open_tablebase(table_file("3,3,3")) as table:
        positions = [Position.parse(table.rules, moves) for moves in ("start", "a1", "a1 b1", "a1 b1 b2")]
        assert [(puzzle.position.ply, puzzle.goal) for puzzle in find_puzzles(table, positions)] == [(1, "draw")]
    with open_truth(GOMOKU) as truth:
        moves = FOUR_AND_THREE.split()
        positions = [Position.parse(GOMOKU, moves[:ply]) for ply in range(len(moves) + 1)]
        [puzzle] = find_puzzles(truth, positions)
        assert [GOMOKU.diagram.names[square] for square in puzzle.line] == ["k8", "l8", "k5", "k4", "k9"]


def test_the_command_draws_puzzles_and_finds_them_in_files(table_file: TableFile, tmp_path: Path) -> None:
    folder = table_file("3,3,3").parent
    drawn = mnk("puzzles", "3,3,3", "--seed", "7", "--data", folder).stdout
    assert drawn.startswith("1. O to move: find the only move that draws. (easy)\n\n   a b c\n")
    assert drawn.endswith("Solutions: 1. c3; 2. c3.\nThe same puzzles again: --seed 7\n")
    (tmp_path / "game.txt").write_text(f"{FOUR_AND_THREE}\n")
    found = json.loads(mnk("puzzles", "15,15,5", tmp_path / "game.txt", "--json").stdout)
    PUZZLES.validate_python({"seed": "", **found}, strict=True)
    assert len(found["puzzles"]) == 1
    shown = mnk("puzzles", "15,15,5", THREATS, "--plies", "13", "--count", "1").stdout
    assert shown.startswith("1. O to move: win by threats within 13 plies. (hard)")
    assert shown.endswith("Solutions: 1. h7.\n")
    assert_refused(mnk("puzzles", "15,15,5", THREATS, "--plies", "11"), 2, "The games have no such puzzle")
    assert_refused(mnk("puzzles", "15,15,5", "h8 i9"), 2, "The games have no such puzzle")


def test_a_sheet_has_the_boards_first_and_the_solutions_last(table_file: TableFile, tmp_path: Path) -> None:
    sheet, data = tmp_path / "sheet.html", str(table_file("3,3,3").parent)
    options = ["--data", data, "--seed", "7", "--theme", "fork"]
    wrote = mnk("puzzles", "3,3,3", "--count", "4", "-o", sheet, *options)
    assert (wrote.exit_code, wrote.stdout) == (0, f"Wrote 4 puzzles to {sheet}.\n")
    boards, solutions = sheet.read_text().split("Solutions")
    assert (boards.count("<svg"), boards.count("Tic-tac-toe: puzzles"), solutions.count("<svg")) == (4, 2, 0)
    shown = mnk("puzzles", "3,3,3", "--count", "4", *options).stdout
    found = [one.partition(". ")[2] for one in shown.partition("Solutions: ")[2].partition(".\n")[0].split("; ")]
    assert [line.partition(" (")[0] for line in solutions.split("<li>")[1:]] == found
    assert "fork" in solutions
    assert "mnk puzzles 3,3,3 --count 4 --seed 7 --theme &#x27;fork&#x27;" in solutions
    assert "must end in .html" in mnk("puzzles", "3,3,3", "-o", tmp_path / "sheet.pdf", *options).stderr
    assert mnk("puzzles", "3,3,3", "-o", sheet, "--data", data, "--seed", "\udcff").exit_code == 0
    assert r"--seed &#x27;\udcff&#x27;" in sheet.read_text()
    assert mnk("puzzles", "3,3,3", "--data", data, "--seed", "a b").stdout.endswith("--seed 'a b'\n")
    assert mnk("puzzles", "3,3,3", "-o", sheet, "--json", *options).exit_code == 2
