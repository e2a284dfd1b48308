"""Immutable positions of a game, each with two bitboards and the rules.

Bit s of a bitboard is square s. X moves first, so X is to move if both sides have equally many stones. The base-3 hash
(`solver.game.base3`) identifies a position in tables and files.
"""

from collections.abc import Iterable, Iterator, Sequence
from operator import index
from typing import Final, Literal

from solver.errors import IllegalMove, ImpossiblePosition, quoted
from solver.game.base3 import decode, encode
from solver.game.legality import covered, reason_impossible, reason_out_of_order, vacant
from solver.game.lines import completed_in, squares_of
from solver.game.notation import parse_move, read, read_moves, square_name
from solver.game.rules import MAX_BOARD, Rules, Side
from solver.game.symmetry import Permutation, transform
from solver.game.value import Value
from solver.support.english import plural

Outcome = Literal["X", "O", "draw"]

_BIT: Final = tuple(1 << square for square in range(MAX_BOARD + 1))
_UNKNOWN: Final = -1
_POWER: Final[tuple[int, ...]] = tuple([3**square for square in range(MAX_BOARD)])


class Position:
    """A position that can arise in play: `rules`, and the bitboards `x` and `o`.

    Positions of the same game with the same stones are equal, even if the board is drawn differently.
    Raises ImpossiblePosition, with the reason, if no order of legal moves leads to the stones.

    >>> position = Position.parse(parse_game("3,3,3"), "XO./.X./...")
    >>> position.hash, position.to_move, position.outcome
    (88, 'O', None)
    >>> position.play(8).play(2).undo(2) == position.play(8)
    True
    """

    __slots__ = ("_line", "o", "rules", "x")

    rules: Rules
    """The rules of the game."""
    x: int
    """The bitboard of X: bit s is set if X has a stone on square s."""
    o: int
    """The bitboard of O, likewise."""
    _line: int  # the squares of completed lines, or _UNKNOWN until they are needed

    def __init__(self, rules: Rules, x: int = 0, o: int = 0) -> None:
        x, o = index(x), index(o)  # plain integers, because those of NumPy overflow
        reason = reason_impossible(rules, x, o)
        if reason:
            raise ImpossiblePosition(f"This position of {rules} can't arise in play: {reason}.")
        _set_rules(self, rules)
        _set_x(self, x)
        _set_o(self, o)
        _set_line(self, _UNKNOWN)

    @staticmethod
    def _of(rules: Rules, x: int, o: int, line: int = _UNKNOWN) -> "Position":
        """Return a position without checking that it can arise. line: the mask of its completed lines, if known."""
        position = _new(Position)
        _set_rules(position, rules)
        _set_x(position, x)
        _set_o(position, o)
        _set_line(position, line)
        return position

    # Reading

    @staticmethod
    def start(rules: Rules) -> "Position":
        """Return the empty board."""
        return Position._of(rules, 0, 0, 0)

    @staticmethod
    def parse(rules: Rules, given: object) -> "Position":
        """Return the position that `given` describes in any notation: a string, list, array, hash or moves.

        Raises NotationError, ImpossiblePosition, or IllegalMove (if `given` consists of moves).
        """
        if isinstance(given, Position):
            given = given.board
        found = read(rules, given)
        return Position.from_moves(rules, found) if isinstance(found, list) else Position(rules, *found)

    @staticmethod
    def from_moves(rules: Rules, moves: Iterable[int | str]) -> "Position":
        """Return the position after moves: numbers of squares, or names such as `"a1 b2"` or `["d", "d"]`.

        Raises NotationError or IllegalMove.
        """
        position = Position.start(rules)
        if isinstance(moves, str):
            moves = read_moves(rules, moves) if moves.strip() else []
        for move in moves:
            taken = position.x | position.o
            position = position.play(parse_move(rules, taken, move) if isinstance(move, str) else move)
        return position

    # Stones

    @property
    def ply(self) -> int:
        """The number of stones on the board."""
        return (self.x | self.o).bit_count()

    @property
    def to_move(self) -> Side:
        """The side to move, `X` or `O`; after the end of the game, the side that would be to move."""
        return "O" if (self.x | self.o).bit_count() & 1 else "X"

    @property
    def own(self) -> int:
        """The bitboard of the side to move."""
        return self.o if (self.x | self.o).bit_count() & 1 else self.x

    @property
    def other(self) -> int:
        """The bitboard of the side that is not to move."""
        return self.x if (self.x | self.o).bit_count() & 1 else self.o

    @property
    def hash(self) -> int:
        """The base-3 hash: the sum of digit * 3**square, with digit 0 for empty, 1 for X and 2 for O."""
        return encode(self.x, self.o)

    @property
    def board(self) -> str:
        """The rows as a string: `XO./.X./...`."""
        return self.rules.diagram.write(self.cells)

    @property
    def cells(self) -> tuple[str, ...]:
        """The content of each square: `X`, `O` or `.`."""
        x, o = self.x, self.o
        return tuple(["X" if x & bit else "O" if o & bit else "." for bit in _BIT[: self.rules.squares]])

    # The end of the game

    @property
    def winning_line(self) -> int:
        """The bitmask of all squares in completed lines (in misere, lines of the loser); 0 if no line is completed."""
        line = self._line
        if line == _UNKNOWN:
            line = completed_in(self.rules.x_index, self.x) | completed_in(self.rules.o_index, self.o)
            _set_line(self, line)
        return line

    @property
    def outcome(self) -> Outcome | None:
        """The winner, `X` or `O`, or `draw`; None before the end of the game."""
        line = self._line
        if line == _UNKNOWN:
            line = self.winning_line
        if line:
            return "O" if (line & self.x == 0) != self.rules.misere else "X"
        if (self.x | self.o).bit_count() == self.rules.plies:
            return self.rules.unfinished or "draw"
        return None

    @property
    def result(self) -> str:
        """The result as a sentence: `The game is over: X has won.`; an empty string before the end of the game."""
        outcome = self.outcome
        if outcome is None:
            return ""
        return "The game is over: a draw." if outcome == "draw" else f"The game is over: {outcome} has won."

    @property
    def is_over(self) -> bool:
        """True if a line is completed or no ply is left."""
        return self.outcome is not None

    @property
    def value_if_over(self) -> Value | None:
        """The value of a finished game for the side to move, with distance 0; None before the end."""
        outcome = self.outcome
        if outcome is None:
            return None
        return Value(0 if outcome == "draw" else 1 if outcome == self.to_move else -1, 0)

    # Moving

    @property
    def legal_moves(self) -> tuple[int, ...]:
        """The squares where the side to move may place a stone, ascending; empty after the end of the game."""
        taken = self.x | self.o
        if self.winning_line or taken.bit_count() == self.rules.plies:
            return ()
        return tuple(squares_of(vacant(self.rules, taken)))

    def play(self, square: int) -> "Position":
        """Return the position after the side to move places a stone on `square`. Raises IllegalMove."""
        rules, x, o = self.rules, self.x, self.o
        taken = x | o
        if not 0 <= square < rules.squares or square is True or square is False:
            raise self._illegal(square)
        if self.winning_line or taken & _BIT[square]:
            raise self._illegal(square)
        below = rules.supports[square]
        if below >= 0 and not taken & _BIT[below]:
            raise self._illegal(square)
        ply = taken.bit_count()
        if ply == rules.plies:
            raise self._illegal(square)
        if ply & 1:
            stones = o = o | _BIT[square]
            through = rules.o_lines_through[square]
        else:
            stones = x = x | _BIT[square]
            through = rules.x_lines_through[square]
        line = 0
        for mask, guard in through:
            if stones & mask == mask and not stones & guard:
                line |= mask
        return Position._of(rules, x, o, line)

    def undo(self, square: int) -> "Position":
        """Return the position before the stone on `square` was placed.

        Raises IllegalMove if this cannot have been the last move: `square` has no stone of the side that moved last,
        another stone is on top, or the earlier position cannot arise in play.
        """
        rules, x, o = self.rules, self.x, self.o
        mover, stones, index = ("O", o, rules.o_index) if self.to_move == "X" else ("X", x, rules.x_index)
        if not 0 <= square < rules.squares or not stones & _BIT[square]:
            raise IllegalMove(f"{self._square(square)} holds no stone of {mover}, who moved last.")
        if covered(rules, x | o) & _BIT[square]:
            raise IllegalMove(f"The stone on {self._square(square)} can't be taken back: another stands on it.")
        x, o = x & ~_BIT[square], o & ~_BIT[square]
        if completed_in(index, stones & ~_BIT[square]) or reason_out_of_order(rules, x, o):
            raise IllegalMove(
                f"The stone on {self._square(square)} can't have been the last move: "
                "no game leads to the position before it."
            )
        return Position._of(rules, x, o)

    def _illegal(self, square: int) -> IllegalMove:
        rules, outcome = self.rules, self.outcome
        if outcome is not None:
            result = "a draw" if outcome == "draw" else f"won by {outcome}"
            return IllegalMove(f"The game is over ({result}), so no stone can be placed on {self._square(square)}.")
        if not 0 <= square < rules.squares or isinstance(square, bool):
            number = quoted(square)[1:-1]
            return IllegalMove(f"There is no square {number} on the board of {rules}; play 0 to {rules.squares - 1}.")
        if (self.x | self.o) & _BIT[square]:
            return IllegalMove(f"{self._square(square)} is taken; play an empty square.")
        return IllegalMove(f"A stone on {self._square(square)} would float; play the lowest empty square of a column.")

    def _square(self, square: int) -> str:
        on_board = 0 <= square < self.rules.squares
        return f"{square_name(self.rules, square)} (square {square})" if on_board else f"Square {quoted(square)[1:-1]}"

    # Symmetry

    def transform(self, permutation: Permutation) -> "Position":
        """Return the image under `permutation`, a symmetry of the rules that maps square s to permutation[s]."""
        return Position._of(self.rules, transform(self.x, permutation), transform(self.o, permutation))

    def image_hashes(self) -> set[int]:
        """Return the hashes of the images under `rules.board_symmetries`."""
        found = {self.hash}
        for permutations, _ in self.rules.board_symmetries.steps:
            found = _image_hashes(found, permutations)
        return found

    def canonical(self) -> "Position":
        """Return the canonical form: the image under `rules.board_symmetries` with the smallest hash."""
        found = {self.hash}
        for permutations, fixed in self.rules.board_symmetries.steps:
            images = _image_hashes(found, permutations)
            least = min(images) // _POWER[fixed]
            found = {image for image in images if image // _POWER[fixed] == least}
        return Position._of(self.rules, *decode(min(found)))

    # Text and pictures

    def __str__(self) -> str:
        from solver.drawing.diagram import text_board

        return text_board(self.rules.diagram, self.cells, highlight=squares_of(self.winning_line))

    def __repr__(self) -> str:
        return f"Position.parse(parse_game({self.rules.name!r}), {self.board!r})"

    def _repr_svg_(self) -> str:
        from solver.drawing.board import draw_board
        from solver.drawing.canvas import svg
        from solver.game.diagrams import line_strokes

        line, strokes = squares_of(self.winning_line), line_strokes(self.rules)
        return svg(draw_board(self.rules.diagram, self.cells, title=self.summary, highlight=line, strokes=strokes))

    @property
    def summary(self) -> str:
        """A title: the game, and the side to move or the result."""
        outcome = self.outcome
        state = {None: f"{self.to_move} to move", "draw": "draw"}.get(outcome, f"{outcome} has won")
        when = f" after {plural(self.ply, 'ply', 'plies')}" if self.ply else ", empty board"
        return f"{self.rules}: {state}{when}"

    # Equality

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        same_game = self.rules is other.rules or self.rules.is_same_game(other.rules)
        return self.x == other.x and self.o == other.o and same_game

    def __hash__(self) -> int:
        return hash((self.x, self.o))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"A position is immutable (tried to set {name!r}); play() returns a new one.")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"A position is immutable (tried to delete {name!r}).")

    def __reduce__(self) -> tuple[object, ...]:
        return Position._of, (self.rules, self.x, self.o)


def reachable_positions(rules: Rules) -> Iterator[Position]:
    """Yield every position that can arise in play, including finished ones, ply by ply.

    >>> sum(1 for _ in reachable_positions(parse_game("3,3,3")))
    5478
    """
    level = [Position.start(rules)]
    while level:
        yield from level
        level = list(dict.fromkeys(position.play(square) for position in level for square in position.legal_moves))


# The slots' own setters: `__setattr__` does not block them, and a call takes a fraction of a microsecond.
_new: Final = object.__new__
_set_rules: Final = Position.__dict__["rules"].__set__
_set_x: Final = Position.__dict__["x"].__set__
_set_o: Final = Position.__dict__["o"].__set__
_set_line: Final = Position.__dict__["_line"].__set__


def _image_hashes(hashes: Iterable[int], permutations: Sequence[Permutation]) -> set[int]:
    images = set[int]()
    for x, o in map(decode, hashes):
        xs, os = tuple(squares_of(x)), tuple(squares_of(o))
        images |= {sum([_POWER[p[s]] for s in xs]) + 2 * sum([_POWER[p[s]] for s in os]) for p in permutations}
    return images
