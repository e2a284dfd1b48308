"""`mnk engines`, `mnk match`, `mnk experiments`."""

import json
import sys
from pathlib import Path
from types import ModuleType

import pytest

from solver.cli import experiments as experiments_command
from solver.course.experiments import Row
from solver.game.games import parse_game
from solver.game.position import Position
from solver.study.played import read_played_game
from tests.commands import TableFile, assert_refused, mnk
from tests.faulty_engines import installed_faulty_engines
from tests.verification.test_attacks import needs_sandbox

__all__ = ["installed_faulty_engines"]


# Engines


@pytest.mark.usefixtures("installed_faulty_engines")
def test_engines_are_listed_with_their_options() -> None:
    result = mnk("engines")
    assert result.exit_code == 0
    text = " ".join(result.stdout.split())
    assert "random Plays every legal move with the same probability. seed=none a whole number or none" in text
    assert "ties=fastest fastest or random or traps" in text
    assert "absent The engine absent (tests.faulty_engines_absent:Absent) can't be loaded: " in text


# Matches


@pytest.mark.slow
def test_an_exact_match() -> None:
    result = mnk("match", "3,3,3", "random", "random", "--swap")
    assert result.stderr == ""
    assert result.stdout.splitlines() == [
        "random against random on 3,3,3: the exact expectation",
        "",
        "engine                     wins          draws             losses  points a game",
        "random  as X  737/1260 (58.49%)  8/63 (12.70%)   121/420 (28.81%)         0.6484",
        "random  as O   121/420 (28.81%)  8/63 (12.70%)  737/1260 (58.49%)         0.3516",
        "random  both    55/126 (43.65%)  8/63 (12.70%)    55/126 (43.65%)         0.5000",
    ]


def test_a_match_of_games() -> None:
    result = mnk("match", "3,3,3", "random", "random:seed=1", "--games", "20")
    lines = result.stdout.splitlines()
    assert lines[0] == "random against random:seed=1 on 3,3,3: 20 games"
    assert " +- " in lines[3]


@pytest.mark.slow
def test_a_program_plays_and_its_failure_is_reported(tmp_path: Path) -> None:
    (tmp_path / "last.py").write_text(
        "while line := input().split()[0].replace('/', ''):\n"
        "    print('abc'[line.rindex('.') % 3] + str(line.rindex('.') // 3 + 1), flush=True)\n"
    )
    program = f"cmd:{sys.executable} {tmp_path / 'last.py'}"
    lines = mnk("match", "3,3,3", program, f"{program} again", "--games", "2", "--swap", "--json").stdout.splitlines()
    games = [json.loads(line) for line in lines[:-1]]
    assert [game["moves"] for game in games] == [["c3", "b3", "a3", "c2", "b2", "a2", "c1"]] * 2
    assert [game["x"] for game in games] == [program, f"{program} again"]
    result = mnk("match", "3,3,3", "cmd:false", "random", "--games", "2")
    assert result.exit_code == 1
    assert "2 games lost by a failure, the first: The engine cmd:false crashed: " in result.stdout
    game = json.loads(mnk("match", "3,3,3", "cmd:false", "random", "--games", "1", "--json").stdout.splitlines()[0])
    assert (game["winner"], game["moves"], "crash" in game["failure"]) == ("random", [], True)


def test_a_match_from_openings_on_a_large_board_is_kept_as_psq(tmp_path: Path) -> None:
    (tmp_path / "openings.txt").write_text("h8 i9\nh8 h9 j9\n")
    words = ["match", "15,15,5", "greedy", "random", "--games", "6", "--swap", "--seed", "1"]
    result = mnk(*words, "--openings", str(tmp_path / "openings.txt"), "--psq", str(tmp_path / "games"))
    assert "Elo difference: +446 (95 % interval: at least +77)" in result.stdout
    rules = parse_game("15,15,5")
    starts = []
    for number in range(1, 7):
        text = (tmp_path / "games" / f"{number}.psq").read_text(encoding="utf-8")
        assert text.startswith("Piskvorky 15x15, ")
        played = read_played_game(rules, text)
        assert played.positions[-1].is_over
        players = ["greedy", "random"] if number % 2 else ["random", "greedy"]
        assert text.splitlines()[-3:] == [*players, "0"]
        starts.append(text.splitlines()[1:4])
    assert starts[0][:2] == starts[1][:2] == starts[4][:2] == ["8,8,0", "9,9,0"]
    assert starts[2][:3] == starts[3][:3] == ["8,8,0", "8,9,0", "10,9,0"]
    assert_refused(mnk("match", "4,4,4,gravity", "random", "random", "--psq", str(tmp_path / "x")), 2, "PSQ")


