"""Conventions that are suggested, and engines that are refused."""

import re
import shlex
import sys
from pathlib import Path
from typing import Any

import pytest

from solver.errors import EngineError, GraderError
from solver.verification.verify import verify
from tests.verification.conftest import Write
from tests.verification.makers import MINIMAX, Form, assert_exact, run_mind, write_engine
from tests.verification.referee import THREE as GAME
from tests.verification.test_asking import AT, FIRST_FREE, FLAT, PERFECT, asked


def test_the_convention_that_fits_is_suggested_and_not_used(write: Write) -> None:
    """The options that it prints grade the engine; with them, the function's only argument needs no option."""
    with pytest.raises(GraderError, match="is not stated; state the options board") as refused:
        asked(write(FIRST_FREE))
    options = "--board flat --marks X,O,space --player none --moves index"
    assert options in str(refused.value)
    report = asked(write(FIRST_FREE), board="flat", marks="X,O,space", moves="index")
    assert report.convention == options
    assert_exact(report, GAME, GAME.first)


KNOWN: list[tuple[str, str]] = [
    ("return board.index(MARK)", "--board flat --marks X,O,MARK --player none --moves index"),
    ("return board.index(MARK) + 1", "--board flat --marks X,O,MARK --player none --moves 'index from 1'"),
    ("return next((r + 1, c + 1) for c in (2, 1, 0) for r in range(3) if board[r][c] == MARK)",
     "--board rows --marks X,O,MARK --player none --moves 'row,column from 1'"),
    ("board[board.index(MARK)] = 'XO'[sum(mark in ('X', 'O') for mark in board) % 2]",
     "--board flat --marks X,O,MARK --player none --moves board"),
]  # fmt: skip


@pytest.mark.sampled
@pytest.mark.parametrize(("body", "options"), KNOWN)
@pytest.mark.parametrize("mark", ["-", "_", ".", "0", None])
def test_a_known_form_is_suggested_as_the_one_command_that_fits(
    body: str, options: str, mark: object, write: Write
) -> None:
    with pytest.raises(GraderError, match="legal with this command") as refused:
        asked(write(f"def best_move(board):\n    {body.replace('MARK', repr(mark))}\n"))
    shown = shlex.quote("X,O,'0'") if mark == "0" else f"X,O,{mark}"
    assert f"agent.py:best_move {options.replace('X,O,MARK', shown)}\n" in str(refused.value)


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("marks", "body"),
    [
        ("'1'..", "return next(mark for mark in board if mark.isdigit())"),
        ("1..", "return min(mark for mark in board if isinstance(mark, int)) - 1"),
    ],
)
def test_numbered_squares_and_a_call_in_python_are_suggested(marks: str, body: str) -> None:
    scope: dict[str, Any] = {}
    exec(f"def best_move(board):\n    {body}\n", scope)
    with pytest.raises(GraderError, match="is not stated") as refused:
        asked(scope["best_move"])
    assert f"verify(best_move, '3,3,3', board='flat', marks=('X', 'O', {marks!r}), " in str(refused.value)
    assert "--" not in str(refused.value).partition("write a wrapper")[0]


@pytest.mark.slow
def test_a_second_argument_is_never_guessed(tmp_path: Path) -> None:
    """A perfect engine whose players are 0 and 1 would play as if X were always to move."""
    form = Form("rows", ("X", "O", " "), (0, 1), "row,column", unknown="#")
    spec = write_engine(tmp_path / "agent.py", form, PERFECT + "token = ['X', 'O']\n")
    partly: dict[str, Any] = {"board": "rows", "marks": "X,O,space", "moves": "row,column"}
    for stated in (partly, dict[str, Any]()):
        with pytest.raises(GraderError, match="is not stated"):
            asked(spec, **stated)
    assert asked(spec, **form.stated).wrong == 0


@pytest.mark.parametrize(
    "marks",
    [
        ("B", "W", " "), ("X", "O", None),
        *(pytest.param(marks, marks=pytest.mark.slow) for marks in (("x", "o", None), (1, 0, None), (0, 1, None))),
    ],
)  # fmt: skip
def test_a_suggestion_says_if_the_engine_seems_to_expect_other_marks(marks: tuple[Any, ...], tmp_path: Path) -> None:
    """Its moves are legal with X, O and None, but it does not recognize the stones."""
    form = Form("rows", (marks[0], marks[1], marks[2]), "none", "row,column", unknown="#")
    spec = write_engine(tmp_path / "agent.py", form, PERFECT)
    with pytest.raises(GraderError) as refused:
        asked(spec)
    suggested = str(refused.value).partition(f"--marks X,O,{'space' if marks[2] == ' ' else marks[2]} ")[2]
    assert ("may expect other marks" in suggested.partition("--board")[0]) == (marks != ("X", "O", None))


