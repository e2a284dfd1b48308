"""A complete strategy of one side, read from a table, and its drawing as boards within the squares of boards.

A strategy is a graph: a position that several lines of play lead to is one node. Each board is drawn once and shown at
the scale of the square that contains it. The player's move is large and bold, earlier stones are pale, and each other
square contains the board with the player's answer to a reply there. The idea is from Randall Munroe's map of
tic-tac-toe (xkcd 832).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from textwrap import wrap
from typing import Final

from solver.drawing.canvas import Element, element, place, stone, text, verdict_mark
from solver.drawing.palette import EDGE, LINE, PALE, PALE_STONES, PAPER, STONES, TONES
from solver.game.lines import completed, squares_of
from solver.game.position import Position
from solver.game.rules import OTHER, Rules
from solver.game.value import CATEGORIES
from solver.tablebase import Prober


class StrategyTooLarge(Exception):
    """Raised if a strategy has more levels or boards than allowed."""


@dataclass(frozen=True, eq=False)
class StrategyNode:
    """A position, the player's move in it, and the answers to all replies."""

    position: Position
    move: int | None  # the player's move; None only on the empty board if the other side begins
    verdict: str  # the player's result if both sides play perfectly: `win`, `draw` or `loss`
    after: Position  # the position after the move
    replies: Mapping[int, "StrategyNode | str"]
    """By the square of each reply, ascending: the node with the player's answer or, if neither side has a choice any
    more, the result for the player."""

    @property
    def answers(self) -> dict[int, "StrategyNode"]:
        """The nodes among `replies`."""
        return {square: then for square, then in self.replies.items() if isinstance(then, StrategyNode)}

    @property
    def level(self) -> int:
        """The number of boards that enclose the node's board: one for each earlier move of X."""
        return (self.position.ply + 1) // 2

    @property
    def lines(self) -> list[list[int]]:
        """The squares of each line that the move completes."""
        position = self.after
        sides = ((position.rules.x_lines, position.x), (position.rules.o_lines, position.o))
        made = [completed([line], stones) for lines, stones in sides for line in lines]
        return [[*squares_of(line)] for line in made if line]


@dataclass(frozen=True)
class Strategy:
    """A player's strategy, from the empty board on."""

    rules: Rules
    player: str  # `X` or `O`
    nodes: tuple[StrategyNode, ...]  # every node once, before the nodes that it leads to

    @property
    def root(self) -> StrategyNode:
        """The node at which the game begins."""
        return self.nodes[0]

    @property
    def other(self) -> str:
        """The other player."""
        return OTHER[self.player]

    @property
    def levels(self) -> int:
        """The depth of the nested boards, counting the outermost one."""
        return 1 + max(node.level for node in self.nodes)

    @property
    def changes(self) -> set[str]:
        """The verdicts of all nodes whose verdict differs from that of a parent node."""
        verdicts = ((node.verdict, then.verdict) for node in self.nodes for then in node.answers.values())
        return {after for before, after in verdicts if after != before}

    @property
    def ends(self) -> set[str]:
        """The player's results after all replies that leave neither side a choice."""
        return {then for node in self.nodes for then in node.replies.values() if isinstance(then, str)}


def read_strategy(tables: Prober, rules: Rules, player: str, *, levels: int, most: int) -> Strategy:
    """Return a player's perfect strategy: in every position, the first of the best moves.

    It wins as fast and loses as late as possible. levels: the maximum depth of nested boards. most: the maximum number
    of boards in total. Raises StrategyTooLarge, MissingTable, DamagedTable.
    """
    found: dict[Position, StrategyNode | None] = {}  # in order of insertion

    def read(position: Position) -> StrategyNode:
        known = found.get(position)
        if known:
            return known
        if (position.ply + 1) // 2 >= levels:
            raise StrategyTooLarge(f"it nests more than {levels} boards in each other")
        if len(found) >= most:
            raise StrategyTooLarge(f"it has more than {most:,} boards")
        found[position] = None  # keeps its place before the nodes it leads to
        mine = position.to_move == player
        wdl = tables.probe_wdl(position) * (1 if mine else -1)
        move = tables.best_move(position) if mine else None
        after = position if move is None else position.play(move)
        replies = {square: read_reply(after.play(square)) for square in after.legal_moves}
        node = found[position] = StrategyNode(position, move, CATEGORIES[wdl], after, replies)
        return node

    def read_reply(position: Position) -> StrategyNode | str:
        end = forced_end(position)
        return {"draw": "draw", player: "win"}.get(end.outcome or "", "loss") if end else read(position)

    read(Position.start(rules))
    return Strategy(rules, player, tuple(node for node in found.values() if node))


