"""Strategies as lines of text and as trees of boards.

>>> from solver.game.strategies import AndOrSearch
>>> rules, board = parse_game("3,3,3"), "XO./OX./..."
>>> strategy = AndOrSearch(rules, "X", draw_ok=False).or_search(*read_board(rules, board))
>>> print(strategy_text(rules, board, "X", strategy))
X plays c1.
  If O plays c2 or c3: X plays a3 and wins.
  If O plays a3: X plays c3 and wins.
  If O plays b3: X plays c2.
    If O plays a3: X plays c3 and wins.
    If O plays c3: X plays a3 and wins.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from solver.game.notation import square_name
from solver.game.rules import OTHER, Rules
from solver.game.strategies import StrategyTree, parse_player, read_board

MOST_BOARDS: Final = 24
"""Of a strategy with more boards, only the first moves are shown."""

if TYPE_CHECKING:
    from solver.drawing.board import TreeNode

_ENDS: Final = {"win": "wins", "draw": "draws"}


@dataclass(frozen=True)
class _Reply:
    """A reply of the other side, the cells after it, and the strategy against it."""

    square: int
    cells: tuple[str, ...]
    then: StrategyTree


def strategy_text(rules: Rules, board: object, player: str, strategy: StrategyTree, depth: int | None = None) -> str:
    """Return the strategy of a player from a board as indented lines, up to `depth` moves of the player.

    Replies with the same answer share a line if it ends the game.
    """
    return "\n".join(_lines(_Context(rules, parse_player(player)), strategy, _cells(rules, board), depth, ""))


def strategy_tree(
    rules: Rules, board: object, player: str, strategy: StrategyTree, depth: int | None = None
) -> "TreeNode":
    """Return the strategy as a tree of boards: one for each reply, with the player's answer marked."""
    return _drawn(_Context(rules, parse_player(player)), strategy, _cells(rules, board), depth, "")


def strategy_svg(rules: Rules, board: object, player: str, strategy: StrategyTree, depth: int | None = None) -> str:
    """Return the drawing of `strategy_tree`."""
    from solver.drawing.board import svg_tree

    player = parse_player(player)
    root = strategy_tree(rules, board, player, strategy, depth)
    title = f"{rules}: the strategy of {player}, its moves marked"
    return svg_tree(rules.diagram, root, title=title)


def strategy_depth(strategy: StrategyTree, boards: int) -> int | None:
    """Return how many moves of the player, at least 1, fit on so many boards; None if the whole strategy does."""
    if _boards(strategy, {}) <= boards:
        return None
    depth = 1
    while _shown(strategy, depth + 1) <= boards:
        depth += 1
    return depth


@dataclass(frozen=True)
class _Context:
    """The game and the player of a strategy."""

    rules: Rules
    player: str
    counted: dict[int, int] = field(default_factory=dict)  # for `_boards`

    @property
    def other(self) -> str:
        return OTHER[self.player]

    def name(self, square: int) -> str:
        return square_name(self.rules, square)

    def replies(self, answers: StrategyTree, cells: tuple[str, ...]) -> list[_Reply]:
        """Return the replies in a list of answers."""
        replies = []
        for _, board, _, then in answers if isinstance(answers, list) else ():
            after = tuple("." if cell == " " else cell.upper() for cell in board)
            square = next(s for s, cell in enumerate(after) if cell != cells[s])
            replies.append(_Reply(square, after, then))
        return replies

    def played(self, cells: tuple[str, ...], square: int) -> tuple[str, ...]:
        return (*cells[:square], self.player, *cells[square + 1 :])


def _lines(
    ctx: _Context, strategy: StrategyTree, cells: tuple[str, ...], depth: int | None, indent: str, lead: str = ""
) -> Iterator[str]:
    start = f"{indent}{lead}{ctx.player}"
    if not isinstance(strategy, list):
        yield f"{start} has no strategy." if strategy is None else f"{start} {_ENDS[strategy]}."
    elif not isinstance(strategy[0], int):
        yield from _reply_lines(ctx, strategy, cells, depth, indent)
    else:
        square, answers = strategy
        move = f"{start} plays {ctx.name(square)}"
        if isinstance(answers, str):
            yield f"{move} and {_ENDS[answers]}."
        elif depth == 1:
            yield f"{move}, and has an answer to each of {len(answers)} replies."
        else:
            yield f"{move}."
            below = None if depth is None else depth - 1
            yield from _reply_lines(ctx, answers, ctx.played(cells, square), below, indent + "  ")


