"""A poster: a complete perfect strategy of X or O, drawn on one sheet of paper as boards within the squares of boards.

Each board is drawn once and shown at the scale of the square that contains it. The player's move is large and bold,
earlier stones are pale, and an empty square contains a board: the player's answer if the other side replies there. The
idea is from Randall Munroe's map of tic-tac-toe (xkcd 832).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from textwrap import wrap
from typing import TYPE_CHECKING, Final

from solver.drawing.canvas import Element, element, page, place, stone, svg, text, verdict_mark
from solver.drawing.diagram import column_name
from solver.drawing.palette import EDGE, LINE, PALE, PALE_STONES, PAPER, STONES, TONES
from solver.errors import PictureError, RulesError
from solver.game.descriptions import describe_rules
from solver.game.lines import completed, squares_of
from solver.game.notation import square_name
from solver.game.position import Position
from solver.game.rules import OTHER, Rules, Side
from solver.game.strategies import Strategy, follow_moves, parse_player, result_for
from solver.game.value import CATEGORIES, Category
from solver.support.english import plural

if TYPE_CHECKING:
    from solver.search.truth import Truth

LEAST: Final = 0.6
"""The width in millimetres of the narrowest move on a poster. At reading distance, letters of 0.4 mm are legible."""
WIDEST: Final = 841  # the width in millimetres of the widest print, on A0 paper
MOST_BOARDS: Final = 10_000

_WIDTH, _HEIGHT, _MARGIN = 1000, 1414, 60  # the sheet, in units of the picture
_LEAD, _LEAD_LINE, _LEAD_LETTERS = 138, 24, 18  # the text below the title: its top, its lines and its letters
_NAMES = 28  # the room for the names of rows and columns
_MAP = _WIDTH - 2 * _MARGIN - _NAMES  # the largest side of the map
_LETTER_WIDTH = 0.58  # the width of letters of size 1 in wide fonts
_KEY_GAP = 40
_AIMS: Final = {"win": "wins", "draw": "never loses", "loss": "holds out"}

# Of the map
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


class StrategyTooLarge(Exception):
    """Raised if a strategy has more levels or boards than allowed."""


def draw_poster(truth: "Truth", rules: Rules, player: str) -> str:
    """Return a poster of the strategy of `player`, `X` or `O`, as SVG.

    Raises RulesError if the board is not a rectangle, PictureError if the strategy is too deep to be legible in print,
    MissingTable, DamagedTable.
    """
    if not rules.diagram.is_grid:
        raise RulesError(f"A poster needs a complete rectangle of squares, unlike the board of {rules}.")
    strategy = _read(truth, rules, parse_player(player))
    boards, move = plural(len(strategy.verdicts), "board"), strategy.first_move
    opening = [] if move is None else [f"{player} begins on {square_name(rules, move)}."]
    example = " ".join([*opening, *_example(strategy)])
    words = f"{describe_rules(rules)}. Every reply is answered, in {boards}. {example}"
    room = _WIDTH - 2 * _MARGIN
    lead = wrap(words, int(room / (_LEAD_LETTERS * _LETTER_WIDTH)))
    title = f"{rules}: how {player} {_AIMS[strategy.verdict]}"
    map_top = _LEAD + (len(lead) - 1) * _LEAD_LINE + 24 + _NAMES
    key_top = map_top + rules.diagram.rows * CELL * _map_scale(rules) + _KEY_GAP
    advice = f"Print it at least {ceil(print_width(rules, strategy.levels))} mm wide, so that every move is legible."
    parts = [
        element("defs", *shared_signs(), *strategy_map(strategy)),
        text(_MARGIN, 100, title, min(44, int(room / (len(title) * 0.66))), font_weight=700),
        *(text(_MARGIN, _LEAD + i * _LEAD_LINE, line, _LEAD_LETTERS, ink=PALE) for i, line in enumerate(lead)),
        *_map(strategy, map_top),
        *draw_key([*key_entries(strategy)], _MARGIN, key_top, room, rows=3),
        text(_MARGIN, _HEIGHT - 30, f"mnk draw {rules} --poster --side {player}", 15, ink=PALE),
        text(_WIDTH - _MARGIN, _HEIGHT - 30, advice, 15, text_anchor="end", ink=PALE),
    ]
    moves = {square: strategy.moves[after] for square, after in strategy.answers(strategy.start).items()}
    answers = (
        f"If {strategy.other} plays {square_name(rules, reply)}, it answers {square_name(rules, move)}."
        for reply, move in moves.items()
    )  # for people who can't see the map
    description = " ".join([*lead, *opening, *answers])
    return svg(page(_WIDTH, _HEIGHT, parts, title=title, description=description, corner=0), dark=True)


def print_width(rules: Rules, levels: int) -> float:
    """Return the minimum sheet width, in millimetres, at which the innermost of `levels` nested boards is legible."""
    bold = (2 * _REACH + _BOLD) * nested_scale(rules) ** (levels - 1) * _map_scale(rules)
    return LEAST * _WIDTH / bold


def _map_scale(rules: Rules) -> float:
    """Return the size of a unit of the map, in units of the sheet."""
    return _MAP / (max(rules.diagram.rows, rules.diagram.columns) * CELL)


@dataclass(frozen=True, repr=False)
class PerfectStrategy(Strategy):
    """A player's perfect strategy from the empty board on. It wins as fast and loses as late as possible."""

    verdicts: Mapping[Position, Category]
    """The player's result under perfect play in `start` and in each position where the player has a choice."""

    @property
    def other(self) -> Side:
        """The other player."""
        return OTHER[self.player]

    @property
    def verdict(self) -> Category:
        """The player's result under perfect play."""
        return self.verdicts[self.start]

    @property
    def levels(self) -> int:
        """The number of levels of nested boards. The outermost board is level 1; each move of X leads to the next."""
        return 1 + max(_level(position) for position in self.verdicts)

    def answers(self, position: Position) -> dict[int, Position]:
        """Return the positions after each reply that has a board, by the square of the reply."""
        return {square: reply for square, reply in self.replies(position).items() if reply in self.verdicts}

    def ends(self, position: Position) -> dict[int, Category]:
        """Return the player's result after each reply that leaves neither side a choice, by the square of the reply."""
        ends = ((square, forced_end(reply)) for square, reply in self.replies(position).items())
        return {square: result for square, end in ends if end and (result := result_for(self.player, end))}

    def lines(self, position: Position) -> list[list[int]]:
        """Return the squares of each line that is complete after the player's move."""
        after, rules = self.after(position), self.start.rules
        sides = ((rules.x_lines, after.x), (rules.o_lines, after.o))
        made = [completed([line], stones) for lines, stones in sides for line in lines]
        return [[*squares_of(line)] for line in made if line]


