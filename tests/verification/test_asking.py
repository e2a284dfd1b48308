"""How engines are called: stated conventions, the profiles, files, and what depends on more than the board."""

import json
import os
import random
import shlex
import shutil
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from solver.errors import EngineError, GraderError
from solver.game.games import parse_game
from solver.game.position import Position
from solver.verification import find_engine
from solver.verification.convention import PROFILES, Convention
from solver.verification.find_engine import find_files, list_hidden
from solver.verification.sandbox import NoSandbox
from solver.verification.verify import Report, verify
from tests.verification.conftest import Write
from tests.verification.fakes import THREE
from tests.verification.makers import MINIMAX, assert_exact, boards
from tests.verification.referee import THREE as GAME

AT = boards(GAME, random.Random(3).sample(GAME.live, 120))
PERFECT = f"{MINIMAX}\n\ndef choose(cells, side):\n    return perfect(cells, side)\n"
FIRST_FREE = "def best_move(board):\n    return board.index(' ')\n"
FLAT = {"board": "flat", "marks": "X,O,space", "player": "none", "moves": "index"}


def asked(spec: object, game: str = "3,3,3", **options: Any) -> Report:
    return verify(spec, game, **{"at": AT, **options})


# Stated conventions


@pytest.mark.parametrize(
    ("stated", "options"),
    [
        ({"board": "rows", "marks": "X,O,None", "player": "none", "moves": "row,column"}, ""),
        ({"board": "flat", "marks": "X,O, ", "player": "mark", "moves": "index"}, "--marks X,O,space"),
        ({"board": "flat", "marks": "X,O,''", "player": "0,1", "moves": "name"}, "--player 0,1"),
        ({"board": "flat", "marks": (1, -1, 0), "player": ["a", "b"], "moves": "board"}, "--marks 1,-1,0 --player a,b"),
        ({"board": "flat", "marks": "1.5,True,'1'", "player": "mark", "moves": "index from 1"}, "'index from 1'"),
        ({"board": "flat", "marks": ("1", "2", "0"), "player": ("none", "mark"), "moves": "index"}, ""),
        ({"board": "flat", "marks": (",", "'", '"'), "player": ("space", " a\n"), "moves": "index"}, ""),
        ({"board": "flat", "marks": ("$(x)", "a b", ""), "player": ("\\", "\x00"), "moves": "index"}, ""),
        ({"profile": "simple"}, "--board flat --marks X,O,space --player none --moves index"),
        ({"profile": "cs50"}, "--board rows --marks X,O,None --player none --moves row,column"),
        ({"profile": "kaggle"}, "--profile kaggle"),
        ({"profile": "kaggle", "moves": "index from 1"}, "--profile kaggle --moves 'index from 1'"),
    ],
)
def test_a_stated_convention_is_printed_as_equivalent_options(stated: dict[str, Any], options: str) -> None:
    found = Convention.read(stated, THREE)
    assert found.is_whole
    assert options in found.write()
    words = shlex.split(found.write())
    again = dict(zip((word.removeprefix("--") for word in words[::2]), words[1::2], strict=True))
    assert Convention.read(again, THREE) == found


@pytest.mark.parametrize(
    "stated",
    [
        {"board": "cube"}, {"marks": "X,O"}, {"marks": "X,X,."}, {"player": "X"}, {"moves": "maybe"},
        {"profile": "cs51"}, {"moves": "column from 1"}, {"moves": "column"}, {"marks": [["X"], "O", "."]},
        {"board": ["rows"]}, {"marks": ("X", "O", float("nan"))}, {"marks": "X,O,1e999"},
    ],
)  # fmt: skip
def test_unreadable_conventions_are_not_the_engines_fault(stated: dict[str, Any], write: Write) -> None:
    with pytest.raises(GraderError):
        asked(write(FIRST_FREE), **stated)


def test_a_board_without_rows_has_no_pairs(write: Write) -> None:
    with pytest.raises(GraderError, match="no rows and columns"):
        verify(write(FIRST_FREE), parse_game("fano"), board="rows")


def test_neither_the_program_nor_the_project_states_a_convention(write: Write, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.mnk.verify]\nboard = 'flat'\npoints = 20\n", encoding="utf-8")
    spec = write(f"MNK = {FLAT!r}\n{FIRST_FREE}")
    with pytest.raises(GraderError, match="is not stated"):
        asked(spec)
    assert asked(spec, **FLAT).most_points == 100


