"""A complete strategy of one side, read from a table: what it plays, and what it plays after every reply.

This is the model behind a poster; nothing here draws. A *board* of a strategy is a position in which the player is
to move, with the move it makes. Positions that several lines of play lead to are one board, so that a strategy is a
graph whose nodes are the positions that the other side can bring about.
"""

from dataclasses import dataclass
from typing import NamedTuple

from solver.game.position import Position
from solver.game.rules import Rules
from solver.tablebase import Prober

__all__ = ["Board", "Reply", "Strategy", "TooLarge", "forced_end", "read_strategy"]


class TooLarge(Exception):
    """The strategy has boards nested deeper, or more boards, than was asked for; the text says which."""


class Reply(NamedTuple):
    """What the other side may play, and what follows.

    position: after the reply. then: the board that answers it, or None when nothing is left to choose; then
    `end` is the position in which the game ends, which is `position` itself or follows from it by only moves.
    """

    square: int
    position: Position
    then: "Board | None"
    end: Position | None


@dataclass(frozen=True, eq=False)
class Board:
    """A position, the player's move in it, and every reply to that.

    move: None only on the empty board when the other side begins. wdl: 1, 0 or -1, what the player comes to
    when both sides play their best. after: the position after the move. replies: in the order of the
    squares, none when the move ends the game.
    """

    position: Position
    move: int | None
    wdl: int
    after: Position
    replies: tuple[Reply, ...]

    @property
    def level(self) -> int:
        """How many boards it is nested in: the moves the player made before, or the other's where that began."""
        return level_of(self.position)


@dataclass(frozen=True)
class Strategy:
    """The strategy of `player` (`X` or `O`) from the empty board.

    boards: every board once, each before those that it leads to first.
    """

    rules: Rules
    player: str
    boards: tuple[Board, ...]

    @property
    def root(self) -> Board:
        """The board on which the game begins."""
        return self.boards[0]

    @property
    def levels(self) -> int:
        """How many boards are nested in each other at most, the outermost one counted."""
        return 1 + max(board.level for board in self.boards)


def read_strategy(tables: Prober, rules: Rules, player: str, *, levels: int, most: int) -> Strategy:
    """The perfect strategy of a player: the first of the best moves in every position.

    So it wins as fast as it can, loses as late, and takes the first square among equals. levels: how many boards
    may be nested in each other. most: how many there may be in all. Raises TooLarge, MissingTable, DamagedTable.
    """
    reader = _Reader(tables, player, levels, most)
    reader.board(Position.start(rules))
    return Strategy(rules, player, tuple(board for board in reader.found.values() if board))


def forced_end(position: Position) -> Position | None:
    """Where the game ends when neither side has a choice any more; None while one has."""
    while not position.is_over:
        moves = position.legal_moves
        if len(moves) > 1:
            return None
        position = position.play(moves[0])
    return position


def level_of(position: Position) -> int:
    """How deep the board of a position is nested."""
    return (position.ply + 1) // 2


class _Reader:
    """found: the boards by position, in the order in which they were entered."""

    def __init__(self, tables: Prober, player: str, levels: int, most: int) -> None:
        self._tables, self._player, self._levels, self._most = tables, player, levels, most
        self.found: dict[Position, Board | None] = {}

    def board(self, position: Position) -> Board:
        known = self.found.get(position)
        if known:
            return known
        if level_of(position) >= self._levels:
            raise TooLarge(f"it nests more than {self._levels} boards in each other")
        if len(self.found) >= self._most:
            raise TooLarge(f"it has more than {self._most:,} boards")
        self.found[position] = None  # keeps its place before the boards it leads to
        mine = position.to_move == self._player
        wdl = self._tables.probe_wdl(position) * (1 if mine else -1)
        move = self._tables.best_move(position) if mine else None
        after = position if move is None else position.play(move)
        board = Board(position, move, wdl, after, tuple(self._reply(after, square) for square in after.legal_moves))
        self.found[position] = board
        return board

    def _reply(self, after: Position, square: int) -> Reply:
        position = after.play(square)
        end = forced_end(position)
        return Reply(square, position, None if end else self.board(position), end)
