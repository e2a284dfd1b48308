"""The output of commands: words, columns, colours, the progress bar."""

import io

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


def test_only_long_work_in_a_terminal_shows_a_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = io.StringIO()
    monkeypatch.setattr("sys.stderr", terminal)
    with running.show_progress("Building 3,3,3") as show:
        assert show is None
    monkeypatch.setattr(terminal, "isatty", lambda: True)
    for after, is_shown in ((running.BAR_AFTER, False), (0, True)):
        monkeypatch.setattr(running, "BAR_AFTER", after)
        monkeypatch.setattr(running, "BAR_EVERY", 0)
        with running.show_progress("Building 3,3,3") as show:
            assert show is not None
            for done in (0, 3, 10):
                show(done, 10)
        said = terminal.getvalue()
        assert all((part in said) == is_shown for part in ("Building 3,3,3", "30%", "100%"))
    assert terminal.getvalue().endswith("\n")


def test_the_bar_of_resumed_work_begins_where_the_work_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal, now = io.StringIO(), iter((0.0, 60.0, 90.0, 120.0))
    monkeypatch.setattr("sys.stderr", terminal)
    monkeypatch.setattr(terminal, "isatty", lambda: True)
    monkeypatch.setattr(running, "monotonic", lambda: next(now))
    with running.show_progress("Building 4,4,4") as show:
        assert show is not None
        for done in (80, 90, 100):
            show(done, 100)
    begun, halfway, ended = terminal.getvalue().split("\r")[1:]
    assert "80%" in begun
    assert "90%" in halfway
    assert "0:30 left" in halfway  # the minute before the bar appeared does not count
    assert "0:00 left" in ended