def test_a_game_lost_by_a_failure_ends_with_the_code_of_an_error(tmp_path: Path) -> None:
    mnk("match", "3,3,3", "cmd:false", "random", "--games", "1", "--psq", tmp_path)
    assert (tmp_path / "1.psq").read_text(encoding="utf-8").splitlines()[1:] == ["cmd:false", "random", "-2"]


def test_a_file_without_openings_is_refused(tmp_path: Path) -> None:
    (tmp_path / "openings.txt").write_text("\n")
    refused = mnk("match", "3,3,3", "random", "random", "--openings", str(tmp_path / "openings.txt"))
    assert_refused(refused, 2, "has no openings; write one in each line")


def test_openings_of_gomocup_begin_games(tmp_path: Path) -> None:
    (tmp_path / "openings.txt").write_bytes(b"0,0, 1,0, 1,3\r\n-7,7, 7,-7, 0,1\r\n")
    words = ["greedy", "random", "--games", "4", "--swap", "--openings", str(tmp_path / "openings.txt"), "--json"]
    games = [json.loads(line) for line in mnk("match", "15,15,5", *words).stdout.splitlines()[:-1]]
    stones = ["moves:h8,i8,i11"] * 2 + ["moves:a15,o1,h9"] * 2
    assert [game["start"] for game in games] == [Position.parse(parse_game("15,15,5"), one).board for one in stones]


BRAIN = Path(__file__).parents[1] / "verification" / "agents" / "brain.py"


def test_a_brain_hears_the_clock_and_each_move_of_a_match(tmp_path: Path) -> None:
    """After its first move of a game, it hears only the other side's; RESTART comes before the next game."""
    words = [f"gomocup:{sys.executable} {BRAIN} {tmp_path / name}" for name in "ab"]
    mnk("match", "3,3,3", *words, "--games", "2", "--clock", "60")
    heard = (tmp_path / "a").read_text(encoding="utf-8").split("\n")
    limits = ["INFO timeout_turn 8000", "INFO game_type 1", "INFO rule 0"]
    moves = ["BEGIN", "TURN 1,0", "TURN 0,1", "TURN 2,1"]
    game = [line for move in moves for line in ("INFO timeout_match 60000", move)]
    hidden = ("INFO time_left", "INFO max_memory")
    assert [line for line in heard if line and not line.startswith(hidden)] == [
        "START 3", *limits, *game, "RESTART", *limits, *game,
    ]  # fmt: skip
    left = [int(line.split()[2]) for line in heard if line.startswith("INFO time_left")]
    assert left[0] == left[4] == 60000
    assert left == [*sorted(left[:4], reverse=True), *sorted(left[4:], reverse=True)]
    assert left[3] < 60000


def test_a_brain_hears_that_a_match_has_no_clock(tmp_path: Path) -> None:
    mnk("match", "3,3,3", "random", f"gomocup:{sys.executable} {BRAIN} {tmp_path / 'log'}", "--games", "1")
    heard = (tmp_path / "log").read_text(encoding="utf-8").splitlines()
    times = ["INFO timeout_match 0", "INFO time_left 2147483647"]
    assert all(heard[at - 2 : at] == times for at, line in enumerate(heard) if line.startswith(("BOARD", "TURN")))


def test_a_missing_engine_ends_a_round_robin_before_its_first_game(tmp_path: Path) -> None:
    words = ["random", "greedy", "cmd:nonexistent", "--games", "2", "--psq", str(tmp_path / "games")]
    assert_refused(mnk("match", "3,3,3", *words), 2, "there is no program 'nonexistent'")
    assert not [*(tmp_path / "games").iterdir()]


