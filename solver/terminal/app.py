"""The application: keys and clicks become moves, and the screen follows."""

import asyncio
import re
from typing import ClassVar, Final

from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, ScrollableContainer
from textual.widgets import Footer, Static

from solver.errors import IllegalMove
from solver.lines import squares_of
from solver.reach import vacant
from solver.squares import square_name
from solver.terminal.board import CELLS, BoardView
from solver.terminal.game import OPPONENTS, Game
from solver.terminal.panel import panel_text, players

__all__ = ["Explorer", "picture"]

_PANEL: Final = (30, 9)  # the least columns beside the board, and the least lines below it
_LEGEND: Final = "W wins, = draws, L loses, in so many plies; * best, ? gives away half a point, ?? a whole one"


class Explorer(App[None]):
    """A full-screen board of one game."""

    ENABLE_COMMAND_PALETTE = False
    CSS = """
    Screen { background: #161b1d; color: #dde1e6; }
    #title { height: 1; padding: 0 1; background: #21272a; text-style: bold; }
    #body { height: 1fr; layout: horizontal; padding: 1 0 0 1; }
    #body.narrow { layout: vertical; padding: 0 0 0 1; }
    #table { width: auto; height: auto; max-width: 100%; max-height: 100%; }
    #aside { width: 1fr; height: 1fr; padding: 0 1 0 2; }
    #body.narrow #aside { padding: 1 1 0 1; width: 100%; }
    #said { height: 1; padding: 0 1; color: #a2a9b0; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(name, f"point('{name}')", show=False) for name in ("left", "right", "up", "down")),
        Binding("enter,space", "play", "play", key_display="enter"),
        Binding("u,backspace", "undo", "undo", key_display="u"),
        Binding("y", "redo", "redo"),
        Binding("r", "restart", "restart"),
        Binding("h", "hints", "hints"),
        Binding("o", "opponent", "opponent"),
        Binding("s", "swap", "swap sides"),
        Binding("q,ctrl+c", "quit", "quit", key_display="q"),
    ]

    def __init__(self, game: Game, *, hints: bool = True) -> None:
        super().__init__()
        self.game = game
        self.rules = game.table.rules
        self.board = BoardView(game, hints=hints)

    def compose(self) -> ComposeResult:
        """A title, the board with the panel beside it, a line of news, the keys."""
        yield Static(f"{self.rules}: {self.rules.describe()}", id="title", markup=False)
        with Container(id="body"):
            with ScrollableContainer(id="table", can_focus=False):
                yield self.board
            with ScrollableContainer(id="aside", can_focus=False):
                yield Static(id="panel", markup=False)
        yield Static(id="said", markup=False)
        yield Footer(show_command_palette=False)

    def on_mount(self) -> None:
        """Begin; the opponent moves first if it is its turn."""
        self._go_on(_LEGEND)

    def on_resize(self) -> None:
        """Fit the board: large squares if they leave room for the panel, beside it or below."""
        width, height = self.size.width - 1, self.size.height - 4
        beside = [c for c in CELLS if self._fits(c, width - _PANEL[0], height)]
        below = [c for c in CELLS if self._fits(c, width, height - _PANEL[1])]
        self.query_one("#body").set_class(not beside and bool(below), "narrow")
        self.board.use((beside or below or CELLS[-1:])[0])

    def _fits(self, cell: tuple[int, int], width: int, height: int) -> bool:
        columns, lines = self.board.size_with(cell)
        return columns <= width and lines <= height

    def on_board_view_chosen(self, event: BoardView.Chosen) -> None:
        """Play where the mouse has clicked; with gravity anywhere in the column."""
        self._play(self._landing(event.square))

    def action_point(self, direction: str) -> None:
        """Point at the next square in a direction; with gravity at the next column that is not full."""
        rows, columns = {"left": (0, -1), "right": (0, 1), "up": (-1, 0), "down": (1, 0)}[direction]
        row, column = divmod(self.board.cursor, self.rules.n)
        row, column = row + rows, column + columns
        while 0 <= row < self.rules.m and 0 <= column < self.rules.n:
            square = self._landing(row * self.rules.n + column)
            if not (self.rules.gravity and (rows or self._is_full(column))):
                self.board.cursor = square
                break
            row, column = row + rows, column + columns
        self.board.refresh()

    def action_play(self) -> None:
        """Play where the cursor points."""
        self._play(self.board.cursor)

    def action_undo(self) -> None:
        """Take the person's last move back, and the reply to it."""
        self._go_on("Taken back; y plays it again." if self.game.undo() else "There is no move of yours to take back.")

    def action_redo(self) -> None:
        """Play again what was taken back."""
        self._go_on("Played again." if self.game.redo() else "There is nothing to play again.")

    def action_restart(self) -> None:
        """Begin again."""
        self.game.restart()
        self._go_on("Begun again.")

    def action_hints(self) -> None:
        """Show or hide what moves are worth."""
        self.board.hints = not self.board.hints
        self._go_on(_LEGEND if self.board.hints else "Hints are off; h shows them again.")

    def action_opponent(self) -> None:
        """Take the next opponent."""
        names = [*OPPONENTS]
        self.game.choose_opponent(names[(names.index(self.game.opponent) + 1) % len(names)])
        self._go_on(players(self.game))

    def action_swap(self) -> None:
        """Change sides with the opponent."""
        if self.game.opponent == "people":
            self._go_on("Two people play both sides; o chooses an opponent.")
            return
        self.game.swap()
        self._go_on(players(self.game))

    def _play(self, square: int) -> None:
        try:
            self.game.play(square)
        except IllegalMove as error:
            self._go_on(str(error))
            return
        self.board.cursor = square
        self._go_on("")

    def _go_on(self, said: str) -> None:
        """Let the opponent move if it is its turn, and show how things stand."""
        if self.game.awaits_opponent:
            name = square_name(self.rules, self.game.reply())
            said = f"{said} {OPPONENTS[self.game.opponent].capitalize()} plays {name}.".strip()
        self.board.cursor = self._landing(self.board.cursor)
        self.board.refresh()
        self.query_one("#panel", Static).update(panel_text(self.game, hints=self.board.hints))
        self.query_one("#said", Static).update(said)

    def _landing(self, square: int) -> int:
        """The square where a stone put on this one comes to lie; the same without gravity, or in a full column."""
        column = square % self.rules.n
        free = squares_of(vacant(self.rules, self.game.position.x | self.game.position.o))
        return next((s for s in free if self.rules.gravity and s % self.rules.n == column), square)

    def _is_full(self, column: int) -> bool:
        position = self.game.position
        return bool((position.x | position.o) >> column & 1)


def picture(game: Game, *, hints: bool = True, size: tuple[int, int] = (80, 24)) -> str:
    """The first screen as an SVG document, the same for the same game; no terminal is needed."""

    async def taken() -> str:
        app = Explorer(game, hints=hints)
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            return app.export_screenshot(title=f"mnk explore {game.table.rules}")

    # Without the fonts that would be fetched from elsewhere; the reader's own do as well.
    return re.sub(r"@font-face\s*\{.*?\}\s*", "", asyncio.run(taken()), flags=re.DOTALL)
