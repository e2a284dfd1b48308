"""`mnk query`."""

import json
import sys
from pathlib import Path
from subprocess import PIPE, run
from typing import Any
from unittest.mock import Mock, patch

import pytest

from solver.cli.query import _main_line
from solver.errors import Unsettled
from solver.game.games import parse_game
from solver.game.position import Position
from solver.store.advice import missing_table
from tests.commands import TableFile, assert_refused, mnk
from tests.conftest import ROOT

LOST = """\
3,3,3: 3 rows, 3 columns, 3 in a row

   a   b   c
1  X   O   L2
2  L2  X   L2
3  L2  L2  L4

On an empty square: a move there wins (W), draws (=) or loses (L); W3 wins in 3 plies.

O to move loses in 4 plies.
Best move: c3
Main line: c3 a2 c1 c2 (X wins)
"""


@pytest.fixture
def data(table_file: TableFile) -> Path:
    """A folder with the table of 3,3,3."""
    return table_file("3,3,3").parent


def asked(*arguments: str | Path) -> str:
    """Return the output of a query."""
    result = mnk("query", *arguments)
    assert (result.exit_code, result.stderr) == (0, "")
    return result.stdout


def asked_json(*arguments: str | Path) -> dict[str, Any]:
    """Return the JSON output of a query."""
    answer: dict[str, Any] = json.loads(asked(*arguments, "--json"))
    return answer


@pytest.mark.parametrize("words", [["XO./.X./..."], ["XO.", ".X.", "..."], ["a1", "b1", "b2"]])
def test_every_notation_gives_the_same_answer(words: list[str], data: Path) -> None:
    assert asked("3,3,3", *words, "--data", data) == LOST


def test_equally_good_moves_are_explained(data: Path) -> None:
    said = asked("3,3,3", "--data", data)
    assert said == asked("3,3,3", "start", "--data", data)
    assert "each draws.\nHardest to answer: a1, c1, a3 and c3, where 7 of 8 replies lose.\nMain line: a1 " in said
    assert said.endswith("(draw)\n")
    assert "Best moves: a1, c1, a3, c3\n" in asked("3,3,3", "b2", "--data", data)


def test_a_table_without_distances(table_file: TableFile) -> None:
    data = table_file("3,3,3", metric="wdl").parent
    answer = asked_json("3,3,3", "XO./.X./...", "--data", data)
    assert (answer["wdl"], answer["distance"]) == (-1, None)
    assert {move["distance"] for move in answer["moves"]} == {None}
    said = asked("3,3,3", "XO./.X./...", "--data", data)
    assert "a move there wins (W), draws (=) or loses (L).\n\nO to move loses.\n" in said


@pytest.mark.parametrize(
    ("game", "board", "said", "winner"),
    [
        ("3,3,3", "XXX/OO./...", "The game is over: X has won.", "X"),
        ("3,3,3", "OOO/XX./X..", "The game is over: O has won.", "O"),
        ("3,3,3", "XOX/XOO/OXX", "The game is over: a draw.", None),
        ("3,3,3,misere", "XXX/OO./...", "The game is over: O has won.", "O"),
    ],
)
def test_a_finished_game_has_its_result(
    game: str, board: str, said: str, winner: str | None, table_file: TableFile
) -> None:
    data = table_file(game).parent
    shown = asked(game, board, "--data", data)
    assert shown.endswith(f"\n\n{said}\n")
    assert ("(X) (X) (X)" in shown) == board.startswith("XXX")
    answer = asked_json(game, board, "--data", data)
    assert (answer["terminal"], answer["winner"], answer["moves"], answer["distance"]) == (True, winner, [], 0)
    assert answer["to_move"] is None
    mover = "XO"[answer["ply"] % 2]
    assert answer["wdl"] == (0 if winner is None else 1 if winner == mover else -1)


@pytest.mark.parametrize(
    ("position", "reason"),
    [
        ("XO./.X.", "has 6 squares, but the board of 3,3,3 has 9"),
        ("XX./.../...", "can't arise in play"),
        ("a1 a1", "a1 (square 0) is taken"),
    ],
)
def test_an_invalid_position_is_refused(position: str, reason: str, data: Path) -> None:
    assert_refused(mnk("query", "3,3,3", position, "--data", data), 2, reason)


def test_replies_that_hold_are_counted(data: Path) -> None:
    shown = asked("3,3,3", "start", "--replies", "--data", data)
    assert "a1  =  1 of 8 replies keeps the draw\n" in shown
    assert "b2  =  4 of 8 replies keep the draw\n" in shown
    answer = asked_json("3,3,3", "start", "--replies", "--data", data)
    assert [(move["name"], move["holding"], move["replies"]) for move in answer["moves"]][:2] == [
        ("a1", 1, 8),
        ("c1", 1, 8),  # as hard to answer as a1; b1 comes later
    ]
    assert "b2  W5  every reply loses\n" in asked("3,3,3", "a1 b1", "--replies", "--data", data)
    last = asked("3,3,3", "XOX/XOO/OX.", "--replies", "--data", data)
    assert "c3  =  the game is over\n" in last