def read_strategy(truth: "Truth", rules: Rules, player: Side, *, levels: int, most: int) -> PerfectStrategy:
    """Return a player's perfect strategy: in every position, the first of the best moves.

    levels: the maximum depth of nested boards. most: the maximum number of boards in total. Raises StrategyTooLarge,
    MissingTable (Unsettled, if a best move is unknown), DamagedTable.
    """
    verdicts = dict[Position, Category]()

    def choose(position: Position) -> int | None:
        if verdicts and forced_end(position):
            return None
        if _level(position) >= levels:
            raise StrategyTooLarge(f"it nests more than {levels} boards in each other")
        if len(verdicts) >= most:
            raise StrategyTooLarge(f"it has more than {most:,} boards")
        mine = position.to_move == player
        verdicts[position] = CATEGORIES[truth.probe(position).wdl * (1 if mine else -1)]
        return truth.best_move(position) if mine else None

    followed = follow_moves(Position.start(rules), player, choose)
    return PerfectStrategy(followed.start, player, followed.moves, verdicts)


def forced_end(position: Position) -> Position | None:
    """Return the final position if every remaining ply has only one legal move; None if a side has a choice."""
    while not position.is_over:
        moves = position.legal_moves
        if len(moves) > 1:
            return None
        position = position.play(moves[0])
    return position


