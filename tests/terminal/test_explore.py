"""`mnk explore`: driven by keys and the mouse, and what the screen shows compared with the table."""

import asyncio
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Awaitable, Callable
from fcntl import ioctl
from itertools import pairwise
from pathlib import Path
from typing import cast
from xml.etree import ElementTree

import pytest
from textual.pilot import Pilot

from solver.errors import DamagedTable, MnkError
from solver.game.games import parse_game
from solver.game.position import Position
from solver.game.rules import Rules
from solver.game.squares import square_name
from solver.game.value import Value
from solver.tablebase import Prober, Tablebase, open_tablebase
from solver.terminal.app import ExploreApp, draw_first_screen
from solver.terminal.exploration import start_exploration
from tests.commands import PROCESS, TableFile, assert_refused, mnk

Script = Callable[[ExploreApp, Pilot[MnkError]], Awaitable[None]]


def run(
    table: Tablebase, script: Script, text: str = "start", size: tuple[int, int] = (80, 24), **how: str
) -> ExploreApp:
    """Run a script on a screen of a size; what the application ended with is raised."""

    async def running() -> ExploreApp:
        app = ExploreApp(start_exploration(table, text, seed=1, **how))
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            await script(app, pilot)
        return app

    return asyncio.run(running())


def screen(app: ExploreApp) -> list[str]:
    """The lines of the screen, as letters."""
    return [strip.text for strip in app.screen._compositor.render_strips()]


def square_on(app: ExploreApp, square: int) -> str:
    """What a square says on the screen, without its frame."""
    row, column = app.board.frame.place(square)
    width, height = app.board.cell
    region = app.board.region
    line = screen(app)[region.y + 1 + row * height + height // 2]
    start = region.x + len(str(app.board.frame.rows)) + 1 + column * width
    return line[start : start + width].strip("[] ")


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("game", "text"),
    [
        ("3,3,3", "start"),
        ("3,3,3", "XO./.X./..."),
        ("3,3,3,misere", "b2 a1"),
        ("4,4,4,gravity", "c4 c3"),
        ("3,4,3", "b2"),
        ("projective,2", "p1 p2"),
        ("clique,5,3", "12"),
        ("3,3,3,x=b2", "a1"),
        ("2x2x2,2,gravity", "2a2"),
    ],
)
def test_every_square_and_the_panel_say_what_the_table_says(game: str, text: str, table_file: TableFile) -> None:
    async def script(app: ExploreApp, pilot: Pilot[MnkError]) -> None:
        position, moves = app.game.position, app.game.table.moves(app.game.position)
        said = {square: value.label + "*" * (value.rank == moves[0][1].rank) for square, value in moves}
        stones = {"X": "╳", "O": "│ │", ".": "·"}  # noqa: RUF001  # the middle lines of the stones
        for square, cell in enumerate(position.cells):
            assert square_on(app, square) == said.get(square, stones[cell])
        text = "\n".join(screen(app))
        assert f"{position.to_move} to move: {app.game.table.probe(position)}" in text
        line = " ".join(square_name(app.rules, square) for square in app.game.table.mainline(position))
        assert line in " ".join(re.sub(r"^.*?Main line", "", text, flags=re.DOTALL).split())

    with open_tablebase(table_file(game)) as table:
        run(table, script, text)


def test_a_whole_game_by_keys(table_file: TableFile) -> None:
    async def script(app: ExploreApp, pilot: Pilot[MnkError]) -> None:
        # a1, then a2, b1, b2 and c1 with the cursor going along
        for keys in (
            ["enter"],
            ["down", "enter"],
            ["up", "right", "enter"],
            ["down", "space"],
            ["up", "right", "enter"],
        ):
            await pilot.press(*keys)
        assert app.game.position.board == "XXX/OO./..."
        text = "\n".join(screen(app))
        assert "The game is over: X has won." in text
        assert " 1. a1 a2? 2. b1 b2 3. c1 " in text  # after a2 X can force the win
        assert [square_on(app, square) for square in (0, 1, 2)] == ["(  ╳  )"] * 3  # noqa: RUF001
        await pilot.press("enter")
        assert "The game is over" in screen(app)[-2]
        assert app.game.position.ply == 5
        await pilot.press("u", "u")
        assert app.game.position.board == "XX./O../..."
        await pilot.press("y")
        assert app.game.position.board == "XX./OO./..."
        await pilot.press("r")
        assert app.game.position.ply == 0
        await pilot.press("u")
        assert "no move of yours" in screen(app)[-2]
        await pilot.press("y", "y", "y", "y", "y", "y")
        assert app.game.position.board == "XXX/OO./..."
        assert "nothing to play again" in screen(app)[-2]
        await pilot.press("q")

    with open_tablebase(table_file("3,3,3")) as table:
        assert run(table, script).return_value is None


