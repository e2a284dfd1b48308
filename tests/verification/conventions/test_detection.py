"""Engines written in every convention: each is understood without being told, by what it answers."""

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from solver.errors import EngineError
from solver.game.games import parse_game
from solver.game.position import Position
from solver.verification.adapters.open import open_engine
from solver.verification.contract import Answer, AskOptions, Failure
from solver.verification.conventions.candidates import Fixed
from solver.verification.conventions.convention import Argument, Convention, Reply
from solver.verification.conventions.detection import detect_convention
from solver.verification.conventions.parameters import Signature
from solver.verification.verify import verify
from tests.verification.agents import course, faulty, mixed
from tests.verification.fakes import THREE, negamax

AGENTS = Path(__file__).parents[1] / "agents"
ONE_WORKER = AskOptions(workers=1)


def positions() -> list[Position]:
    """The empty board, and those of a walk through the game that takes every third move."""
    found, level = [], [Position.start(THREE)]
    while level:
        found += level
        level = [p.play(m) for p in level[:20] for m in p.legal_moves[:: 3 if p.ply else 1]]
        level = [p for p in level if not p.is_over]
    return found


POSITIONS = positions()


@cache
def asked(engine: Any) -> tuple[str, list[Answer]]:
    """The convention that is found, and the answers to POSITIONS; found out once for all tests."""
    with open_engine(engine, THREE, options=ONE_WORKER) as tested:
        return tested.convention, tested.ask(POSITIONS)


def keeps_values(answers: list[Answer], positions: list[Position] = POSITIONS) -> bool:
    return all(
        answer.failure is None and answer.move is not None and -negamax(p.play(answer.move)) == negamax(p)
        for p, answer in zip(positions, answers, strict=True)
    )