def forced_end(position: Position) -> Position | None:
    """Return the final position if every remaining ply has only one legal move; None if a side has a choice."""
    while not position.is_over:
        moves = position.legal_moves
        if len(moves) > 1:
            return None
        position = position.play(moves[0])
    return position


# The map

CELL: Final = 100  # units of the side of a square
_FIT: Final = 0.92  # the width of a nested board as a share of the square that contains it
_REACH: Final = 26  # the distance from the middle of a stone to the middle of its stroke
_BOLD, _THIN = 17, 6  # widths of strokes
# The fill, the frame and the dashes of the card below a board, by the verdict for the player.
_CARDS: Final = {
    "win": (TONES["win"].tint, TONES["win"].ink, None),
    "draw": (PAPER, EDGE, None),
    "loss": (TONES["loss"].tint, TONES["loss"].ink, "9 7"),
}


def nested_scale(rules: Rules) -> float:
    """Return the size of a nested board as a share of the enclosing board."""
    return _FIT / max(rules.diagram.rows, rules.diagram.columns)


def bold_size(rules: Rules, levels: int) -> float:
    """Return the width of the player's move in the innermost of `levels` boards; the outermost board is 1 wide."""
    return (2 * _REACH + _BOLD) / (CELL * rules.diagram.columns) * nested_scale(rules) ** (levels - 1)


def use(name: str, x: float = 0, y: float = 0, scale: float = 1) -> Element:
    """Return a reference to an element of `shared_signs` or `strategy_map`.

    name: such as `X` for a bold stone, `x` for a pale one, `win` for a card, `end-win`, `board-0` or `grid`.
    """
    if scale != 1:
        return element("use", href=f"#{name}", transform=place(x, y, scale))
    return element("use", href=f"#{name}", x=x or None, y=y or None)


def shared_signs() -> Iterator[Element]:
    """Yield the elements to which `use` refers in maps: stones, cards, and marks for the results of games."""
    middle = CELL // 2
    for side in "XO":
        yield stone(side, middle, middle, _REACH, STONES[side], _BOLD, side)
        yield stone(side, middle, middle, _REACH, PALE_STONES[side], _THIN, side.lower())
    for verdict in _CARDS:
        yield element("g", card(4, 4, CELL - 8, CELL - 8, verdict), id=verdict)
    for verdict in _CARDS:
        yield element("g", verdict_mark(verdict, 72, 74, 19), id=f"end-{verdict}")


def strategy_map(strategy: Strategy) -> Iterator[Element]:
    """Yield the grid and the boards of a strategy, to which `use` refers."""
    rows, columns = strategy.rules.diagram.rows, strategy.rules.diagram.columns
    grid = [f"M{column * CELL} 5V{rows * CELL - 5}" for column in range(1, columns)]
    grid += [f"M5 {row * CELL}H{columns * CELL - 5}" for row in range(1, rows)]
    yield element("path", id="grid", d="".join(grid), stroke=EDGE, stroke_width=1.8, stroke_linecap="round")
    numbers = {node: number for number, node in enumerate(strategy.nodes)}
    for node, number in numbers.items():
        yield element("g", *_board(node, strategy, numbers), id=f"board-{number}")


def card(x: float, y: float, width: float, height: float, verdict: str) -> Element:
    """Return the background of a board, tinted and framed according to the verdict."""
    fill, frame, dashes = _CARDS[verdict]
    size = {"x": x, "y": y, "width": width, "height": height}
    return element("rect", **size, rx=7, fill=fill, stroke=frame, stroke_width=1.8, stroke_dasharray=dashes)


