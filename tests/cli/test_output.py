"""The output of commands: words, columns, colours, the progress bar."""

import io
import os
from time import sleep

import click
import pytest

from solver.cli import output, running
from solver.game.games import parse_game
from solver.game.position import Position
from solver.game.value import Value

RULES = parse_game("3,3,3")


def test_colours_only_repeat_what_the_letters_say() -> None:
    position = Position.parse(RULES, "XO./.X./...")
    moves = [(2, Value(1, 3)), (3, Value(0, 6)), (8, Value(-1, 4)), (5, Value(-1))]
    coloured = output.format_board(position, moves)
    assert click.unstyle(coloured) == "   a   b   c\n1  X   O   W3\n2  =   X   L\n3  .   .   L4"
    for text, colour in (("W3", "green"), ("=", "yellow"), ("L4", "red")):
        assert click.style(text, fg=colour) in coloured
    assert "\x1b" not in output.format_board(position)


def open_terminal(monkeypatch: pytest.MonkeyPatch) -> io.StringIO:
    """Replace standard error with a terminal."""
    terminal = io.StringIO()
    monkeypatch.setattr(terminal, "isatty", lambda: True)
    monkeypatch.setattr("sys.stderr", terminal)
    return terminal


def test_only_long_work_in_a_terminal_shows_a_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = open_terminal(monkeypatch)
    for after, is_shown in ((running.BAR_AFTER, False), (0, True)):
        monkeypatch.setattr(running, "BAR_AFTER", after)
        with running.show_progress("Building 3,3,3") as show:
            assert show is not None
            for done in (0, 3, 10):
                show(done, 10)
        said = terminal.getvalue()
        assert all((part in said) == is_shown for part in ("Building 3,3,3  [", "30%", "100%"))
    assert terminal.getvalue().endswith("\n")
    monkeypatch.setattr(terminal, "isatty", lambda: False)
    with running.show_progress("Building 3,3,3") as show:
        assert show is None


def test_the_bar_of_resumed_work_begins_where_the_work_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = open_terminal(monkeypatch)
    monkeypatch.setattr(running, "BAR_AFTER", 0)
    with running.show_progress("Building 4,4,4") as show:
        assert show is not None
        for now, done in ((60, 80), (90, 90), (120, 100)):
            monkeypatch.setattr("time.time", lambda now=now: now)
            show(done, 100)
    begun, halfway, ended = terminal.getvalue().split("\r")[1:]
    assert "Building 4,4,4, the last 20 %  [" in begun
    assert "50%  00:00:30" in halfway  # the work before the bar appeared does not count
    assert "100%" in ended


@pytest.mark.parametrize("columns", [20, 40, 60, 200])
def test_lines_about_progress_fit_the_terminal(columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = open_terminal(monkeypatch)
    monkeypatch.setattr(running, "BAR_AFTER", 0.01)
    monkeypatch.setattr(terminal, "fileno", lambda: 2)
    monkeypatch.setattr("os.get_terminal_size", lambda _: os.terminal_size((columns, 24)))
    with running.show_progress("Testing " + 9 * "\x1b[31m engine ") as show:
        assert show is not None
        for done in range(50, 100):
            sleep(0.001)
            show(done, 100)
    with running.show_seconds("Counting positions and measuring this machine"):
        sleep(0.1)
    shown = [click.unstyle(line) for line in terminal.getvalue().replace("\x1b[?25", "").split("\r")]
    assert max(map(len, shown)) in range(columns // 2, columns)
    assert "\x1b[31m" not in terminal.getvalue()


def test_cells_cannot_change_the_terminal() -> None:
    assert (
        output.align_columns([("\x1b[31mred", "1"), ("b", "\x07")], left=[0])
        == "\\x1b[31mred     1\nb            \\x07"
    )
