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
from typing import TYPE_CHECKING, Any, Final

from solver.game.notation import square_name
from solver.game.rules import OTHER, Rules
from solver.game.strategies import StrategyTree, parse_player, read_board
from solver.support.english import join_names

if TYPE_CHECKING:
    from solver.drawing.board import TreeNode

MOST_BOARDS: Final = 24  # the most boards that a notebook shows; of a larger strategy it shows only the first moves

_ENDS: Final = {"win": "wins", "draw": "draws"}


def strategy_tree(
    rules: Rules, board: object, player: str, strategy: StrategyTree, depth: int | None = None
) -> "TreeNode":
    """Return a tree of boards, up to `depth` moves of the player: one board for each reply, with the answer marked."""
    from solver.drawing.board import TreeNode  # slow to load, and probes draw nothing

    player = parse_player(player)
    other, counted = OTHER[player], dict[int, int]()

    def draw(strategy: StrategyTree, cells: tuple[str, ...], depth: int | None, above: str = "") -> TreeNode:
        if not isinstance(strategy, list):
            end = "has no strategy" if strategy is None else _ENDS[strategy]
            return TreeNode(cells, above, f"{player} {end}", verdict=strategy or "")
        if not isinstance(strategy[0], int):
            return TreeNode(cells, above, f"{other} to move", children=draw_replies(strategy, cells, depth))
        square, answers = strategy
        after = (*cells[:square], player, *cells[square + 1 :])
        move, mark = f"{player} plays {square_name(rules, square)}", frozenset({square})
        if isinstance(answers, str):
            return TreeNode(after, above, f"{move} and {_ENDS[answers]}", verdict=answers, marked=mark)
        if depth == 1:
            return TreeNode(after, above, move, marked=mark, hidden=_count_boards(strategy, counted) - 1)
        replies = draw_replies(answers, after, None if depth is None else depth - 1)
        return TreeNode(after, above, move, marked=mark, children=replies)

    def draw_replies(answers: list[Any], cells: tuple[str, ...], depth: int | None) -> list[TreeNode]:
        replies = []
        for _, answered, _, then in answers:
            after = tuple("." if cell == " " else cell.upper() for cell in answered)
            square = next(s for s, cell in enumerate(after) if cell != cells[s])
            replies.append(draw(then, after, depth, f"if {other} plays {square_name(rules, square)}"))
        return replies

    x, o = read_board(rules, board)
    return draw(strategy, tuple("X" if x >> s & 1 else "O" if o >> s & 1 else "." for s in range(rules.squares)), depth)


def strategy_text(rules: Rules, board: object, player: str, strategy: StrategyTree, depth: int | None = None) -> str:
    """Return `strategy_tree` as indented lines. Replies share a line if the same answer to them ends the game."""
    reply = f"if {OTHER[parse_player(player)]} plays "
    return "\n".join(_lines(strategy_tree(rules, board, player, strategy, depth), reply))


def strategy_svg(rules: Rules, board: object, player: str, strategy: StrategyTree, depth: int | None = None) -> str:
    """Return the drawing of `strategy_tree`."""
    from solver.drawing.board import svg_tree

    title = f"{rules}: the strategy of {parse_player(player)}, its moves marked"
    return svg_tree(rules.diagram, strategy_tree(rules, board, player, strategy, depth), title=title)


def _lines(node: "TreeNode", reply: str, indent: str = "", lead: str = "") -> Iterator[str]:
    """Yield the lines of text that describe a tree; `reply` is the text that precedes the square of a reply."""
    if node.marked or not node.children:  # not the board on which the other side is to move first
        yield f"{indent}{lead}{node.below}{', with an answer to every reply' if node.hidden else ''}."
        indent += "  "
    alike: dict[str, list[TreeNode]] = {}
    for child in node.children:
        alike.setdefault(child.above if child.children or child.hidden else child.below, []).append(child)
    for children in alike.values():
        squares = [child.above.removeprefix(reply) for child in children]
        lead = f"I{reply[1:]}{join_names(squares, 'or', len(squares))}: "
        yield from _lines(children[0], reply, indent, lead)


def _count_boards(strategy: StrategyTree, known: dict[int, int]) -> int:
    """Return the number of boards in a strategy; `known` caches the numbers of shared parts by `id`."""
    if not isinstance(strategy, list):
        return 1
    if id(strategy) not in known:
        answers = strategy[1] if isinstance(strategy[0], int) else strategy
        below = (_count_boards(then, known) for _, _, _, then in answers) if isinstance(answers, list) else ()
        known[id(strategy)] = 1 + sum(below)
    return known[id(strategy)]


class DrawnStrategy(list[Any]):
    """A strategy as nested lists, with the rules, the first board and the player, so that notebooks can draw it."""

    def __init__(self, strategy: list[Any], rules: Rules, board: object, player: str) -> None:
        super().__init__(strategy)
        self._begins = rules, board, player

    def _depth(self) -> int | None:
        """Return the greatest depth (at least 1) whose drawing has at most MOST_BOARDS boards; None if all fit."""
        from solver.drawing.board import count_boards

        depth = None if _count_boards(self, {}) <= MOST_BOARDS else 1
        while depth and count_boards(strategy_tree(*self._begins, self, depth + 1)) <= MOST_BOARDS:
            depth += 1
        return depth

    def _repr_svg_(self) -> str:
        """Return the picture. For a large strategy, it shows the first moves and the number of boards that follow."""
        return strategy_svg(*self._begins, self, self._depth())

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """Print the strategy as text in IPython, whose own printer would repeat shared parts of the lists."""
        del cycle
        printer.text(strategy_text(*self._begins, self, self._depth()))


def drawn_strategy(strategy: StrategyTree, rules: Rules, board: object, player: str) -> StrategyTree:
    """Return a strategy as a DrawnStrategy; None or a single word is returned unchanged."""
    return DrawnStrategy(strategy, rules, board, player) if isinstance(strategy, list) else strategy