@pytest.mark.slow
def test_long_rows_of_named_squares_are_cut_in_pieces(table_file: TableFile) -> None:
    async def script(app: ExploreApp, pilot: Pilot[MnkError]) -> None:
        assert (app.board.frame.rows, app.board.frame.columns) == (2, 7)
        assert "p8" in "\n".join(screen(app))
        await pilot.press("down", *["right"] * 7)  # past p13 there is nothing
        assert square_name(app.rules, app.board.cursor) == "p13"
        await pilot.click("#board", offset=(2 + 6 * 7 + 3, 1 + 3 + 1))  # nor can it be clicked
        assert app.game.position.ply == 0

    with open_tablebase(table_file("projective,3")) as table:
        run(table, script)


def test_a_hole_is_passed_over(table_file: TableFile) -> None:
    async def script(app: ExploreApp, pilot: Pilot[MnkError]) -> None:
        await pilot.press("right", "down", "enter")
        assert app.game.position.board == ".../.#./.X."

    with open_tablebase(table_file("3,3,3,without=b2")) as table:
        run(table, script)


def test_a_taken_square_is_refused_in_words(table_file: TableFile) -> None:
    async def script(app: ExploreApp, pilot: Pilot[MnkError]) -> None:
        await pilot.press("enter", "enter")
        assert "a1 (square 0) is taken" in screen(app)[-2]
        assert app.game.position.ply == 1

    with open_tablebase(table_file("3,3,3")) as table:
        run(table, script)


def test_hints_come_and_go(table_file: TableFile) -> None:
    async def script(app: ExploreApp, pilot: Pilot[MnkError]) -> None:
        await pilot.press("h")
        text = "\n".join(screen(app))
        assert "Main line" not in text
        assert "loss" not in text
        assert square_on(app, 8) == "·"
        await pilot.press("h")
        assert square_on(app, 8) == "L4*"

    with open_tablebase(table_file("3,3,3")) as table:
        run(table, script, "XO./.X./...")


def test_opponents_reply_and_sides_are_swapped(table_file: TableFile) -> None:
    async def script(app: ExploreApp, pilot: Pilot[MnkError]) -> None:
        assert app.game.position.ply == 1  # the perfect player has begun
        assert "The perfect player plays" in screen(app)[-2]
        while not app.game.position.is_over:
            app.board.cursor = app.game.table.best_move(app.game.position)
            await pilot.press("enter")
            assert not app.game.awaits_engine
        assert app.game.position.outcome == "draw"
        await pilot.press("u")
        assert app.game.position.to_move == "O"
        await pilot.press("r")
        assert app.game.position.ply == 1
        await pilot.press("s")  # now X is the person's, and it is O's turn: the opponent moves
        assert (app.game.people, app.game.position.to_move) == ("X", "X")
        for strength in ("strong", "medium", "weak", "random"):
            await pilot.press("o")
            assert f"You play X against the {strength} player." in "\n".join(screen(app))
        await pilot.press("o")
        assert "Two people play." in "\n".join(screen(app))
        await pilot.press("s")
        assert "o chooses an opponent" in screen(app)[-2]

    with open_tablebase(table_file("3,3,3")) as table:
        run(table, script, opponent="perfect", side="O")


def test_stones_drop_where_keys_and_clicks_send_them(table_file: TableFile) -> None:
    async def script(app: ExploreApp, pilot: Pilot[MnkError]) -> None:
        assert square_name(app.rules, app.board.cursor) == "a4"
        await pilot.press("enter", "enter", "enter", "enter")  # the column fills
        assert app.game.position.board == "O.../X.../O.../X..."
        await pilot.press("up", "right", "enter")
        assert app.game.position.board == "O.../X.../O.../XX.."
        await pilot.press("left")  # full, so the cursor stays
        assert square_name(app.rules, app.board.cursor) == "b3"
        await pilot.click("#board", offset=(2 + 3 * 7 + 3, 2))  # the top of column d
        assert app.game.position.board == "O.../X.../O.../XX.O"

    with open_tablebase(table_file("4,4,4,gravity")) as table:
        run(table, script)