def test_a_program_out_of_time_for_its_game_loses(tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text(
        "import time\nwhile line := input().split()[0].replace('/', ''):\n    time.sleep(0.2)\n"
        "    print(line.index('.'), flush=True)\n"
    )
    words = ["match", "3,3,3", f"cmd:{sys.executable} {tmp_path / 'slow.py'}", "random", "--games", "2", "--swap"]
    result = mnk(*words, "--clock", "0.1")
    assert "2 games lost by a failure" in result.stdout
    assert result.exit_code == mnk(*words, "--clock", "0.1", "--json").exit_code == 1


@needs_sandbox
def test_no_engine_of_a_match_sees_another_in_a_sandbox(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each engine fails if it can read a file of another or a table, or import this package; it sees its own module."""
    plain = "def best_move(board):\n    return board.index(' ')\n"
    (tmp_path / "dan").mkdir()
    (tmp_path / "bots").mkdir()
    for name in ("ada.py", "dan/main.py", "dan/helper.py", "bots/bert.py"):
        (tmp_path / name).write_text(plain)
    (tmp_path / "helper.py").write_text("")
    (tmp_path / "table.sqlite").write_text("values")
    (tmp_path / "line.py").write_text(
        "for line in iter(input, ''):\n    print(line.replace('/', '').index('.'), flush=True)\n"
    )
    (tmp_path / "spy.py").write_text(
        "import helper, pathlib, sys\nhere = pathlib.Path(__file__).parent\n"
        "names = ['ada.py', 'line.py', 'dan/main.py', 'dan/helper.py', 'bots/bert.py', 'table.sqlite']\n"
        "seen = [name for name in names if (here / name).is_file() and (here / name).read_text()]\n"
        "try:\n    import solver.tablebase\n    seen.append('solver')\nexcept ImportError:\n    pass\n"
        "assert not seen, seen\n" + plain
    )
    monkeypatch.chdir(tmp_path)
    engines = ["spy.py", "ada.py", "dan/main.py", "bots.bert", f"cmd:{sys.executable} line.py"]
    result = mnk("match", "3,3,3", *engines, "--games", "1", "--sandbox", "--profile", "simple", "--data", ".")
    assert result.exit_code == 0, result.output
    assert result.stdout.endswith("0 pairs computed exactly, 10 games played.\n")


@pytest.mark.slow
def test_the_convention_and_the_limit_of_a_program_can_be_stated(tmp_path: Path) -> None:
    (tmp_path / "one.py").write_text(
        "import sys\nfor line in sys.stdin:\n    print(line.replace('/', '').index('.') + 1, flush=True)\n"
    )
    program = f"cmd:{sys.executable} {tmp_path / 'one.py'}"
    pair = [program, f"{program} again"]
    result = mnk("match", "3,3,3", *pair, "--games", "1", "--json", "--moves", "index from 1")
    assert json.loads(result.stdout.splitlines()[0])["moves"] == ["a1", "b1", "c1", "a2", "b2", "c2", "a3"]
    assert "returned '1', which is taken" in mnk("match", "3,3,3", *pair, "--games", "1").stdout
    assert_refused(mnk("match", "3,3,3", *pair, "--moves", "column"), 2, "has no gravity; state row,column")
    slow = ["cmd:sleep 9", "random", "--games", "1", "--time", "0.2"]
    assert "The engine cmd:sleep 9 gave no answer in time; " in mnk("match", "3,3,3", *slow).stdout
    played = mnk("play", "3,3,3", "--opponent", program, "--moves", "index from 1", typed="b2\nq\n")
    assert "plays O on a1" in played.stdout


@pytest.mark.parametrize("words", [["match", "3,3,3", "FILE", "random"], ["play", "3,3,3", "--opponent", "FILE"]])
def test_a_suggestion_is_the_options_to_add(words: list[str], tmp_path: Path) -> None:
    (tmp_path / "agent.py").write_text("def best_move(board):\n    return board.index(' ')\n")
    said = mnk(*(str(tmp_path / "agent.py") if word == "FILE" else word for word in words)).stderr
    assert "legal with these options; add them if they are right:\n  --board flat --marks X,O,space " in said
    assert "mnk verify" not in said


def test_a_match_as_json_lines() -> None:
    arguments = ["--games", "5", "--swap", "--seed", "9"]
    result = mnk("match", "3,3,3", "random", "random:seed=1", *arguments, "--json")
    *games, summary = [json.loads(line) for line in result.stdout.splitlines()]
    assert [game["x"] for game in games] == ["random", "random:seed=1"] * 2 + ["random"]
    assert (summary["game"], summary["seed"]) == ("3,3,3", 9)
    facts = summary["result"]
    assert facts["wins"] == sum(game["winner"] == "random" for game in games)
    assert facts["wins"] + facts["draws"] + facts["losses"] == 5
    assert facts["as_x"]["wins"] + facts["as_x"]["draws"] + facts["as_x"]["losses"] == 3


@pytest.mark.parametrize(
    ("arguments", "exit_code", "part"),
    [
        (["match", "3,3,3", "random", "alphabet"], 2, "There is no engine 'alphabet'; expected "),
        (["match", "3,3,3", "random:depth=1", "random"], 2, "no option 'depth'"),
        (["match", "3x3", "random", "random"], 2, "can't be read"),
        (["match", "4,5,4", "random", "perfect", "--data", "tests"], 3, "mnk build 4,5,4 --data tests"),
        (["match", "3,3,3", "random"], 2, "at least two engines"),
        (["match", "3,3,3", "random", "cmd:./a 'b"], 2, "has an unfinished quotation; close it"),
        (["match", "3,3,3", "random", "random", "random"], 2, "named twice"),
    ],
)
def test_errors_are_reported_in_one_line(arguments: list[str], exit_code: int, part: str) -> None:
    assert_refused(mnk(*arguments), exit_code, part)


# Round robins


@pytest.mark.slow
def test_a_round_robin_has_a_cross_table(table_file: TableFile) -> None:
    arguments = ["match", "3,3,3", "random", "perfect", "graded", "--data", str(table_file("3,3,3").parent)]
    result = mnk(*arguments)
    lines = result.stdout.splitlines()
    assert lines[0] == "Round robin of 3 engines on 3,3,3"
    assert lines[3].split()[:5:2] == ["1", "-", "0.950"]
    assert lines[5].split()[:3] == ["3", "random", "0.050"]
    assert lines[-1] == "3 pairs computed exactly, 0 games played."
    facts = json.loads(mnk(*arguments, "--json").stdout)["result"]
    assert [row["engine"] for row in facts["standings"]] == ["perfect", "graded", "random"]


# Experiments


def test_experiments_show_theirs_beside_ours_and_fail_if_they_differ(monkeypatch: pytest.MonkeyPatch) -> None:
    good = [Row("nodes", 22, 22), Row("wins", 63, 58, exact=False)]
    bad = [Row("value", 0, 0), Row("move", 4, 5)]
    monkeypatch.setattr(experiments_command, "NAMES", ("good", "bad"))
    for name, title, rows in (("good", "Counts", good), ("bad", "Moves", bad)):
        module = ModuleType(f"solver.course.{name}", title)
        monkeypatch.setattr(module, "run", lambda rows=rows: rows, raising=False)
        monkeypatch.setitem(sys.modules, module.__name__, module)
    result = mnk("experiments", "good")
    assert result.exit_code == 0
    assert result.stdout.splitlines()[:5] == [
        "good: Counts",
        "",
        "figure  theirs  ours",
        "nodes       22    22  same",
        "wins        63    58  another sample",
    ]
    result = mnk("experiments")
    assert result.exit_code == 1
    assert result.stderr == "Error: 1 figure different from the notebook, first bad: move.\n"
    assert "move         4     5  DIFFERS" in result.stdout
    assert mnk("experiments", "worse").exit_code == 2


@pytest.mark.parametrize("columns", [60, 80, 200])
def test_a_terminal_wraps_no_line_of_the_experiments_again(columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setattr(experiments_command, "NAMES", ("good",))
    row = Row("a long figure " * 5, "theirs " * 6, "ours " * 7, exact=False, note="a note " * 10)
    module = ModuleType("solver.course.good", "Good.")
    monkeypatch.setattr(module, "run", lambda: [row], raising=False)
    monkeypatch.setitem(sys.modules, module.__name__, module)
    assert max(map(len, mnk("experiments", "good").stdout.splitlines())) <= columns