def test_small_letters_and_own_marks_are_suggested(tmp_path: Path) -> None:
    """Published minimax programs call themselves x and the other side o, whichever side they play."""
    form = Form("rows", ("x", "o", "_"), "none", "row,column", unknown="#")
    with pytest.raises(GraderError, match="with own, it marks the engine's own stones") as refused:
        asked(write_engine(tmp_path / "agent.py", form, PERFECT))
    assert "--board rows --marks x,o,_ --player none --moves row,column\n" in str(refused.value)


def test_an_engine_without_a_legal_move_is_not_graded(write: Write) -> None:
    """Its convention is probably wrong; in a few given positions, its failures are reported."""
    for body, advice in (
        ("return board[0][0].index(2)", "State another convention, or none for a suggestion"),
        ("return None", "it returned None, but .* State another"),
        (
            "return 1 + min(at for at in range(9) if board[at] == ' ') // 1 * 1.0 + 0.5",
            "returned .*5, but .* State another",
        ),
        ("return divmod(board.index(' '), 3)", "Its moves are legal with --moves row,column"),
    ):
        spec = write(f"def best_move(board):\n    {body}\n")
        with pytest.raises(
            GraderError, match=f"(?s)could not be graded: it gave no legal move in 120 positions.*{advice}"
        ):
            asked(spec, **FLAT)
        assert asked(spec, **{**FLAT, "at": AT[:3]}).wrong == 3  # type: ignore[arg-type]


def test_an_engine_that_learns_its_side_at_the_first_call_is_asked_as_one_side_by_each_process(write: Write) -> None:
    source = f"{MINIMAX}\nside = None\n\ndef best_move(board):\n    global side\n    cells = ''.join(board)"
    source += ".replace(' ', '.')\n    side = side or 'XO'[cells.count('X') > cells.count('O')]\n"
    report = verify(write(f"{source}    return perfect(cells, side)\n"), "3,3,3", **FLAT)  # type: ignore[arg-type]
    assert (report.passed, report.score, report.notes) == (True, 1, ())


def test_discs_and_a_row_0_at_the_bottom_are_suggested_with_gravity(write: Write) -> None:
    body = "min(at for at in range(5) if board[3][at] == '.')"
    spec = write(f"def best_move(board):\n    assert {{*sum(board, [])}} <= {{*'RY.'}}\n    return {body}\n")
    with pytest.raises(GraderError, match=r"--marks R,Y,\. .* column --order 'rows from the bottom'"):
        verify(spec, "4,5,4,gravity")


def test_a_program_that_gives_no_answer_is_not_graded_and_no_form_of_moves_is_advised() -> None:
    with pytest.raises(GraderError, match=r"no legal move in 120 positions.*It may not run on this machine") as refused:
        asked("cmd:false")
    assert "or expect other requests: a program" in str(refused.value)
    assert "--moves" not in str(refused.value)
    with pytest.raises(GraderError, match=r"Its output: .ModuleNotFoundError: No module named 'nothing_here'"):
        asked(f"cmd:{shlex.quote(sys.executable)} -c 'import nothing_here'")


@pytest.mark.slow
def test_a_caller_from_python_reads_no_option_of_the_command_line() -> None:
    """The notes of a report, and the errors with a convention, are for the language of the call."""

    def takes_player(board: list[str], player: bool) -> int:
        return board.index(" ")

    def optional(board: list[str], depth: int = 9) -> int:
        return board.index(" ")

    def pair(board: list[str]) -> tuple[int, int]:
        return divmod(board.index(" "), 3)

    def mixed(board: list[str]) -> object:
        return str(board.index(" ")) if board.count(" ") % 2 else board.index(" ") - (board.count(" ") == 6)

    def own(board: list[str]) -> int:
        return int(scope["perfect"]("".join(board).replace(" ", "."), "X"))

    scope: dict[str, Any] = {}
    exec(MINIMAX, scope)
    stated: Any = {"board": "flat", "marks": "X,O,space", "moves": "index"}
    said = []
    for refusing in (takes_player, pair):
        with pytest.raises(GraderError) as refused:
            verify(refusing, "3,3,3", **stated)
        said.append(str(refused.value))
    assert "such as player='True,False' or player='0,1'" in said[0]
    assert "Its moves are legal with moves='row,column'" in said[1]
    more: Any = {**stated, "sample": 60, "seed": 1}
    graded: list[tuple[Any, dict[str, Any]]] = [
        (takes_player, {"player": "mark"}), (optional, {"player": "mark"}), (optional, {"player": "none"}), (mixed, {}),
        (own, {"player": "none"}),
    ]  # fmt: skip
    for function, options in graded:
        report = verify(function, "3,3,3", **more, **options)
        said += [str(report), *report.notes, report.convention]
    assert "player='True,False'" in "".join(said)
    assert "state player='none'" in "".join(said)
    assert "such as player='mark'" in "".join(said)
    assert "board='flat', marks=('X', 'O', ' '), player='none', moves='index'" in said[-1]
    assert "with board='flat', marks=('X', 'O', ' '), player='own', moves='index' it keeps the value" in "".join(said)
    assert not [text for text in said if re.search(r"(?<!verify) --[a-z]", text)]