@pytest.mark.sampled
@pytest.mark.parametrize("engine", mixed.PLAYERS, ids=lambda engine: engine.__name__)
def test_a_good_engine_is_understood_so_well_that_it_errs_nowhere(engine: Callable[..., Any]) -> None:
    convention, answers = asked(engine)
    assert keeps_values(answers), convention


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("engine", "words"),
    [
        (
            mixed.flat_string,
            "flat string, where X is 'X', O is 'O', an empty square is '.'; moves: the number of a square",
        ),
        (
            mixed.rows_none,
            "rows of lists, where X is 'X', O is 'O', an empty square is None; moves: row and column from 0",
        ),
        (mixed.own_first, "where the side to move is 1, the other is -1, an empty square is 0; moves: row and column"),
        (mixed.always_o, "flat list, where X is 'X', O is 'O', an empty square is ' '; moves"),
        (mixed.with_number_of_player, "player: as 1/-1"),
        (mixed.numbered_empties, "an empty square is its number from 1"),
        (mixed.new_board, "moves: the board after the move"),
        (mixed.column_then_row, "moves: column and row from 0"),
        (mixed.aima, "board: AIMA state; moves: row and column from 1"),
        (mixed.Told, "board: AIMA state;"),
        (mixed.kaggle, "board: Kaggle observation"),
        (mixed.pettingzoo, "board: PettingZoo observation; moves: the number of a square, column by column"),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_the_convention_is_told_in_words(engine: Callable[..., Any], words: str) -> None:
    assert words in asked(engine)[0]


@pytest.mark.slow
def test_an_engine_that_knows_one_side_only_is_asked_as_it_stands() -> None:
    answers = asked(mixed.always_o)[1]
    as_o = [place for place, position in enumerate(POSITIONS) if position.to_move == "O"]
    assert keeps_values([answers[place] for place in as_o], [POSITIONS[place] for place in as_o])
    assert not keeps_values(answers)


@pytest.mark.slow
@pytest.mark.parametrize("engine", [mixed.with_value, mixed.state_depth_player])
def test_whose_the_stated_values_are_is_told_by_positions_that_are_won_on_the_spot(engine: Callable[..., Any]) -> None:
    values = verify(engine, THREE, at=[p.board for p in POSITIONS], workers=1).values
    assert values is not None
    assert (values.perspective, values.agreement, values.positions) == ("X", 1, len(POSITIONS))


@pytest.mark.slow
def test_what_plays_in_a_file_or_module_is_found_by_its_name() -> None:
    for engine in (str(AGENTS / "course.py"), course, "tests.verification.agents.course:minimax"):
        with open_engine(engine, THREE, options=ONE_WORKER) as tested:
            late = [p for p in POSITIONS if p.ply > 4]
            for position, answer in zip(late, tested.ask(late), strict=True):
                assert answer.move is not None
                assert -negamax(position.play(answer.move)) == negamax(position)


def test_helpers_speak_in_our_terms() -> None:
    ended = Position.parse(THREE, "XXX/OO./...")
    with open_engine(str(AGENTS / "course.py") + ":minimax", THREE, options=ONE_WORKER) as tested:
        helpers = tested.helpers()
        start = Position.start(THREE)
        assert helpers["winner"]([start, ended]) == [None, "X"]
        assert helpers["terminal"]([start, ended]) == [False, True]
        assert helpers["utility"]([start, ended]) == [0, 1]
        assert helpers["player"]([start, start.play(0)]) == ["X", "O"]
        assert helpers["actions"]([start.play(0)]) == [frozenset(range(1, 9))]
        assert {*helpers} == {"winner", "terminal", "utility", "player", "actions"}


def test_options_settle_what_can_not_be_told() -> None:
    options = AskOptions(board="flat list", marks="x,o,.", moves="number", workers=1)
    with open_engine(lambda board: board.index(".") + 1, THREE, options=options) as tested:
        assert tested.convention == (
            "board: flat list, where X is 'x', O is 'o', an empty square is '.'; "
            "moves: the number of a square, row by row from 1"
        )
        assert [answer.move for answer in tested.ask([Position.start(THREE).play(0)])] == [1]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (AskOptions(board="cube"), "--board 'cube' is unknown"),
        (AskOptions(moves="shouted"), "--moves 'shouted' is unknown"),
        (AskOptions(marks="X,O"), "marks 'X,O' can't be read"),
    ],
)
def test_an_unknown_option_is_refused(options: AskOptions, said: str) -> None:
    with pytest.raises(EngineError, match=said):
        open_engine(mixed.flat_list, THREE, options=options)


def test_other_boards_and_drops() -> None:
    def drop(grid: list[list[int]]) -> int:
        return next(column for column in range(4) if grid[0][column] == 0)

    with open_engine(drop, parse_game("4,4,4,gravity"), options=ONE_WORKER) as tested:
        assert "the number of a column, from 0" in tested.convention
        assert [a.move for a in tested.ask([Position.start(tested.rules)])] == [12]
    with open_engine(lambda board: [*board].index("."), parse_game("2,5,3"), options=ONE_WORKER) as tested:
        assert [a.move for a in tested.ask([Position.from_moves(tested.rules, [0, 1, 2])])] == [3]


@pytest.mark.slow
def test_ours_are_asked_by_their_own_interface() -> None:
    _, answers = asked("alphabeta")
    assert keeps_values(answers)