def test_the_mouse_plays_the_square_it_clicks(table_file: TableFile) -> None:
    async def script(app: ExploreApp, pilot: Pilot[MnkError]) -> None:
        for square in (4, 8, 2):
            row, column = divmod(square, 3)
            await pilot.click("#board", offset=(2 + 7 * column + 6, 1 + 3 * row + 2))
        assert app.game.position.board == "..X/.X./..O"
        await pilot.click("#board", offset=(1, 0))  # the margin is no square
        assert app.game.position.ply == 3

    with open_tablebase(table_file("3,3,3")) as table:
        run(table, script)


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("game", "size", "cell", "narrow"),
    [
        ("4,4,4", (80, 24), (7, 3), False),
        ("4,4,4", (50, 30), (7, 3), True),
        ("4,4,4", (50, 20), (7, 1), True),
        ("4,4,4", (80, 12), (7, 1), False),
        ("4,4,4", (20, 6), (7, 1), False),
    ],
)
def test_it_fits_the_screen(
    game: str, size: tuple[int, int], cell: tuple[int, int], narrow: bool, table_file: TableFile
) -> None:
    async def script(app: ExploreApp, pilot: Pilot[MnkError]) -> None:
        await pilot.resize_terminal(*size)
        await pilot.pause()
        assert app.board.cell == cell
        assert app.query_one("#body").has_class("narrow") == narrow
        assert {len(line) for line in screen(app)} == {size[0]}
        if size[0] >= 50:
            assert [square_on(app, square) for square in range(app.rules.squares)] == ["=*"] * app.rules.squares
        await pilot.press(*["right", "down"] * 3)  # the square pointed at is seen, without colour too
        assert "┐" in "\n".join(screen(app)) or re.search(r"\[ *=\* *\]", "\n".join(screen(app)))

    with open_tablebase(table_file(game)) as table:
        run(table, script)