@pytest.mark.parametrize("name", ["time", "budget", "points", "sample"])
def test_a_number_that_is_none_is_refused_and_never_the_default(name: str) -> None:
    wrong: list[object] = [0, -1, float("nan"), float("inf"), "2", True]
    for value in [*wrong, 2.5] if name == "sample" else wrong:
        options: Any = {**FLAT, name: value}
        with pytest.raises(GraderError, match=f"The option {name} is"):
            verify(lambda board: board.index(" "), "3,3,3", **options)


FORMS: list[tuple[dict[str, Any], str]] = [
    ({"board": "flat", "marks": "1,2,0", "player": "own", "moves": "index"},
     "assert board.count(1) - board.count(2) in {0, -1}\n    return board.index(0)"),
    ({"board": "flat", "marks": "1,2,0", "player": "own", "moves": "board"},
     "return [1 if at == board.index(0) else mark for at, mark in enumerate(board)]"),
    ({"board": "flat", "marks": "X,O,0..", "moves": "index"},
     "return next(mark for at, mark in enumerate(board) if mark == at)"),
    ({"board": "rows", "marks": "X,O,1..", "moves": "index from 1"},
     "return min(mark for row in board for mark in row if type(mark) is int)"),
    ({"board": "flat", "marks": "X,O,'1'..", "moves": "index from 1"},
     "return next(mark for at, mark in enumerate(board, 1) if mark == str(at))"),
    ({"board": "flat from 1", "marks": "X,O,space", "moves": "index from 1"},
     "assert len(board) == 10 and board[0] == ' '\n    return board.index(' ', 1)"),
    ({"board": "flat", "marks": "X,O,space", "moves": "index from 1", "order": "rows from the bottom"},
     "keys = 7, 8, 9, 4, 5, 6, 1, 2, 3\n    return next(key for key in keys if board[key - 1] == ' ')"),
    ({"board": "rows", "marks": "X,O,space", "moves": "row,column", "order": "rows from the bottom"},
     "return next((r, c) for r in (2, 1, 0) for c in range(3) if board[r][c] == ' ')"),
    ({"board": "rows", "marks": "X,O,space", "moves": "column,row", "order": "columns"},
     "return next((c, r) for r in range(3) for c in range(3) if board[c][r] == ' ')"),
    ({"board": "flat", "marks": "X,O,space", "moves": "board", "order": "columns from the bottom"},
     "at = next(at for at in (2, 5, 8, 1, 4, 7, 0, 3, 6) if board[at] == ' ')\n"
     "    board[at] = 'XO'[sum(mark != ' ' for mark in board) % 2]"),
]  # fmt: skip
"""Conventions, and the body of an engine that plays the first empty square under them."""


@pytest.mark.sampled
@pytest.mark.parametrize(("stated", "body"), FORMS)
def test_own_marks_numbered_squares_and_orders_of_squares_can_be_stated(
    stated: dict[str, Any], body: str, write: Write
) -> None:
    report = asked(write(f"def best_move(board):\n    {body}\n"), at=AT[:40], **stated)
    assert_exact(report, GAME, GAME.first)
    assert all(f"--{name}" in report.convention for name in stated)


@pytest.mark.slow
def test_a_row_0_at_the_bottom_is_where_stones_fall(write: Write) -> None:
    source = "def best_move(board):\n    return next((0, c) for c in range(7) if board[0][c] == 0)\n"
    stated: Any = {"board": "rows", "marks": "1,2,0", "player": "none", "moves": "row,column"}
    stated["order"] = "rows from the bottom"
    [verdict] = verify(write(source), "6,7,4,gravity", at="start", **stated).verdicts
    assert verdict.answer.move == 35


@pytest.mark.parametrize(
    ("source", "stated"),
    [
        ("def best_move(board, player):\n    return 0\n", FLAT),
        ("def best_move(board):\n    return 0\n", {**FLAT, "player": "mark"}),
        ("def player(game):\n    return 0\n", {"profile": "aima"}),
        ("def act(observation, agent):\n    return 0\n", {"profile": "pettingzoo"}),
    ],
)
def test_another_number_of_arguments_than_stated_is_refused(source: str, stated: dict[str, Any], write: Write) -> None:
    """It is no fault in every position: nothing is graded, and there are no points to lose."""
    with pytest.raises(GraderError, match=r"takes . arguments?, and its stated convention"):
        asked(write(source), **stated)