@pytest.mark.slow
def test_an_engine_of_chance_answers_a_question_alike_whenever_it_is_asked() -> None:
    start = Position.start(THREE)
    for engine in (faulty.by_chance, "random"):
        with open_engine(engine, THREE, options=AskOptions(repeat=6, workers=2)) as tested:
            first, *rest = tested.ask([start, *[start.play(move) for move in range(9)]])
        with open_engine(engine, THREE, options=AskOptions(repeat=6, workers=1)) as tested:
            again = tested.ask([start])[0].others
        moves = [answer.move for answer in first.others]
        assert [answer.move for answer in again] == moves
        assert len({first.move, *moves}) > 1
        assert all(other.failure is None for answer in rest for other in answer.others)


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("engine", "said"),
    [
        ("nowhere.py:f", "There is no file"),
        (str(AGENTS / "mixed.py") + ":nothing", "There is no 'nothing' in .*mixed.py"),
        ("no_such_module_here", "No module named 'no_such_module_here'"),
        ("what is this?", "is no engine"),
        ("random:speed=9", "speed"),
        (3, "is no engine"),
        (lambda board, colour_of_the_sky, mood: 0, "asks for 'mood', which we can't give"),
        (lambda board: None, "No way was found to ask the engine for a move"),
    ],
    ids=["no file", "no name", "no module", "no words", "no option", "a number", "an unknown argument", "no answer"],
)
def test_what_can_not_be_asked_is_refused_with_a_reason(engine: Any, said: str) -> None:
    with pytest.raises(EngineError, match=said):
        open_engine(engine, THREE, options=AskOptions(seconds_per_move=0.3, workers=1))


def test_a_file_that_plays_when_it_is_loaded_is_told_how_not_to(tmp_path: Path) -> None:
    file = tmp_path / "game.py"
    file.write_text("square = int(input())\n", encoding="utf-8")
    with pytest.raises(EngineError, match=r"Nothing in game .*only its definitions; left out: line 1\)"):
        open_engine(str(file), THREE)


def test_an_engine_runs_in_its_own_folder(tmp_path: Path) -> None:
    (tmp_path / "book.txt").write_text("876543210", encoding="utf-8")
    (tmp_path / "pages.py").write_text("book = open('book.txt').read()\n", encoding="utf-8")
    (tmp_path / "reader.py").write_text(
        "import pages\ndef choose(board):\n    return next(int(s) for s in pages.book if board[int(s)] == ' ')\n",
        encoding="utf-8",
    )
    with open_engine(str(tmp_path / "reader.py"), THREE, options=ONE_WORKER) as tested:
        assert tested.ask([Position.start(THREE)])[0].move == 8


@pytest.mark.parametrize("late", [{0}, {0, 1, 2, 3}, {*range(6, 20)}])
def test_what_came_too_late_once_changes_no_reading(late: set[int]) -> None:
    asked: list[tuple[Convention, Position]] = []

    def ask(questions: Sequence[tuple[Convention, Position]]) -> list[Reply | Answer]:
        return [reply(*question) for question in questions]

    def reply(convention: Convention, position: Position) -> Reply | Answer:
        asked.append((convention, position))
        if len(asked) - 1 in late:
            return Answer(None, Failure.TIMEOUT, "no answer within 0.4 s")
        try:
            return Reply([*convention.layout.write(position)].index(" "))
        except (ValueError, TypeError) as error:
            return Reply(None, error=repr(error))

    found = detect_convention(ask, Signature((Argument("board", "board"),)), THREE, Fixed())
    assert found.convention.describe().startswith("board: flat list, where X is 'X', O is 'O', an empty square is ' '")
    assert not found.notes


def lowest_free_bit(x_bits: int, o_bits: int) -> int:
    free = ~(x_bits | o_bits) & 511
    return free & -free


@pytest.mark.slow
def test_a_bit_is_a_move_where_the_board_is_of_bits() -> None:
    convention, answers = asked(lowest_free_bit)
    assert "moves: a bitboard of the square" in convention
    assert [answer.move for answer in answers] == [position.legal_moves[0] for position in POSITIONS]


def never_legal_and_half_silent(board: list[str]) -> str:
    if board.count(" ") % 2:
        raise ValueError("no move")
    return "?"


@pytest.mark.slow
def test_a_reading_without_a_legal_reply_is_refused_with_what_came() -> None:
    with pytest.raises(EngineError, match=r"No way was found .* it returned '\?'"):
        asked(never_legal_and_half_silent)