def _reply_lines(
    ctx: _Context, answers: StrategyTree, cells: tuple[str, ...], depth: int | None, indent: str
) -> Iterator[str]:
    alike: dict[object, list[_Reply]] = {}
    for reply in ctx.replies(answers, cells):
        last = not isinstance(reply.then, list) or isinstance(reply.then[1], str)
        alike.setdefault(str(reply.then) if last else reply.square, []).append(reply)
    for replies in alike.values():
        names = [ctx.name(reply.square) for reply in replies]
        either = " or ".join(part for part in (", ".join(names[:-1]), names[-1]) if part)
        lead = f"If {ctx.other} plays {either}: "
        yield from _lines(ctx, replies[0].then, replies[0].cells, depth, indent, lead)


def _drawn(ctx: _Context, strategy: StrategyTree, cells: tuple[str, ...], depth: int | None, above: str) -> "TreeNode":
    from solver.drawing.board import TreeNode  # slow to load, and probes draw nothing

    if not isinstance(strategy, list):
        below = "no strategy" if strategy is None else f"{ctx.player} {_ENDS[strategy]}"
        return TreeNode(cells, above, below, verdict=strategy or "")
    if not isinstance(strategy[0], int):
        return TreeNode(cells, above, f"{ctx.other} to move", children=_drawn_replies(ctx, strategy, cells, depth))
    square, answers = strategy
    move, after, mark = f"{ctx.player} plays {ctx.name(square)}", ctx.played(cells, square), frozenset({square})
    if isinstance(answers, str):
        return TreeNode(after, above, f"{move} and {_ENDS[answers]}", verdict=answers, marked=mark)
    if depth == 1:
        return TreeNode(after, above, move, marked=mark, hidden=_boards(strategy, ctx.counted) - 1)
    below_depth = None if depth is None else depth - 1
    return TreeNode(after, above, move, marked=mark, children=_drawn_replies(ctx, answers, after, below_depth))


def _drawn_replies(ctx: _Context, answers: StrategyTree, cells: tuple[str, ...], depth: int | None) -> "list[TreeNode]":
    return [
        _drawn(ctx, reply.then, reply.cells, depth, f"if {ctx.other} plays {ctx.name(reply.square)}")
        for reply in ctx.replies(answers, cells)
    ]


def _boards(strategy: StrategyTree, known: dict[int, int]) -> int:
    """Return the number of boards in a strategy; `known` has that of shared parts, by their `id`."""
    if not isinstance(strategy, list):
        return 1
    if id(strategy) not in known:
        answers = strategy[1] if isinstance(strategy[0], int) else strategy
        below = (_boards(then, known) for _, _, _, then in answers) if isinstance(answers, list) else ()
        known[id(strategy)] = 1 + sum(below)
    return known[id(strategy)]


def _shown(strategy: StrategyTree, depth: int) -> int:
    """Return the number of boards down to a depth."""
    if not isinstance(strategy, list):
        return 1
    moves = isinstance(strategy[0], int)
    answers = strategy[1] if moves else strategy
    if isinstance(answers, str) or (moves and depth == 1):
        return 1
    return 1 + sum(_shown(then, depth - moves) for _, _, _, then in answers)


def _cells(rules: Rules, board: object) -> tuple[str, ...]:
    x, o = read_board(rules, board)
    return tuple("X" if x >> s & 1 else "O" if o >> s & 1 else "." for s in range(rules.squares))


class DrawnStrategy(list[Any]):
    """A strategy that notebooks draw: its nested lists, with the board it begins on and its player.

    Otherwise it behaves as the list.
    """

    def __init__(self, strategy: list[Any], rules: Rules, board: object, player: str) -> None:
        super().__init__(strategy)
        self._begins = rules, board, player

    def _repr_svg_(self) -> str:
        """Return the picture; of a large strategy the first moves, and the number of boards that follow."""
        return strategy_svg(*self._begins, self, strategy_depth(self, MOST_BOARDS))

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """Print the strategy as text in IPython, which would print shared parts of the lists repeatedly."""
        del cycle
        printer.text(strategy_text(*self._begins, self, strategy_depth(self, MOST_BOARDS)))


def drawn_strategy(strategy: StrategyTree, rules: Rules, board: object, player: str) -> StrategyTree:
    """Return a strategy that notebooks draw, unless it is None or one word."""
    return DrawnStrategy(strategy, rules, board, player) if isinstance(strategy, list) else strategy