TENSOR = """
class Tensor:
    def __init__(self, value):
        self.value = value
    def size(self):
        return (1,)
    def NAME(self):
        return self.value

def best_move(board):
    return {"move": Tensor(board.index(" ")), "value": VALUE}
"""


@pytest.mark.sampled
@pytest.mark.parametrize("name", ["tolist", "item", "numpy"])
def test_a_number_of_another_package_is_read(name: str, write: Write) -> None:
    source = TENSOR.replace("NAME", name)
    assert_exact(asked(write(source.replace("VALUE", "None")), **FLAT), GAME, GAME.first)
    values = "(float('nan'), float('inf'), 'high')[board.count(' ') % 3]"
    report = asked(write(source.replace("VALUE", values)), **FLAT)
    assert_exact(report, GAME, GAME.first)
    assert "120 stated values left out, because they are not finite numbers" in report.notes


def test_a_file_named_numpy_beside_an_engine_does_no_harm(write: Write) -> None:
    write("", "numpy.py")
    assert_exact(asked(write("import numpy\n" + FIRST_FREE), **FLAT), GAME, GAME.first)
    first = "def best_move(board):\n    return board.ravel().tolist().index(0)\n"
    stated: Any = {"board": "array", "marks": "1,2,0", "player": "none", "moves": "index"}
    assert_exact(asked(write(first), **stated), GAME, GAME.first)


def test_a_score_needs_a_position_where_a_move_can_err(write: Write) -> None:
    report = asked(write(FIRST_FREE), at="start", **FLAT)
    assert report.passed
    assert "score                          ?  (no move can err" in str(report)
    assert [report.json()[name] for name in ("score", "points")] == [None, None]
    assert "score" not in json.loads(report.format("gradescope"))


@pytest.mark.slow
def test_a_report_says_that_an_engine_is_not_reproducible(write: Write) -> None:
    source = "from os import urandom\ndef best_move(board):\n"
    source += "    return max(range(9), key=lambda square: (board[square] == ' ', urandom(4)))\n"
    note, *_ = verify(write(source), "3,3,3", sample=60, **FLAT).notes  # type: ignore[arg-type]
    assert note.startswith("not reproducible: asked again in 20 positions")  # by chance, another convention may fit too
    [note] = verify(write(FIRST_FREE), "3,3,3", sample=60, **FLAT).notes  # type: ignore[arg-type]
    assert "not reproducible" not in note


# Files


def test_a_file_is_imported_as_python_does(write: Write, tmp_path: Path) -> None:
    """Its own solver.py, a module beside it, and its package are found."""
    write("def first(board):\n    return board.index(' ')\n", "solver.py")
    write("import solver\ndef best_move(board):\n    return solver.first(board)\n")
    assert_exact(asked("agent.py", **FLAT), GAME, GAME.first)
    write("def first(board):\n    return board.index(' ')\n", "package/helper.py")
    write("", "package/__init__.py")
    write("from .helper import first as best_move\n", "package/engine.py")
    assert_exact(asked("package/engine.py", **FLAT), GAME, GAME.first)
    assert_exact(asked("package.engine", **FLAT), GAME, GAME.first)
    write("class Engine:\n    def best_move(self, board):\n        return board.index(' ')\n", "made.py")
    for name in ("made.py:Engine", "made.py:Engine.best_move"):
        assert_exact(asked(name, **FLAT), GAME, GAME.first)


def test_an_object_of_this_process_is_called_in_forks() -> None:
    class Engine:
        asked = 0

        def best_move(self, board: list[str]) -> int:
            Engine.asked += 1
            return board.index(" ")

    for engine in (Engine, Engine(), Engine().best_move, lambda board: board.index(" ")):
        assert_exact(asked(engine, **FLAT), GAME, GAME.first)
    assert Engine.asked == 0


def test_draws_follow_from_the_seed(write: Write) -> None:
    draws = "import random\ndef best_move(board):\n"
    draws += "    return random.choice([s for s in range(9) if board[s] == ' '])\n"
    moves = [[verdict.answer.move for verdict in asked(write(draws), seed=seed, **FLAT).verdicts] for seed in (1, 1, 2)]
    assert moves[0] == moves[1] != moves[2]


