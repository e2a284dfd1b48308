"""The output of commands: words, columns, colours, the progress bar."""

import io

import click
import pytest

from solver.cli import output, running, summary
from solver.game.games import parse_game
from solver.game.position import Position
from solver.game.value import Value
from solver.study.answers import value_answer

RULES = parse_game("3,3,3")


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("root", "said"),
    [
        (Value(1, 5), "X wins in 5 plies"),
        (Value(1), "X wins"),
        (Value(-1, 6), "O wins in 6 plies"),
        (Value(0), "a draw"),
    ],
)
def test_the_value_of_a_game(root: Value, said: str) -> None:
    assert summary.describe_game_value(value_answer(root)) == said


@pytest.mark.parametrize(
    ("count", "said"), [(0, "0 bytes"), (1, "1 byte"), (1000, "1.0 kB"), (99_600, "100 kB"), (2_500_000_000, "2.5 GB")]
)
def test_sizes(count: int, said: str) -> None:
    assert output.format_size(count) == said


def test_colours_only_repeat_what_the_letters_say() -> None:
    position = Position.parse(RULES, "XO./.X./...")
    moves = [(2, Value(1, 3)), (3, Value(0, 6)), (8, Value(-1, 4)), (5, Value(-1))]
    coloured = output.format_board(position, moves)
    assert click.unstyle(coloured) == "   a   b   c\n1  X   O   W3\n2  =   X   L\n3  .   .   L4"
    for text, colour in (("W3", "green"), ("=", "yellow"), ("L4", "red")):
        assert click.style(text, fg=colour) in coloured
    assert "\x1b" not in output.format_board(position)


def test_the_bar_shows_how_much_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    monkeypatch.setattr(running, "BAR_AFTER", 0)
    with running.show_progress("Building 3,3,3") as show:
        assert show is not None
        for done in (0, 3, 10):
            show(done, 10)
    said = terminal.getvalue()
    assert all(part in said for part in ("Building 3,3,3", "30%", "100%"))
    assert said.endswith("\n")


def test_quick_work_and_a_pipe_show_no_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    with running.show_progress("Building 3,3,3") as show:
        assert show is not None
        show(1, 1)
    assert terminal.getvalue() == ""
    monkeypatch.setattr("sys.stderr", io.StringIO())
    with running.show_progress("Building 3,3,3") as show:
        assert show is None