def test_connect_four_is_searched_and_unsettled_positions_are_reported(tmp_path: Path) -> None:
    shown = mnk("query", "6,7,4,gravity", "165713352355467777", "--data", tmp_path).stdout
    assert "X to move wins in 19 plies." in shown
    assert shown.endswith("Source: search\n")
    refused = mnk("query", "7,8,4,gravity", "start", "--seconds", "0.01", "--data", tmp_path)
    assert_refused(refused, 3, "not settled", "; allow more time.")


def test_a_game_from_a_file_has_no_variants() -> None:
    result = mnk("query", str(ROOT / "data" / "examples" / "pappus.json"), "--variants")
    assert_refused(result, 2, "misere")


def test_a_stored_move_is_shown_without_the_compiler() -> None:
    query = "import sys\nfrom solver.cli import main\ntry:\n    main(['query', 'gomoku', 'h8 i9'])\n"
    code = f"{query}finally:\n    print(*sys.modules)"
    result = run([sys.executable, "-c", code], stdout=PIPE, text=True, check=True)
    text, _, modules = result.stdout.rpartition("Source: strategy\n")
    assert "X to move wins within 53 plies." in text
    assert "solver.search.strategies" in modules.split()
    assert "numba" not in modules.split()


def test_a_win_by_fours_is_shown_with_its_line() -> None:
    """The other moves are not searched."""
    shown = mnk("query", "15,15,5", "h8 a1 g8 a2 i8 a3", "--seconds", "60").stdout
    assert shown.endswith("not searched.\nMain line: f8 e8 j8 (X wins)\nSource: strategy\n")


def test_a_main_line_ends_where_a_move_is_not_settled() -> None:
    position = Position.start(parse_game("9,9,5"))
    truth = Mock(seconds=1, is_whole=False)
    truth.forced_line.return_value, truth.unsettled.return_value = [], Unsettled("late")
    truth.best_move.side_effect = [40, Unsettled("no")]
    assert _main_line(truth, position) == "e5 (the rest was not settled in time)"
    truth.best_move.side_effect = [40, 0]
    with patch("solver.cli.query.monotonic", side_effect=[0, 1, 99]):
        assert _main_line(truth, position) == "e5 (the rest was not settled in time)"


def test_a_file_of_positions_is_answered_line_by_line(table_file: TableFile, tmp_path: Path) -> None:
    data, file = table_file("3,3,3").parent, tmp_path / "positions.txt"
    file.write_text("start\n\nXO./.X./...\nXOX/XOO/X..\n", encoding="utf-8-sig")  # as some editors write it
    rows = mnk("query", "3,3,3", "--from", file, "--data", data).stdout.splitlines()
    assert [" ".join(row.split()) for row in rows] == [
        "position value best moves source",
        ".../.../... a draw a1 b1 c1 a2 b2 c2 a3 b3 c3 table",
        "XO./.X./... X wins in 4 plies c3 table",
        "XOX/XOO/X.. The game is over: X has won. rules",
    ]
    lines = mnk("query", "3,3,3", "--from", file, "--json", "--data", data).stdout.splitlines()
    assert [json.loads(line)["wdl"] for line in lines] == [0, -1, -1]
    file.write_text("start\nzzz\n")
    assert_refused(mnk("query", "3,3,3", "--from", file, "--data", data), 2, f"Line 2 of {file}: 'zzz' can't be read")
    file.write_text("d4\n")  # a position that a strategy holds
    held = mnk("query", "7,7,5", "--from", file, "--seconds", "0.1", "--data", data).stdout.splitlines()
    assert " ".join(held[1].split()[1:]).startswith("O holds")
    both = mnk("query", "3,3,3", "a1", "--from", file)
    assert (both.exit_code, "leave out POSITION" in both.stderr) == (2, True)


@pytest.mark.parametrize(
    ("words", "advice"),
    [
        (["6,7,4", "d", "d"], "the game in which stones drop is 6,7,4,gravity."),
        (["6,7,4", "??"], "its rows, such as 6 times '.......' with / between,"),
        (["mine.json,misere"], 'write the rule into the file, as "misere": true.'),
    ],
)
def test_a_likely_mistake_is_answered_with_the_remedy(words: list[str], advice: str) -> None:
    assert_refused(mnk("query", *words), 2, advice)


def test_squares_given_by_their_number_are_numbered_from_1(tmp_path: Path) -> None:
    (tmp_path / "eight.json").write_text('{"squares": 8, "lines": [[0, 1, 2]]}')
    assert_refused(mnk("query", tmp_path / "eight.json"), 2, "'0'", "squares are numbered from 1.")


@pytest.mark.parametrize("game", ["7,7,5", "6,6,4", "qubic"])
def test_a_finished_strategy_leaves_no_build_to_suggest(game: str, tmp_path: Path) -> None:
    message = str(missing_table(parse_game(game), tmp_path))
    assert "mnk build" not in message