def test_of_other_engines_the_folder_is_hidden_unless_an_engine_needs_it(write: Write, tmp_path: Path) -> None:
    names = ["ada.py", "bert.py", "dan/main.py", "bots/__init__.py", "bots/eve/__init__.py", "bots/eve/play.py"]
    files = {name: [Path(write("", name))] for name in names[:4]}
    (tmp_path / "bots" / "eve").mkdir()
    files |= {name: [Path(write("", name))] for name in names[4:]}
    others = [file for name in ("ada.py", "dan/main.py", "bots/eve/play.py") for file in files[name]]
    cached, hidden = str(tmp_path / "__pycache__"), [*map(str, others)]
    folders = [str(tmp_path / "dan"), str(tmp_path / "bots")]
    assert list_hidden(files["ada.py"], others) == folders
    assert list_hidden(files["bert.py"], others) == [hidden[0], cached, *folders]
    assert list_hidden([], others) == [hidden[0], cached, *folders]  # a module of the current folder
    assert list_hidden(files["bots/eve/play.py"], others) == [hidden[0], cached, folders[0]]
    assert list_hidden(files["bots/__init__.py"], others)[3:] == [hidden[2], str(tmp_path / "bots/eve/__pycache__")]
    assert find_files(f"cmd:{sys.executable} ada.py x") == files["ada.py"]
    assert find_files("bots.eve.play:best_move") == files["bots/eve/play.py"]
    assert find_files("http://localhost:1") == []


def test_numpy_that_is_missing_is_not_the_engines_fault(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(find_engine, "find_spec", lambda _: None)
    for stated in ({**FLAT, "board": "array"}, {"profile": "pettingzoo"}):
        with pytest.raises(GraderError, match="needs NumPy, which is missing"):
            asked(write(FIRST_FREE), **stated)


def test_a_file_named_solver_beside_an_engine_does_not_replace_the_position(write: Write) -> None:
    write("", "solver.py")
    source = "import solver\ndef best_move(position):\n    return position.legal_moves[0]\n"
    assert_exact(asked(write(source), board="position", moves="index"), GAME, GAME.first)


def test_nothing_is_graded_without_a_sandbox(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent))
    with pytest.raises(NoSandbox, match="bubblewrap"):
        asked(write(FIRST_FREE), sandbox=True)


# The profiles, each with a small engine as its source documents it

CS50 = """
X = "X"
O = "O"
EMPTY = None


def initial_state():
    return [[EMPTY, EMPTY, EMPTY], [EMPTY, EMPTY, EMPTY], [EMPTY, EMPTY, EMPTY]]


def minimax(board):
    return next((i, j) for i in range(3) for j in range(3) if board[i][j] == EMPTY)
"""
KAGGLE = """
def agent(observation, configuration):
    assert observation.mark == 1 + sum(cell != 0 for cell in observation["board"]) % 2
    assert configuration.inarow == K
    columns = configuration.columns if K == 4 else 9
    return next(c for c in range(columns) if observation.board[c] == 0)
"""
LAST = """
from random import choice

def agent(observation, configuration):
    return -1

def last(observation):
    return observation.board.index(0)
"""
"""Kaggle calls the last function of a file, with as many arguments as it takes."""

AIMA = """
def player(game, state):
    if game.terminal_test(state):
        raise ValueError
    after = [game.result(state, move) for move in game.actions(state)]
    assert all(one.to_move != state.to_move for one in after)
    assert all(game.utility(one, "X") in (-1, 0, 1) for one in after)
    return game.actions(state)[0]
"""
PETTINGZOO = """
def act(observation):
    assert observation["observation"].shape[2] == 2
    return int(observation["action_mask"].argmax())
"""


@pytest.mark.parametrize(
    ("profile", "source", "entry"),
    [
        ("cs50", CS50, ":minimax"), ("kaggle", KAGGLE, "agent.py"), ("aima", AIMA, ":player"),
        ("kaggle", LAST, "agent.py"), ("pettingzoo", PETTINGZOO, ":act"),
    ],
)  # fmt: skip
def test_a_profile_follows_the_documentation_of_its_source(profile: str, source: str, entry: str, write: Write) -> None:
    report = asked(write(source.replace("K", "3") if profile == "kaggle" else source), profile=profile)
    assert report.engine.endswith(entry)
    first = GAME.first
    if profile == "pettingzoo":  # which counts squares down the columns
        first = lambda cells: min(GAME.legal(cells), key=lambda square: (square % 3, square))  # noqa: E731
    assert_exact(report, GAME, first)
    assert {*PROFILES} == {"simple", "cs50", "kaggle", "aima", "pettingzoo"}