def test_a_report_says_that_an_engine_may_expect_other_marks(write: Write) -> None:
    report = verify(write(FIRST_FREE), "3,3,3", sample=40, seed=1, **FLAT)  # type: ignore[arg-type]
    assert any("exchanging the marks of X and O changes no move" in note for note in report.notes)
    spec = write(
        f"{MINIMAX}\n\ndef best_move(board):\n    side = 'XO'[board.count('X') > board.count('O')]\n"
        "    return perfect(''.join(board).replace(' ', '.'), side) if board.count(' ') < 8 else 1\n"
    )
    report = verify(spec, "3,3,3", seed=1, **FLAT)  # type: ignore[arg-type]
    assert (report.passed, report.notes) == (False, ())


def test_no_suggestion_is_cut_if_the_name_of_the_program_is_long(tmp_path: Path) -> None:
    path = tmp_path / ("long" * 60) / "agent.py"
    path.parent.mkdir()
    source = "def best_move(board):\n    return next(at for at, mark in enumerate(board) if mark not in ['X', 'O'])\n"
    path.write_text(source, encoding="utf-8")
    with pytest.raises(GraderError) as refused:
        verify(str(path), "3,3,3")
    commands = [line for line in str(refused.value).splitlines() if line.startswith("  mnk verify 3,3,3 /")]
    assert len(commands) == 6
    assert all("agent.py:best_move --board" in command for command in commands)


@pytest.mark.slow
def test_a_crash_on_a_pattern_is_not_hidden_by_other_marks(tmp_path: Path) -> None:
    body = "    assert not (cells[4] == 'O')\n    return perfect(cells, side)\n"
    mind = f"{MINIMAX}\n\ndef choose(cells, side):\n{body}"
    form = Form("flat", ("X", "O", " "), "none", "index", unknown="#")
    spec = write_engine(tmp_path / "agent.py", form, mind)
    with pytest.raises(GraderError, match=r"The nearest that was tried:\n  mnk verify 3,3,3 .* --board flat"):
        asked(spec)
    report = asked(spec, **form.stated)
    assert_exact(report, GAME, run_mind(mind, GAME))
    assert report.counts["exception"] > 0


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("best_move = 3\n", "can't be called"), ("def best_move():\n    return 3\n", "--template"),
        ("def best_move(a, b, c):\n    return 3\n", "--template"),
        ("def other(board):\n    return 3\n", "it defines other; name one"), ("", "it defines no function"),
        ("def best_move(board)\n    return 3\n", "SyntaxError"), ("raise KeyError('x')\n", "KeyError"),
        ("import nowhere_to_be_found\n", "ModuleNotFoundError"), ("import nowhere_to_be_found\n", "--template"),
        ("class TclError(Exception): ...\nraise TclError('no display')\n", "--template"),
        ("class Agent:\n    def __init__(self, mark): ...\nbest_move = Agent\n", "--template"),
        ("input()\n", "EOFError"),
        ("import sys; sys.exit(3)\n", "SystemExit"), ("import os; os._exit(3)\n", "exit code 3"),
    ],
)  # fmt: skip
def test_engines_that_cannot_be_called_are_refused(source: str, words: str, write: Write) -> None:
    with pytest.raises(EngineError, match=re.escape(words)):
        asked(write(source))


def test_a_suggestion_shows_what_was_asked_and_what_came_back(write: Write) -> None:
    last = "def best_move(board):\n    return max(column for column in range(7) if not board[0][column])\n"
    with pytest.raises(GraderError, match=r"passed \[\[.*, it plays [a-g][1-6]\n") as refused:
        verify(write(last), "6,7,4,gravity")
    assert "marks 1,2,0" in str(refused.value)
    with pytest.raises(GraderError, match="it raised ValueError"):
        asked(write("def best_move(board):\n    raise ValueError\n"))


@pytest.mark.slow
def test_engines_of_one_side_are_refused_with_the_option_that_grades_them(tmp_path: Path) -> None:
    mind = f"{MINIMAX}\n\ndef choose(cells, side):\n    assert side == 'O'\n    return perfect(cells, side)\n"
    form = Form("rows", ("X", "O", None), "none", "row,column")
    spec = write_engine(tmp_path / "agent.py", form, mind)
    with pytest.raises(GraderError, match="state the side O"):
        asked(spec)
    assert asked(spec, at=[one for one in AT if one.to_move == "O"], side="O", **form.stated).passed
    report = verify(spec, "3,3,3", **form.stated)
    assert (report.perfect_side, report.passed) == ("O", False)


@pytest.mark.parametrize("name", ["TicTacToe.cpp", "game.ipynb", "absent.py", "no_such_module_here", "cmd:no-such"])
def test_invalid_engines_are_refused_with_a_remedy(name: str, write: Write, tmp_path: Path) -> None:
    if "." in name and "absent" not in name:
        write("{}", name)
    with pytest.raises(EngineError, match=r"cmd:\./TicTacToe|--template|check the path|mnk engines|no program"):
        asked(name if ":" in name or "_" in name else str(tmp_path / name))