def _level(position: Position) -> int:
    return (position.ply + 1) // 2


def _read(truth: "Truth", rules: Rules, player: Side) -> PerfectStrategy:
    levels = 1
    while print_width(rules, levels + 1) <= WIDEST:
        levels += 1
    try:
        return read_strategy(truth, rules, player, levels=levels, most=MOST_BOARDS)
    except StrategyTooLarge as error:
        raise PictureError(
            f"The strategy of {player} in {rules} can't be drawn legibly, because {error}; at the next depth a sheet "
            f"would be {print_width(rules, levels + 1):.0f} mm wide. "
            "Choose the other --side or a smaller game, or draw a part of the strategy with `mnk tree -o`."
        ) from error


def _example(strategy: PerfectStrategy) -> Iterator[str]:
    """Yield sentences about one line of play, in which the other side makes as few mistakes as possible."""
    position, rules = strategy.start, strategy.start.rules
    order = ("loss", "draw", "win")
    for where in ("the small board there", "the board within that one"):
        answers = strategy.answers(position)
        if not answers:
            break
        square, position = min(answers.items(), key=lambda answer: order.index(strategy.verdicts[answer[1]]))
        answer = square_name(rules, strategy.moves[position])
        yield f"{strategy.other} plays {square_name(rules, square)}: {where} answers {answer}."


def _map(strategy: PerfectStrategy, top: float) -> Iterator[Element]:
    """Yield the map, with the names of its rows and columns."""
    rules = strategy.start.rules
    scale = _map_scale(rules)
    side, columns, rows = CELL * scale, rules.diagram.columns, rules.diagram.rows
    left = _MARGIN + _NAMES + (_MAP - columns * side) / 2
    for column in range(columns):
        yield text(left + (column + 0.5) * side, top - 10, column_name(column), 18, text_anchor="middle", ink=PALE)
    for row in range(rows):
        yield text(left - 12, top + (row + 0.5) * side + 6, str(row + 1), 18, text_anchor="end", ink=PALE)
    ground = card(0, 0, columns * CELL, rows * CELL, strategy.verdict)
    yield element("g", ground, use("board-0"), transform=place(left, top, scale))


def nested_scale(rules: Rules) -> float:
    """Return the size of a nested board as a share of the enclosing board."""
    return _FIT / max(rules.diagram.rows, rules.diagram.columns)


