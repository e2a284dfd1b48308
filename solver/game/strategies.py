"""Strategies: a player's move in each position that the other side can bring about.

A strategy is a graph from positions to moves, so a position that several lines of play lead to has one move. It can be
shown as text, as a tree of boards (`solver.game.strategy_views`), as a poster (`solver.export.pictures.poster`), and as
a notebook prints it (`solver.course.and_or_search`).

>>> start = Position.parse(parse_game("3,3,3"), "XO./OX./...")
>>> strategy = follow_moves(start, "X", {start: 2}.get)
>>> strategy.first_move, strategy.after(start).board, sorted(strategy.replies(start))
(2, 'XOX/OX./...', [5, 6, 7, 8])
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from solver.errors import NotationError, Unsettled, quoted
from solver.game.lines import completed
from solver.game.notation import read
from solver.game.position import Position
from solver.game.rules import OTHER, Rules, Side
from solver.game.value import Category, Value

Probe = Callable[[Position], Value]


@dataclass(frozen=True, repr=False)
class Strategy:
    """The moves of one player from a position on."""

    start: Position
    """The first position. Usually the player is to move there; otherwise, the strategy answers every move there."""
    player: Side
    """The player, `X` or `O`."""
    moves: Mapping[Position, int]
    """The square of the player's move in each position. Without a move, the strategy ends there."""

    @property
    def first_move(self) -> int | None:
        """The move in `start`; None if the game is over there, or the other side is to move."""
        return self.moves.get(self.start)

    def after(self, position: Position) -> Position:
        """Return the position after the player's move, or `position` itself if there is none."""
        return add_stone(position, self.player, self.moves[position]) if position in self.moves else position

    def replies(self, position: Position) -> dict[int, Position]:
        """Return the positions after the player's move and each reply to it, by the square of the reply.

        There is no reply if the game is over or the strategy ends.
        """
        if position not in self.moves and position != self.start:
            return {}
        after = self.after(position)
        return {square: add_stone(after, OTHER[self.player], square) for square in after.legal_moves}

    def end(self, position: Position) -> Category | None:
        """Return the player's result if the player's move, or the only reply to it, ends the game; None otherwise."""
        after = self.after(position)
        last = [after] if after.is_over else [*self.replies(position).values()]
        return result_for(self.player, last[0]) if len(last) == 1 else None

    def __repr__(self) -> str:
        return f"<strategy of {self.player} in {self.start.rules}, from {self.start.board}: {len(self.moves):,} moves>"

    def __str__(self) -> str:
        from solver.game.strategy_views import shown_depth, strategy_text  # slow to load, and probes draw nothing

        return strategy_text(self, shown_depth(self))

    def _repr_svg_(self) -> str:
        from solver.game.strategy_views import shown_depth, strategy_svg

        return strategy_svg(self, shown_depth(self))

    def _repr_pretty_(self, printer: Any, _: bool) -> None:
        printer.text(str(self))


def add_stone(position: Position, player: Side, square: int) -> Position:
    """Return the position after `player` takes an empty square in an unfinished game, whichever side moved first."""
    rules, x, o = position.rules, position.x, position.o
    if player == "X":
        x |= 1 << square
        return Position._of(rules, x, o, completed(rules.x_lines_through[square], x))
    o |= 1 << square
    return Position._of(rules, x, o, completed(rules.o_lines_through[square], o))


def result_for(player: Side, position: Position) -> Category | None:
    """Return a player's result in a finished game; None before the end."""
    outcome = position.outcome
    return None if outcome is None else "draw" if outcome == "draw" else "win" if outcome == player else "loss"


def follow_moves(start: Position, player: Side, choose: Callable[[Position], int | None]) -> Strategy:
    """Return the strategy that plays `choose(position)`.

    `choose` is called once for each position of an unfinished game that can arise, each before those that follow it. It
    returns None where the strategy ends or, in `start`, if the other side is to move.
    """
    strategy = Strategy(start, player, moves := dict[Position, int]())
    seen, todo = set[Position](), [start]
    while todo:
        position = todo.pop()
        if position in seen or position.is_over:
            continue
        seen.add(position)
        move = choose(position)
        if move is not None:
            moves[position] = move
        todo.extend(reversed(strategy.replies(position).values()))
    return strategy


def find_strategy(
    probe: Probe, position: Position, player: str | None = None, draw_ok: bool = True, depth: int | None = None
) -> Strategy | None:
    """Return a strategy with which `player` (default: the side to move) wins; None if there is none.

    probe: returns the value of a position, or raises Unsettled. draw_ok: whether a draw is enough. depth: the number of
    the player's moves after which the strategy ends. In each position, the first move that reaches the goal is taken,
    in the order of the squares, even if another wins sooner. Moves of unknown value are passed over. Raises Unsettled
    if no other move reaches the goal, and NotationError if `player` is invalid.
    """
    side, least = parse_player(player or position.to_move), 0 if draw_ok else 1
    last = position.rules.squares if depth is None else position.ply + 2 * depth

    def choose(at: Position) -> int | None:
        if at.to_move != side or at.ply >= last:
            return None
        unsettled = None
        for square in at.legal_moves:
            try:
                if -probe(at.play(square)).wdl >= least:
                    return square
            except Unsettled as error:
                unsettled = unsettled or error
        if unsettled:
            raise unsettled
        return None

    if position.to_move == side and not position.is_over:
        found = choose(position) is not None
    else:
        found = probe(position).wdl * (1 if position.to_move == side else -1) >= least
    return follow_moves(position, side, choose) if found else None


def parse_player(player: str) -> Side:
    """Return `X` or `O`, given in either case. Raises NotationError for any other string."""
    if player.upper() not in OTHER:
        raise NotationError(f"The player {quoted(player)} is neither X nor O; write X or O.")
    return "X" if player.upper() == "X" else "O"


def read_board(rules: Rules, board: object) -> Position:
    """Return the stones on a board in any notation except moves, whichever side moved first. Raises NotationError."""
    stones = read(rules, board)
    if isinstance(stones, list):
        raise NotationError(f"A strategy needs a board, not moves such as {quoted(board)}; write its rows.")
    return Position._of(rules, *stones)