def test_an_agent_of_kaggle_may_copy_and_change_what_it_observes(write: Write) -> None:
    source = """
import copy

def agent(observation, configuration):
    mine = copy.deepcopy(observation)
    mine.board[0], mine.extra = 1, 2
    assert mine["extra"] == 2 and not hasattr(observation, "extra") and observation.board[0] != 1
    assert getattr(configuration, "unknown", 7) == 7 and configuration.agentTimeout == 60
    return observation.board.index(0)
"""
    assert_exact(asked(write(source), profile="kaggle", at=["O../.X./..."]), GAME, GAME.first)


@pytest.mark.parametrize("folder", ["ada", "J. Smith", "ttt-1.0.2", "json"])
def test_a_program_in_a_package_may_import_the_modules_beside_it(folder: str, write: Write) -> None:
    """It runs as `python agent.py` would, whatever its folder is called."""
    write("", f"{folder}/__init__.py")
    write("def first(board):\n    return board.index(' ')\n", f"{folder}/helper.py")
    spec = write("from helper import first\ndef best_move(board):\n    return first(board)\n", f"{folder}/agent.py")
    assert_exact(asked(spec, at=AT[:3], **FLAT), GAME, GAME.first)


@pytest.mark.parametrize("marks", [("red", "yellow", "-"), ("X", "O", 0), (1, -1, 0.5), ("x", "o", None)])
def test_an_array_has_the_same_type_in_every_position(marks: tuple[Any, ...], write: Write) -> None:
    source = f"""
def best_move(board):
    for row in range(3):
        for column in range(3):
            if board[row, column] in [{marks[2]!r}]:
                board[row, column] = {marks[1]!r}
                assert board[row, column] == {marks[1]!r}
                return row, column
"""
    stated: Any = {"board": "array", "marks": marks, "player": "none", "moves": "row,column"}
    assert_exact(asked(write(source), at=[".../.../...", "XO./.../..."], **stated), GAME, GAME.first)


@pytest.mark.parametrize(
    ("profile", "source"),
    [("kaggle", KAGGLE.replace("K", "4")), pytest.param("pettingzoo", PETTINGZOO, marks=pytest.mark.slow)],
)
def test_with_gravity_the_agents_of_connect_x_and_pettingzoo_answer_with_columns(
    profile: str, source: str, write: Write
) -> None:
    report = verify(write(source), "6,7,4,gravity", profile=profile, sample=2)
    assert all(verdict.answer.failure is None for verdict in report.verdicts)
    squares = [min(verdict.position.legal_moves, key=lambda square: square % 7) for verdict in report.verdicts]
    assert [verdict.answer.move for verdict in report.verdicts] == squares


def test_a_file_named_solver_beside_an_engine_does_not_replace_this_package(tmp_path: Path) -> None:
    (tmp_path / "solver.py").write_text("raise RuntimeError")
    (tmp_path / "agent.py").write_text("def best_move(position):\n    return position.legal_moves[0]\n")
    report = verify(f"{tmp_path}/agent.py", "3,3,3", board="position", player="none", moves="index", at="start")
    assert report.passed