def use(name: str, x: float = 0, y: float = 0, scale: float = 1) -> Element:
    """Return a `use` element that refers to an element of `shared_signs` or `strategy_map`.

    name: the id of that element, such as `X` for a bold stone, `x` for a pale one, `win` for a card, `end-win`,
    `board-0` or `grid`.
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


def strategy_map(strategy: PerfectStrategy) -> Iterator[Element]:
    """Yield the grid and the boards of a strategy, to which `use` refers."""
    rows, columns = strategy.start.rules.diagram.rows, strategy.start.rules.diagram.columns
    grid = [f"M{column * CELL} 5V{rows * CELL - 5}" for column in range(1, columns)]
    grid += [f"M5 {row * CELL}H{columns * CELL - 5}" for row in range(1, rows)]
    yield element("path", id="grid", d="".join(grid), stroke=EDGE, stroke_width=1.8, stroke_linecap="round")
    numbers = {position: number for number, position in enumerate(strategy.verdicts)}
    for position, number in numbers.items():
        yield element("g", *_board(position, strategy, numbers), id=f"board-{number}")


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


def _board(position: Position, strategy: PerfectStrategy, numbers: Mapping[Position, int]) -> Iterator[Element]:
    diagram, scale = position.rules.diagram, nested_scale(position.rules)
    indent_x, indent_y = ((1 - side * scale) * CELL / 2 for side in (diagram.columns, diagram.rows))
    move, answers, ends = strategy.moves.get(position), strategy.answers(position), strategy.ends(position)
    yield use("grid")
    for square, cell in enumerate(position.cells):
        x, y = square % diagram.columns * CELL, square // diagram.columns * CELL
        if square == move:
            yield use(strategy.player, x, y)
        elif square in answers:
            verdict = strategy.verdicts[answers[square]]
            if verdict != strategy.verdicts[position]:
                yield use(verdict, x, y)
            yield use(f"board-{numbers[answers[square]]}", x + indent_x, y + indent_y, scale)
        elif square in ends:
            yield use(strategy.other.lower(), x + 8, y + 8, 0.62)
            yield use(f"end-{ends[square]}", x, y)
        elif cell in STONES:
            yield use(cell.lower(), x, y)
    for line in strategy.lines(position):
        yield strike(line, diagram.columns)


_SIGN, _GAP, _LINE, _LETTERS = 58, 16, 22, 17  # sizes in units of the picture; the last, of the letters

_FROM_HERE: Final = {
    "win": "A win from here on: {other} has gone wrong.",
    "draw": "A draw from here on, at least.",
    "loss": "Lost from here on, unless {other} goes wrong.",
}
_FROM_THE_START: Final = {"win": "A win, whatever {other} plays.", "loss": _FROM_HERE["loss"]}
_ENDS: Final = {"win": "won", "draw": "drawn", "loss": "lost"}


KeyEntry = tuple[Sequence[Element], str]  # a sign, drawn in a square of CELL units, and its meaning


def key_entries(strategy: PerfectStrategy) -> Iterator[KeyEntry]:
    """Yield the signs in the map of a strategy, with their meanings."""
    player, other, verdicts = strategy.player, strategy.other, strategy.verdicts
    answers = [
        (verdicts[position], verdicts[then]) for position in verdicts for then in strategy.answers(position).values()
    ]
    changes = {after for before, after in answers if after != before}
    yield [use(player)], "Bold: the move to play."
    yield [use("x", -22), use("o", 22)], "Pale: stones played before."
    yield _nested(strategy), f"A board in a square: the answer when {other} plays there."
    for verdict, meaning in _FROM_HERE.items():
        if verdict in changes:
            yield [card(4, 4, CELL - 8, CELL - 8, verdict)], meaning.format(other=other)
        elif verdict == strategy.verdict != "draw":  # the card of a draw looks like the paper
            yield [card(4, 4, CELL - 8, CELL - 8, verdict)], _FROM_THE_START[verdict].format(other=other)
    if any(map(strategy.lines, verdicts)):
        stones = [use(player, x, 0.3 * CELL, 0.4) for x in (-10, 30, 70)]
        line = element("g", strike([0, 1, 2], 3), transform=place(-10, 30, 0.4))
        yield [*stones, line], "A completed line: the game is over."
    ends = {end for position in verdicts for end in strategy.ends(position).values()}
    if shown := [end for end in _ENDS if end in ends]:
        places = {1: [50], 2: [25, 75], 3: [10, 50, 90]}[len(shown)]
        radius = 34 if len(shown) == 1 else 17
        signs = [verdict_mark(end, x, CELL / 2, radius) for end, x in zip(shown, places, strict=True)]
        yield signs, f"No choice is left: {', '.join(_ENDS[end] for end in shown)}."


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


def _nested(strategy: PerfectStrategy) -> list[Element]:
    rules, player = strategy.start.rules, strategy.player
    scale = nested_scale(rules)
    left, top = (CELL * (1 - side * scale) / 2 for side in (rules.diagram.columns, rules.diagram.rows))
    row, column = divmod(rules.squares // 2, rules.diagram.columns)
    side = CELL * scale
    return [
        element("rect", x=2, y=2, width=CELL - 4, height=CELL - 4, fill="none", stroke=PALE, stroke_width=2.5),
        use("grid", left, top, scale),
        use(player, left + column * side, top + row * side, scale),
    ]