class Draws(Prober):
    """What says of every position that it is a draw, for boards whose tables take long to build."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules

    def probe(self, position: Position) -> Value:
        return position.value_if_over or Value(0, position.rules.squares - position.ply)

    def close(self) -> None:
        """There is no file."""


@pytest.mark.parametrize("game", ["5,5,4", "6,4,4,gravity"])
def test_boards_of_twenty_five_squares_fit_eighty_by_twenty_four(game: str) -> None:
    async def script(app: ExploreApp, pilot: Pilot[MnkError]) -> None:
        assert app.board.cell == (7, 3)
        assert app.board.region.bottom <= 22
        assert app.query_one("#aside").region.width >= 40
        assert not app.query_one("#body").has_class("narrow")

    run(cast(Tablebase, Draws(parse_game(game))), script)


def test_moves_given_can_be_taken_back_and_a_position_begins_there(table_file: TableFile) -> None:
    with open_tablebase(table_file("3,3,3")) as table:
        game = start_exploration(table, "b2 a1")
        assert game.undo()
        assert game.undo()
        assert game.position.ply == 0
        assert not game.undo()
        placed = start_exploration(table, "XO./.X./...")
        assert not placed.undo()
        assert placed.position.to_move == "O"


def test_playing_what_was_taken_back_keeps_the_rest_and_another_move_forgets_it(table_file: TableFile) -> None:
    with open_tablebase(table_file("3,3,3")) as table:
        game = start_exploration(table, "b2 a1 c3")
        game.restart()
        game.play(4)
        assert len(game.future) == 2
        game.play(1)
        assert not game.redo()


def test_marks_say_how_much_a_move_gave_away(table_file: TableFile) -> None:
    with open_tablebase(table_file("3,3,3")) as table:
        # X could win by a2, but plays b3 and lets O win by c1.
        game = start_exploration(table, "c2 a1 b2 b1 b3")
        assert game.mistakes()[-1] == "??"
        values = [table.probe(position).wdl for position in game.past]
        assert game.mistakes() == ["?" * (before + after) for before, after in pairwise(values)]
        assert start_exploration(table, "b2 a1 c3 a3").mistakes() == [""] * 4  # perfect play


def test_a_damaged_table_ends_it_with_its_error(table_file: TableFile, monkeypatch: pytest.MonkeyPatch) -> None:
    async def script(app: ExploreApp, pilot: Pilot[MnkError]) -> None:
        def fail(position: object) -> None:
            raise DamagedTable("The table is damaged.")

        monkeypatch.setattr(app.game.table, "probe", fail)
        await pilot.press("enter")

    with open_tablebase(table_file("3,3,3")) as table:
        assert isinstance(run(table, script).return_value, DamagedTable)
        with pytest.raises(DamagedTable):
            draw_first_screen(start_exploration(table, "start"))


# The command


@pytest.mark.slow
def test_the_picture_is_small_whole_and_always_the_same(table_file: TableFile, tmp_path: Path) -> None:
    data = table_file("3,3,3").parent
    for name in ("one.svg", "two.svg"):
        result = mnk("explore", "3,3,3", "XO./.X./...", "--data", data, "-o", tmp_path / name)
        assert (result.exit_code, result.output) == (0, "")
    mnk("explore", "3,3,3", "-X-/---/---", "--data", data, "-o", tmp_path / "dashes.svg")
    mnk("explore", "3,3,3", ".X./.../...", "--data", data, "-o", tmp_path / "dots.svg")
    assert (tmp_path / "dashes.svg").read_text() == (tmp_path / "dots.svg").read_text()
    drawn = (tmp_path / "one.svg").read_text()
    assert drawn == (tmp_path / "two.svg").read_text()
    assert len(drawn) < 60_000
    assert "http" not in drawn.replace("http://www.w3.org", "").replace("https://www.textualize.io", "")
    words = " ".join("".join(ElementTree.fromstring(drawn).itertext()).replace("\xa0", " ").split())
    assert "O to move: loss in 4" in words
    assert "c3 a2 c1 c2" in words


def test_without_a_terminal_it_says_so(table_file: TableFile) -> None:
    data = table_file("3,3,3").parent
    assert_refused(mnk("explore", "3,3,3", "--data", data), 1, "needs a terminal", "mnk query")
    assert_refused(mnk("explore", "3,3,3", "XX./...", "--data", data), 2, "3 rows of 3")


def test_without_a_table_or_textual_it_says_so(
    table_file: TableFile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert_refused(mnk("explore", "3,3,3", "--data", tmp_path), 3, "mnk build 3,3,3")
    assert parse_game("9,9,5").squares > 25
    assert_refused(mnk("explore", "9,9,5", "--data", tmp_path), 2, "81 squares")
    monkeypatch.setitem(sys.modules, "solver.terminal.app", None)
    refused = mnk("explore", "3,3,3", "--data", table_file("3,3,3").parent, "-o", tmp_path / "x.svg")
    assert_refused(refused, 1, "pip install '.[terminal]'")


def test_in_a_real_terminal(table_file: TableFile) -> None:
    command = [*PROCESS, "explore", "3,3,3", "XO./.X./...", "--data", str(table_file("3,3,3").parent)]
    ours, theirs = pty.openpty()
    ioctl(ours, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    before = termios.tcgetattr(theirs)
    environment = os.environ | {"TERM": "xterm-256color"}
    with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment) as process:
        try:
            assert "loss in 4" in _until(ours, "Main line")
            os.write(ours, b"\x1b[A\r")  # up: still c1, where the cursor begins
            assert "W1*" in _until(ours, "X to move")
            os.write(ours, b"q")
            assert process.wait(timeout=30) == 0
        finally:
            process.kill()
    assert termios.tcgetattr(theirs)[:4] == before[:4]  # the terminal is as it was
    os.close(ours)
    os.close(theirs)


def _until(terminal: int, words: str) -> str:
    """What the terminal is sent, until these words and a moment of quiet have come."""
    text, deadline = "", time.monotonic() + 60
    while time.monotonic() < deadline:
        if select.select([terminal], [], [], 0.5)[0]:
            text += os.read(terminal, 65536).decode(errors="replace")
        elif words in re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text):
            return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text)
    raise AssertionError(f"{words!r} did not come: {text[-2000:]!r}")
