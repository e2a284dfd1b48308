"""A complete strategy of one side, read from a table: its move in every position it can meet, and every reply to that.

This is the model behind a poster; nothing here draws. Positions that several lines of play lead to are one node, so
that a strategy is a graph whose nodes are the positions that the other side can bring about.
"""

from dataclasses import dataclass
from typing import NamedTuple

from solver.game.lines import completed, squares_of
from solver.game.position import Position
from solver.game.rules import Rules
from solver.game.value import CATEGORIES
from solver.tablebase import Prober


class TooLarge(Exception):
    """The strategy has boards nested deeper, or more boards, than was asked for; the text says which."""


class Reply(NamedTuple):
    """A move of the other side, and what follows."""

    square: int
    position: Position
    """The position after the reply."""
    then: "Node | str"
    """The node that answers it; where neither side has a choice any more, how the game ends for the player."""


@dataclass(frozen=True, eq=False)
class Node:
    """A position, the player's move in it, and every reply to that."""

    position: Position
    move: int | None
    """None only on the empty board when the other side begins."""
    verdict: str
    """`win`, `draw` or `loss`: what the player reaches when both sides play their best."""
    after: Position
    """The position after the move."""
    replies: tuple[Reply, ...]
    """In the order of the squares; none when the move ends the game."""

    @property
    def level(self) -> int:
        """The number of boards that its board is nested in: one for each earlier move of the side that began."""
        return level_of(self.position)

    @property
    def lines(self) -> list[list[int]]:
        """The squares of each line that the move completes."""
        position = self.after
        sides = ((position.rules.x_lines, position.x), (position.rules.o_lines, position.o))
        made = [completed([line], stones) for lines, stones in sides for line in lines]
        return [[*squares_of(line)] for line in made if line]


@dataclass(frozen=True)
class Strategy:
    """The strategy of a player from the empty board."""

    rules: Rules
    player: str
    """`X` or `O`."""
    nodes: tuple[Node, ...]
    """Every node once, each before those that it leads to first."""

    @property
    def root(self) -> Node:
        """The node at which the game begins."""
        return self.nodes[0]

    @property
    def other(self) -> str:
        """The other player, `X` or `O`."""
        return "O" if self.player == "X" else "X"

    @property
    def levels(self) -> int:
        """The number of boards that are nested in each other at most, the outermost one counted."""
        return 1 + max(node.level for node in self.nodes)

    @property
    def changes(self) -> set[str]:
        """The verdicts of nodes that differ from that of the node before them."""
        thens = ((node, reply.then) for node in self.nodes for reply in node.replies)
        return {then.verdict for node, then in thens if isinstance(then, Node) and then.verdict != node.verdict}

    @property
    def ends(self) -> set[str]:
        """How games end for the player where nothing is left to choose."""
        return {reply.then for node in self.nodes for reply in node.replies if isinstance(reply.then, str)}


def read_strategy(tables: Prober, rules: Rules, player: str, *, levels: int, most: int) -> Strategy:
    """Read the perfect strategy of a player: the first of the best moves in every position.

    So it wins as fast as it can, loses as late, and takes the first square among equals. levels: how many boards
    may be nested in each other. most: how many there may be in all. Raises TooLarge, MissingTable, DamagedTable.
    """
    found: dict[Position, Node | None] = {}  # in the order in which they were entered

    def read(position: Position) -> Node:
        known = found.get(position)
        if known:
            return known
        if level_of(position) >= levels:
            raise TooLarge(f"it nests more than {levels} boards in each other")
        if len(found) >= most:
            raise TooLarge(f"it has more than {most:,} boards")
        found[position] = None  # keeps its place before the nodes it leads to
        mine = position.to_move == player
        wdl = tables.probe_wdl(position) * (1 if mine else -1)
        move = tables.best_move(position) if mine else None
        after = position if move is None else position.play(move)
        replies = tuple(read_reply(square, after.play(square)) for square in after.legal_moves)
        node = found[position] = Node(position, move, CATEGORIES[wdl], after, replies)
        return node

    def read_reply(square: int, position: Position) -> Reply:
        end = forced_end(position)
        return Reply(square, position, _result(end, player) if end else read(position))

    read(Position.start(rules))
    return Strategy(rules, player, tuple(node for node in found.values() if node))


def forced_end(position: Position) -> Position | None:
    """Play on while there is one legal move; return the end of the game, or None where a side has a choice."""
    while not position.is_over:
        moves = position.legal_moves
        if len(moves) > 1:
            return None
        position = position.play(moves[0])
    return position


def level_of(position: Position) -> int:
    """Give the number of boards that the board of a position is nested in."""
    return (position.ply + 1) // 2


def _result(end: Position, player: str) -> str:
    """Give `win`, `draw` or `loss`: how a finished game has ended for a player."""
    return "draw" if end.outcome == "draw" else "win" if end.outcome == player else "loss"