def strike(line: Sequence[int], n: int) -> Element:
    """Return a stroke through the squares of a line, with gaps where the line wraps around an edge of the board."""
    path, before = "", None
    for square in line:
        joined = before is not None and max(abs(square // n - before // n), abs(square % n - before % n)) == 1
        path += f"{'L' if joined else 'M'}{square % n * CELL + CELL // 2} {square // n * CELL + CELL // 2}"
        path += "" if joined else "h0"
        before = square
    ends = {"stroke_linecap": "round", "stroke_linejoin": "round"}
    return element("path", d=path, fill="none", **ends, stroke=LINE, stroke_width=11)


def _board(node: StrategyNode, strategy: Strategy, numbers: Mapping[StrategyNode, int]) -> Iterator[Element]:
    rules, player = strategy.rules, strategy.player
    scale = nested_scale(rules)
    indent_x, indent_y = ((1 - side * scale) * CELL / 2 for side in (rules.diagram.columns, rules.diagram.rows))
    yield use("grid")
    for square, cell in enumerate(node.position.cells):
        x, y = square % rules.diagram.columns * CELL, square // rules.diagram.columns * CELL
        then = node.replies.get(square)
        if square == node.move:
            yield use(player, x, y)
        elif isinstance(then, StrategyNode):
            if then.verdict != node.verdict:
                yield use(then.verdict, x, y)
            yield use(f"board-{numbers[then]}", x + indent_x, y + indent_y, scale)
        elif then:
            yield use(strategy.other.lower(), x + 8, y + 8, 0.62)
            yield use(f"end-{then}", x, y)
        elif cell in STONES:
            yield use(cell.lower(), x, y)
    for line in node.lines:
        yield strike(line, rules.diagram.columns)


_SIGN, _GAP, _LINE, _LETTERS = 58, 16, 22, 17  # sizes in units of the picture; the last, of the letters
_LETTER_WIDTH: Final = 0.58  # the width of letters of size 1 in wide fonts

_FROM_HERE: Final = {
    "win": "A win from here on: {other} has gone wrong.",
    "draw": "A draw from here on, at least.",
    "loss": "Lost from here on, unless {other} goes wrong.",
}
_FROM_THE_START: Final = {"win": "A win, whatever {other} plays.", "loss": _FROM_HERE["loss"]}
_ENDS: Final = {"win": "won", "draw": "drawn", "loss": "lost"}


KeyEntry = tuple[Sequence[Element], str]  # a sign, drawn in a square of CELL units, and its meaning


def key_entries(strategy: Strategy) -> Iterator[KeyEntry]:
    """Yield the signs in the map of a strategy, with their meanings."""
    player, other, changes = strategy.player, strategy.other, strategy.changes
    yield [use(player)], "Bold: the move to play."
    yield [use("x", -22), use("o", 22)], "Pale: stones played before."
    yield _nested(strategy), f"A board in a square: the answer when {other} plays there."
    for verdict, meaning in _FROM_HERE.items():
        if verdict in changes:
            yield [card(4, 4, CELL - 8, CELL - 8, verdict)], meaning.format(other=other)
        elif verdict == strategy.root.verdict != "draw":  # the card of a draw looks like the paper
            yield [card(4, 4, CELL - 8, CELL - 8, verdict)], _FROM_THE_START[verdict].format(other=other)
    if any(node.lines for node in strategy.nodes):
        stones = [use(player, x, 0.3 * CELL, 0.4) for x in (-10, 30, 70)]
        line = element("g", strike([0, 1, 2], 3), transform=place(-10, 30, 0.4))
        yield [*stones, line], "A completed line: the game is over."
    verdicts = [verdict for verdict in _ENDS if verdict in strategy.ends]
    if verdicts:
        places = {1: [50], 2: [25, 75], 3: [10, 50, 90]}[len(verdicts)]
        radius = 34 if len(verdicts) == 1 else 17
        signs = [verdict_mark(verdict, x, CELL / 2, radius) for verdict, x in zip(verdicts, places, strict=True)]
        yield signs, f"No choice is left: {', '.join(_ENDS[verdict] for verdict in verdicts)}."


def draw_key(entries: Sequence[KeyEntry], x: float, y: float, width: float, rows: int) -> Iterator[Element]:
    """Yield the key, in at most `rows` rows and at least two columns, with its top left corner at (x, y)."""
    columns = max(2, ceil(len(entries) / rows))
    room = width / columns
    for number, (sign, meaning) in enumerate(entries):
        left, top = x + number % columns * room, y + number // columns * (_SIGN + _GAP)
        yield element("g", *sign, transform=place(left, top, _SIGN / CELL))
        lines = wrap(meaning, int((room - _SIGN - 2 * _GAP) / (_LETTERS * _LETTER_WIDTH)))
        middle = top + _SIGN / 2 + _LETTERS * 0.35 - (len(lines) - 1) * _LINE / 2
        for row, line in enumerate(lines):
            yield text(left + _SIGN + _GAP, middle + row * _LINE, line, _LETTERS)


def _nested(strategy: Strategy) -> list[Element]:
    rules, player, scale = strategy.rules, strategy.player, nested_scale(strategy.rules)
    left, top = (CELL * (1 - side * scale) / 2 for side in (rules.diagram.columns, rules.diagram.rows))
    row, column = divmod(rules.squares // 2, rules.diagram.columns)
    side = CELL * scale
    return [
        element("rect", x=2, y=2, width=CELL - 4, height=CELL - 4, fill="none", stroke=PALE, stroke_width=2.5),
        use("grid", left, top, scale),
        use(player, left + column * side, top + row * side, scale),
    ]