def test_a_module_and_its_packages_are_imported_only_in_the_process_of_the_engine(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise the code of its packages would run outside the sandbox. Installed packages come first."""
    write("import os\nopen(f'ran{os.getpid()}', 'w').close()\n", "agents/__init__.py")
    write(FIRST_FREE, "agents/one.py")
    write("raise SystemExit\n", "click.py")
    write("import click\n" + FIRST_FREE, "two.py")
    monkeypatch.chdir(tmp_path)
    stated: Any = FLAT
    for engine in ("agents.one", "two:best_move"):
        assert_exact(verify(engine, "3,3,3", at=AT[:5], **stated), GAME, GAME.first)
    assert [*tmp_path.glob("ran*")]
    assert not (tmp_path / f"ran{os.getpid()}").exists()
    with pytest.raises(EngineError, match=r"There is no engine 'agents\.three'"):
        verify("agents.three", "3,3,3")


# What depends on more than the board


@pytest.mark.sampled
@pytest.mark.parametrize("head", ["(board, player='X')", "(board, *, player='X')"])
def test_a_report_names_a_parameter_that_the_function_was_not_given(head: str, write: Write) -> None:
    spec = write(f"def best_move{head}:\n    return board.index(' ')\n")
    [note] = asked(spec, **FLAT).notes
    assert note.startswith("the function also takes player, which it was not given")
    with pytest.raises(GraderError, match="also takes player, which this command does not give it"):
        asked(spec)


def test_a_second_argument_may_be_the_opponent(write: Write) -> None:
    with pytest.raises(GraderError, match="the second argument is the mark of the opponent") as refused:
        asked(write("def best_move(board, opponent):\n    return board.index(' ')\n"))
    assert all(f"--marks X,O,space --player {player} --moves" in str(refused.value) for player in ("mark", "O,X"))


def test_a_report_doubts_a_second_argument_that_changes_nothing(write: Write) -> None:
    """The wrong values of a player, and a depth that is given the player."""
    spec = write("def best_move(board, is_x):\n    return board.index(' ') if is_x else 0\n")
    stated: Any = {"board": "flat", "marks": "X,O,space", "moves": "index"}
    report = verify(spec, "3,3,3", player="mark", sample=40, **stated)
    assert any("its moves do not depend on the second argument" in note for note in report.notes)
    with pytest.raises(GraderError, match="such as --player True,False"):
        asked(spec, **stated)
    deep = write("def best_move(board, depth=9):\n    return board.index(' ')\n")
    report = verify(deep, "3,3,3", player="mark", sample=40, **stated)
    assert any(note.startswith("the optional argument depth was given the side to move") for note in report.notes)


@pytest.mark.parametrize(
    ("head", "mine", "stated", "better"),
    [
        ("(board, opponent)", "'X' if opponent == 'O' else 'O'", {}, "--player O,X"),
        ("(board, mark)", "mark.upper()", {}, "--marks x,o,space --player mark"),
        ("(board)", "'X'", {"player": "none"}, "--marks X,O,space --player own"),
        ("(board)", "'O'", {"player": "none"}, "--marks O,X,space --player own"),
    ],
)
def test_a_report_names_a_convention_under_which_the_engine_errs_less(
    head: str, mine: str, stated: dict[str, str], better: str, write: Write
) -> None:
    """The engine completes and blocks lines, if it knows its own mark."""
    spec = write(
        f"LINES = [(0,1,2),(3,4,5),(6,7,8),(0,3,6),(1,4,7),(2,5,8),(0,4,8),(2,4,6)]\ndef best_move{head}:\n"
        f"    mine, board = {mine}, [{'sign.upper() if sign.islower() else 0' if 'x,o' in better else 'sign'}\n"
        "        for sign in board]\n"
        "    def moves(mark):\n"
        "        return [at for line in LINES for at in line if board[at] not in ('X', 'O')\n"
        "            and sum(board[other] == mark for other in line) == 2]\n"
        "    theirs = 'XO'.replace(mine, '')\n"
        "    free = [at for at in (4, 0, 2, 6, 8, 1, 3, 5, 7) if board[at] not in ('X', 'O')]\n"
        "    return (moves(mine) + moves(theirs) + free)[0]\n"
    )
    options: Any = {"board": "flat", "marks": "X,O,space", "player": "mark", "moves": "index", "sample": 500, "seed": 1}
    report = verify(spec, "3,3,3", **{**options, **stated})
    noted = [note for note in report.notes if "where it errs now" in note]
    assert len(noted) == 1
    assert noted[0].startswith(f"with --board flat {better if '--marks' in better else '--marks X,O,space ' + better} ")


def test_no_other_convention_is_named_for_an_engine_of_a_profile(write: Write) -> None:
    """It knows its mark from the profile. This one plays well until it has answered fifty times."""
    spec = write(
        "LINES = [(0,1,2),(3,4,5),(6,7,8),(0,3,6),(1,4,7),(2,5,8),(0,4,8),(2,4,6)]\nasked = []\n"
        "def agent(observation, configuration):\n"
        "    asked.append(1)\n"
        "    mine, board = observation.mark, observation.board\n"
        "    free = [at for at in (4, 0, 2, 6, 8, 1, 3, 5, 7) if not board[at]]\n"
        "    lines = [at for mark in (mine, 3 - mine) for line in LINES for at in line if not board[at]\n"
        "        and sum(board[other] == mark for other in line) == 2]\n"
        "    return ((lines if len(asked) < 50 else []) + free)[0]\n"
    )
    report = verify(spec, "3,3,3", profile="kaggle", sample=500, seed=1)
    assert [note.partition(":")[0] for note in report.notes] == ["not reproducible"]


def test_a_report_doubts_a_convention_under_which_most_answers_fail(write: Write) -> None:
    spec = write("def best_move(board):\n    return board.index(' ') if board.count(' ') > 6 else None\n")
    report = verify(spec, "3,3,3", board="flat", marks="X,O,space", player="none", moves="index", sample=100, seed=3)
    assert [note for note in report.notes if "so it may expect another convention" in note]


def test_a_board_of_numbers_may_show_own_stones(write: Write) -> None:
    with pytest.raises(GraderError, match="with own, it marks the engine's own stones") as refused:
        asked(write("def best_move(board):\n    return min(range(9), key=lambda at: abs(board[at]))\n"))
    assert all(f"--marks 1,-1,0 --player {player} --moves" in str(refused.value) for player in ("none", "own"))


def test_a_board_of_numbers_needs_a_player(write: Write) -> None:
    spec = write("def best_move(board):\n    return board.index(0)\n")
    stated = {"board": "flat", "marks": "1,-1,0", "moves": "index"}
    with pytest.raises(GraderError, match="choose one") as refused:
        asked(spec, **stated)
    assert all(f"--marks 1,-1,0 --player {player} --moves" in str(refused.value) for player in ("none", "own"))
    assert asked(spec, player="own", **stated).counts == asked(spec, player="none", **stated).counts


def test_names_from_the_bottom_are_suggested_and_noted(write: Write) -> None:
    spec = write("def best_move(board):\n    at = board.index('-')\n    return 'abc'[at % 3] + '321'[at // 3]\n")
    order = "--order 'rows from the bottom'"
    with pytest.raises(GraderError, match=order):
        asked(spec)
    stated = {"board": "string", "marks": "X,O,-", "moves": "name"}
    assert any(f"legal with {order}" in note for note in asked(spec, **stated).notes)
    assert not asked(spec, order="rows from the bottom", **stated).counts["illegal"]


LEARNER = """
class Agent:
    def __init__(self):
        SETUP
        self.me = None
    def best_move(self, board):
        self.me = self.me or "XO"[board.count("X") > board.count("O")]
        return [at for at in range(9) if board[at] == " "][-(self.me == "X")]
"""


@pytest.mark.slow
def test_a_class_is_instantiated_anew_for_each_position(write: Write) -> None:
    """It learns its side at the first move of a game; an object that is slow to make is kept, and plays one side."""
    for name, setup in (("agent.py", ""), ("slow.py", "import time; time.sleep(0.2)")):
        spec = write(LEARNER.replace("SETUP", setup), name) + ":Agent"
        report = verify(spec, "3,3,3", sample=100, **FLAT)  # type: ignore[arg-type]
        assert report.notes == ()
        for verdict in report.verdicts:
            cells = verdict.position.cells
            empty = [at for at in range(9) if cells[at] == "."]
            assert verdict.answer.move == empty[-(verdict.position.to_move == "X")]


def test_one_core_is_asked_one_position_at_a_time(write: Write, tmp_path: Path) -> None:
    source = "import time\ndef best_move(board):\n    began = time.monotonic()\n    time.sleep(0.02)\n"
    source += f"    with open({str(tmp_path / 'log')!r}, 'a') as file:\n"
    source += "        file.write(f'{began} {time.monotonic()}\\n')\n"
    at = [one for side in "XO" for one in [one for one in AT if Position.parse(THREE, one).to_move == side][:15]]
    asked(write(f"{source}    return board.index(' ')\n"), at=at, **FLAT)
    lines = (tmp_path / "log").read_text().splitlines()
    calls = sorted((float(began), float(ended)) for began, ended in map(str.split, lines))
    assert all(before[1] <= after[0] for before, after in pairwise(calls))
    assert len(calls) == 30


def test_a_class_may_have_the_method_of_its_profile(write: Write) -> None:
    source = "class Policy:\n    def act(self, observation):\n        return int(observation['action_mask'].argmax())\n"
    assert not asked(write(source) + ":Policy", profile="pettingzoo").counts["exception"]


def test_paths_through_a_folder_above_are_resolved(write: Write, tmp_path: Path) -> None:
    write(FIRST_FREE, "a/agent.py")
    (tmp_path / "b").mkdir()
    for sandbox in (False, bool(shutil.which("bwrap"))):
        assert not asked(f"{tmp_path}/b/../a/agent.py", sandbox=sandbox, **FLAT).counts["exception"]
