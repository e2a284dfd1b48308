"""From a strategy to the tiles of its map, and what can be said about it in words."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from solver.drawing.nested import Tile
from solver.game.lines import squares_of
from solver.game.position import Position
from solver.game.squares import square_name
from solver.game.value import CATEGORIES
from solver.pictures.strategy import Board, Strategy

__all__ = ["Map", "example", "map_of", "told"]


@dataclass(frozen=True)
class Map:
    """A strategy, and one tile for each of its boards, in their order."""

    strategy: Strategy
    tiles: Sequence[Tile]

    @property
    def player(self) -> str:
        """Whose strategy it is, `X` or `O`."""
        return self.strategy.player

    @property
    def verdict(self) -> str:
        """`win`, `draw` or `loss`: what the player reaches at least."""
        return self.tiles[0].verdict

    @property
    def changes(self) -> set[str]:
        """The verdicts of boards that differ from that of the board they lie in."""
        inner = ((tile, self.tiles[number]) for tile in self.tiles for number in tile.tiles.values())
        return {then.verdict for tile, then in inner if then.verdict != tile.verdict}

    @property
    def ends(self) -> set[str]:
        """How the game ends where nothing is left to choose."""
        return {end for tile in self.tiles for end in tile.ends.values()}


def map_of(strategy: Strategy) -> Map:
    """The map of a strategy."""
    numbers = {board: number for number, board in enumerate(strategy.boards)}
    tiles = [
        Tile(
            board.position.cells,
            board.move,
            CATEGORIES[board.wdl],
            completed_lines(board.after),
            {reply.square: numbers[reply.then] for reply in board.replies if reply.then},
            {reply.square: ended(reply.end, strategy.player) for reply in board.replies if reply.end},
        )
        for board in strategy.boards
    ]
    return Map(strategy, tiles)


def completed_lines(position: Position) -> list[list[int]]:
    """The squares of each completed line."""
    if not position.winning_line:
        return []
    lines = (
        line
        for line in position.rules.lines
        for stones in (position.x, position.o)
        if stones & line.mask == line.mask and not stones & line.guard
    )
    return [[*squares_of(line.mask)] for line in lines]


def ended(end: Position, player: str) -> str:
    """`win`, `draw` or `loss`: how a finished game has ended for a player."""
    outcome = end.outcome
    return "draw" if outcome == "draw" else "win" if outcome == player else "loss"


def told(each: Map) -> str:
    """The first moves in words, for those who can't see the map."""
    return " ".join(_told(each.strategy.root, each.player))


def _told(root: Board, player: str) -> Iterator[str]:
    other = "O" if player == "X" else "X"
    if root.move is not None:
        yield f"{player} begins on {_name(root, root.move)}."
    for reply in root.replies:
        if reply.then and reply.then.move is not None:
            yield f"To {_name(root, reply.square)} of {other} it answers {_name(root, reply.then.move)}."


def example(strategy: Strategy) -> str:
    """How to find one's way, by a line of play in which the other side gives nothing away where it can."""
    root, player = strategy.root, strategy.player
    other = "O" if player == "X" else "X"
    words = [] if root.move is None else [f"{player} begins on {_name(root, root.move)}."]
    board = root
    for where in ("the small board there", "the board within that one"):
        replies = [(reply.then.wdl, reply.square, reply.then) for reply in board.replies if reply.then]
        if not replies:
            break
        _, square, board = min(replies, key=lambda reply: reply[:2])
        answer = _name(board, board.move or 0)
        words.append(f"{other} plays {_name(board, square)}: {where} answers {answer}.")
    return " ".join(words)


def _name(board: Board, square: int) -> str:
    return square_name(board.position.rules, square)
