"""Run the full-screen application: turn keys and clicks into moves, and show the game after each."""

import asyncio
import re
from typing import ClassVar, Final

from rich.text import Text
from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.containers import Container, ScrollableContainer
from textual.events import Resize
from textual.widgets import Static

from solver.errors import IllegalMove, MnkError
from solver.game.descriptions import describe_rules
from solver.game.squares import square_name
from solver.terminal.board import BoardView, describe_players, write_panel
from solver.terminal.exploration import OPPONENTS, Exploration

_KEYS: Final = {
    "play": ("enter", "space"),
    "undo": ("u", "backspace"),
    "redo": ("y",),
    "restart": ("r",),
    "hints": ("h",),
    "opponent": ("o",),
    "swap": ("w", "s"),
    "quit": ("q", "ctrl+c"),
}
"""The keys of each action; the first of them is shown."""

_PANEL: Final = (30, 9)  # the least columns beside the board, and the least lines below it
_LEGEND: Final = "W wins, {}L loses, in so many plies; * the best; ? and ?? mistakes"


class ExploreApp(App[MnkError]):
    """Show a full-screen board of one game; end with the error that the table or the opponent raised, if any."""

    ENABLE_COMMAND_PALETTE = False
    CSS = """
    Screen { background: #161b1d; color: #dde1e6; }
    #title { height: 1; padding: 0 1; background: #21272a; text-style: bold; }
    #body { height: 1fr; layout: horizontal; padding: 1 0 0 1; }
    #body.narrow { layout: vertical; padding: 0 0 0 1; }
    #table { width: auto; height: auto; max-width: 100%; max-height: 100%; }
    #aside { width: 1fr; height: 1fr; padding: 0 1 0 2; }
    #body.narrow #aside { padding: 1 1 0 1; width: 100%; }
    #status { height: 1; padding: 0 1; color: #a2a9b0; }
    #keys { height: 1; padding: 0 1; background: #21272a; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        *((name, f"point('{name}')") for name in ("left", "right", "up", "down")),
        *((key, name) for name, keys in _KEYS.items() for key in keys),
    ]

    def __init__(self, game: Exploration, *, hints: bool = True) -> None:
        super().__init__()
        self.game = game
        self.rules = game.table.rules
        self.board = BoardView(game, hints=hints)
        self.board.cursor = next(iter(game.position.legal_moves), 0)

    def compose(self) -> ComposeResult:
        """Lay out a title, the board with the panel beside it, a line of news, the keys."""
        yield Static(f"{self.rules}: {describe_rules(self.rules)}", id="title", markup=False)
        with Container(id="body"):
            with ScrollableContainer(id="table", can_focus=False):
                yield self.board
            with ScrollableContainer(id="aside", can_focus=False):
                yield Static(id="panel", markup=False)
        yield Static(id="status", markup=False)
        yield Static(_keys(), id="keys")

    def on_mount(self) -> None:
        """Show the game; the opponent moves first if it is its turn."""
        self._update("" if self.game.awaits_engine else self._legend())

    def on_resize(self, event: Resize) -> None:
        """Fit the board: large squares if they leave room for the panel, beside it or below."""
        width, height = event.size.width - 1, event.size.height - 4
        sizes = self.board.sizes
        beside = [c for c in sizes if self._fits(c, width - _PANEL[0], height)]
        below = [c for c in sizes if self._fits(c, width, height - _PANEL[1])]
        self.query_one("#body").set_class(not beside and bool(below), "narrow")
        self.board.set_cell((beside or below or sizes[-1:])[0])

    def _fits(self, cell: tuple[int, int], width: int, height: int) -> bool:
        columns, lines = self.board.measure(cell)
        return columns <= width and lines <= height

    def on_board_view_chosen(self, event: BoardView.Chosen) -> None:
        """Play on the square that was clicked; with gravity anywhere in its column."""
        self._play(self._landing(event.square))

    def action_point(self, direction: str) -> None:
        """Point at the next square in a direction; with gravity at the next column that is not full."""
        rows, columns = {"left": (0, -1), "right": (0, 1), "up": (-1, 0), "down": (1, 0)}[direction]
        frame, legal = self.board.frame, self.game.position.legal_moves
        row, column = frame.place(self.board.cursor)
        row, column = row + rows, column + columns
        while 0 <= row < frame.rows and 0 <= column < frame.columns:
            cell = frame.cell(row, column)
            square = self._landing(cell) if isinstance(cell, int) else self.board.cursor
            if square != self.board.cursor and (not self.rules.gravity or square in legal):
                self.board.cursor = square
                break
            row, column = row + rows, column + columns
        self.board.refresh()
        self.query_one("#table").scroll_to_region(self.board.region_of(self.board.cursor), animate=False)

    def action_play(self) -> None:
        """Play on the square that is pointed at."""
        self._play(self.board.cursor)

    def action_undo(self) -> None:
        """Take the person's last move back, and the reply to it."""
        self._update("Taken back; y plays it again." if self.game.undo() else "There is no move of yours to take back.")

    def action_redo(self) -> None:
        """Play again what was taken back."""
        self._update("Played again." if self.game.redo() else "There is nothing to play again.")

    def action_restart(self) -> None:
        """Begin the game again."""
        self.game.restart()
        self._update("Begun again.")

    def action_hints(self) -> None:
        """Show or hide what moves are worth."""
        self.board.hints = not self.board.hints
        self._update(self._legend() if self.board.hints else "Hints are off; h shows them again.")

    def _legend(self) -> str:
        """Explain what stands in the squares."""
        return _LEGEND.format("= draws, " if self.rules.can_draw else "")

    def action_opponent(self) -> None:
        """Choose the next opponent."""
        names = [*OPPONENTS]
        self.game.choose_opponent(names[(names.index(self.game.opponent) + 1) % len(names)])
        self._update(describe_players(self.game))

    def action_swap(self) -> None:
        """Change sides with the opponent."""
        if self.game.opponent == "people":
            self._update("Two people play both sides; o chooses an opponent.")
            return
        self.game.swap()
        self._update(describe_players(self.game))

    def _play(self, square: int) -> None:
        try:
            self.game.play(square)
        except IllegalMove as error:
            self._update(str(error))
            return
        self.board.cursor = square
        self._update("")

    def _update(self, status: str) -> None:
        """Let the opponent move if it is its turn, and show the game with a line of news."""
        game, board = self.game, self.board
        try:
            if game.awaits_engine:
                name = square_name(self.rules, game.reply())
                status = f"{status} {OPPONENTS[game.opponent].capitalize()} plays {name}.".strip()
            board.moves = game.table.moves(game.position) if board.hints else []
            panel = write_panel(game, hints=board.hints)
        except MnkError as error:  # whoever runs the application reports it, after the screen is restored
            self.exit(error)
            return
        board.cursor = self._landing(board.cursor)
        board.refresh()
        self.query_one("#panel", Static).update(panel)
        self.query_one("#status", Static).update(status)

    def _landing(self, square: int) -> int:
        """Give the square where a stone put on this one comes to lie; the same without gravity, or in a full column."""
        moves = self.game.position.legal_moves if self.rules.gravity else ()
        return next((move for move in moves if (move - square) % self.rules.stride == 0), square)


def _keys() -> Text:
    """Write the keys and their actions in a line."""
    pairs = [(keys[0], name) for name, keys in _KEYS.items()]
    return Text("  ").join(Text.assemble((key, "bold #f1c21b"), " ", name) for key, name in pairs)


def draw_first_screen(game: Exploration, *, hints: bool = True) -> str:
    """Draw the first screen, of 80 columns and 24 lines, as an SVG document, the same for the same game.

    No terminal is needed. Raises what the table or the opponent raises.
    """

    async def draw() -> str:
        app = ExploreApp(game, hints=hints)
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.pause()
            if app.return_value:
                raise app.return_value
            return app.export_screenshot(title=f"mnk explore {game.table.rules}")

    # Textual's picture fetches fonts from elsewhere; the reader's own do as well.
    return re.sub(r"@font-face\s*\{.*?\}\s*", "", asyncio.run(draw()), flags=re.DOTALL)
