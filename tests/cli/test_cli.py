"""The command line as a whole: help, errors and the folder of tables."""

import errno
import os
import re
import shutil
import signal
import subprocess
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import click
import pytest

from solver.cli import main
from solver.cli.running import handle_signals
from solver.errors import DamagedTable
from solver.store.schema import APPLICATION_ID, FORMAT
from tests.commands import PROCESS, TableFile, assert_refused, mnk
from tests.conftest import ROOT

ASKING = [["query", "3,3,3", "start"], ["play", "3,3,3"], ["draw", "3,3,3"], ["check", "3,3,3"]]


@pytest.fixture
def table(table_file: TableFile, tmp_path: Path) -> Path:
    """A table of 3,3,3 that a test may spoil."""
    copy = tmp_path / "mnk-3-3-3.sqlite"
    copy.write_bytes(table_file("3,3,3").read_bytes())
    return copy


def test_the_help_of_every_command_fits_80_columns_and_names_its_values(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    names = main.list_commands(click.Context(main))
    assert len(names) <= 22
    for words in ([], *([name] for name in names)):
        text = mnk(*words, "--help").stdout
        assert text.startswith(" ".join(["Usage: mnk", *words]))
        assert not [line for line in text.splitlines() if len(line) > 80], words
        assert not re.search(r"RANGE|INTEGER|FLOAT|\[[xX]\|[oO]\]|;\.\.\.", text), words
    assert all(f"  {name} " in mnk("--help").stdout for name in names)


@pytest.mark.parametrize("columns", [30, 40, 51])
def test_the_help_of_every_command_fits_a_narrow_terminal(columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only commands to paste may be longer than a line."""
    monkeypatch.setenv("COLUMNS", str(columns))
    for words in ([], *([name] for name in main.list_commands(click.Context(main)))):
        text = mnk(*words, "--help").stdout
        assert not [line for line in text.splitlines() if len(line) > columns and not line.startswith("  mnk ")], words


def test_an_unknown_command_is_refused() -> None:
    result = mnk("ask")
    assert result.exit_code == 2
    assert "'ask'" in result.stderr
    assert "Did you mean `mnk play`?" in mnk("plya").stderr


@pytest.mark.parametrize(
    ("game", "part"),
    [
        *(("3x3", "perhaps 3,3,3 is meant"), ("4,5", "perhaps 4,5,4 is meant"), ("hxe,3", "perhaps hex,3 is meant")),
        *(("tictactoe", "perhaps tic-tac-toe is"), ("3,3,3,loop", "variant"), ("0,3,3", "at least 1 row")),
    ],
)
def test_an_unknown_game_is_refused_with_a_suggestion(game: str, part: str) -> None:
    for command in ("build", "play", "show", "check", "query"):
        assert_refused(mnk(command, game), 2, part)


@pytest.mark.parametrize("arguments", [["build", "3,3,3", "6,7,4,misere"], ["build", "8,8,4,gravity"]])
def test_a_board_too_large_for_a_table_is_refused(arguments: list[str], tmp_path: Path) -> None:
    assert_refused(mnk(*arguments, "--data", tmp_path), 2, " squares", "at most 36 squares")
    assert not [*tmp_path.iterdir()]


@pytest.mark.parametrize("arguments", ASKING)
def test_the_error_for_a_missing_table_has_the_command_that_builds_it(
    arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    larger = [word.replace("3,3,3", "4,5,4") for word in arguments]  # 3,3,3 is solved in memory
    assert_refused(mnk(*larger, "--data", tmp_path), 3, f"`mnk build 4,5,4 --data {tmp_path}`")
    monkeypatch.setenv("MNK_DATA", str(tmp_path))
    assert_refused(mnk(*larger), 3, "`mnk build 4,5,4`")


def newer_version(content: bytes) -> bytes:
    assert (content[60:64], content[68:72]) == (FORMAT.to_bytes(4, "big"), APPLICATION_ID.to_bytes(4, "big"))
    return content[:60] + (FORMAT + 1).to_bytes(4, "big") + content[64:]


@pytest.mark.parametrize("arguments", ASKING)
@pytest.mark.parametrize(
    ("spoil", "part"),
    [
        (lambda _: b"Once upon a time" * 99, "is not a tablebase"),
        (newer_version, f"format {FORMAT + 1}"),
        (lambda content: content[:-20_000], "cut off"),
    ],
    ids=["text", "newer", "truncated"],
)
def test_a_table_that_cannot_be_read_is_refused(
    spoil: Callable[[bytes], bytes], part: str, arguments: list[str], table: Path
) -> None:
    table.write_bytes(spoil(table.read_bytes()))
    rebuild = f"`mnk build 3,3,3 --data {table.parent} --force`"
    assert_refused(mnk(*arguments, "--data", table.parent), 4, str(table), part, rebuild)


def test_a_table_of_another_game_is_refused(table: Path, table_file: TableFile) -> None:
    table.write_bytes(table_file("3,3,3,misere").read_bytes())
    assert_refused(mnk("query", "3,3,3", "--data", table.parent), 4, "'3,3,3,misere', not '3,3,3'", "--force")


def test_the_folder_of_tables_is_an_option_a_variable_or_data(
    table_file: TableFile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = Path(shutil.copy(table_file("3,3,3,misere"), tmp_path))
    monkeypatch.setenv("MNK_DATA", str(tmp_path / "elsewhere"))
    assert mnk("check", "3,3,3,misere", "--data", tmp_path).exit_code == 0
    monkeypatch.setenv("MNK_DATA", str(tmp_path))
    assert mnk("check", "3,3,3,misere").exit_code == 0
    monkeypatch.delenv("MNK_DATA")
    monkeypatch.chdir(tmp_path)
    assert_refused(mnk("check", "3,3,3,misere"), 3)
    (tmp_path / "data").mkdir()
    table.rename(tmp_path / "data" / table.name)
    assert mnk("check", "3,3,3,misere").exit_code == 0


def test_no_color_and_dumb_terminals_get_no_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    def is_coloured() -> bool:
        with main.make_context("mnk", ["games"]) as context:
            context.invoke(main.callback or str, *[])
            return context.color is not False

    assert is_coloured()
    monkeypatch.setenv("TERM", "dumb")
    assert not is_coloured()
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("NO_COLOR", "1")
    assert not is_coloured()


@pytest.mark.parametrize(
    ("error", "exit_code", "said"),
    [
        (DamagedTable("It is broken."), 4, "Error: It is broken.\n"),
        (KeyboardInterrupt(), 130, "Error: Interrupted.\n"),
        (PermissionError(errno.EACCES, "Permission denied", "d"), 1, "Error: d: Permission denied.\n"),
        (BrokenPipeError(errno.EPIPE, "Broken pipe"), 1, ""),
    ],
)
def test_errors_become_one_line_and_an_exit_code(
    error: BaseException, exit_code: int, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr("solver.cli.query.open_answers", fail)
    result = mnk("query", "3,3,3")
    assert (result.exit_code, result.stderr) == (exit_code, said)


def test_an_interrupt_that_the_compiler_swallows_still_ends_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    def compile_and_fail(*_: object) -> None:
        with suppress(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
        raise RuntimeError("no compiled object yet")

    monkeypatch.setattr("solver.cli.query.open_answers", compile_and_fail)
    with handle_signals(signal.default_int_handler, signal.SIGINT):
        result = mnk("query", "3,3,3")
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    assert (result.exit_code, result.stderr) == (130, "Error: Interrupted.\n")


def test_ctrl_c_ends_with_one_sentence(table: Path) -> None:
    command = [*PROCESS, "play", "3,3,3", "--data", str(table.parent)]
    with subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        while b"X> " not in os.read(process.stdout.fileno(), 10_000):
            pass
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)
    assert (process.returncode, said) == (130, b"Error: Interrupted.\n")


def test_a_closed_pipe_ends_the_command_quietly(table: Path) -> None:
    end, beginning = os.pipe()
    os.close(end)
    command = [*PROCESS, "show", "3,3,3", "--data", str(table.parent)]
    with os.fdopen(beginning, "wb") as pipe:
        done = subprocess.run(command, cwd=ROOT, stdout=pipe, stderr=subprocess.PIPE, check=False)
    assert (done.returncode, done.stderr) == (1, b"")
