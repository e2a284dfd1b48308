"""Strategies as lines of text and as trees of boards.

>>> from solver.engines.builtin.and_or import search_board
>>> found = search_board(parse_game("3,3,3"), "XO./OX./...", "X", draw_ok=False)
>>> print(strategy_text(found.strategy))
X plays c1.
  If O plays c2 or c3: X plays a3 and wins.
  If O plays a3: X plays c3 and wins.
  If O plays b3: X plays c2.
    If O plays a3: X plays c3 and wins.
    If O plays c3: X plays a3 and wins.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from solver.drawing.board import TreeNode, count_boards, svg_tree
from solver.game.notation import square_name
from solver.game.position import Position
from solver.game.rules import OTHER
from solver.game.strategies import Strategy
from solver.support.english import join_names

MOST_BOARDS: Final = 24  # the most boards that a notebook shows; of a larger strategy it shows only the first moves

_ENDS: Final = {"win": "wins", "draw": "draws", "loss": "loses"}


def strategy_tree(strategy: Strategy, depth: int | None = None) -> TreeNode:
    """Return a tree of boards, up to `depth` moves of the player: one board for each reply, with the answer marked."""
    rules, player, other = strategy.start.rules, strategy.player, OTHER[strategy.player]
    counted = dict[Position, int]()

    def draw(position: Position, depth: int | None, above: str = "") -> TreeNode:
        move, end, cells = strategy.moves.get(position), strategy.end(position), strategy.after(position).cells
        if move is None:
            said, mark = f"{player} {_ENDS[end]}" if end else f"{other} to move", frozenset[int]()
        else:
            said, mark = f"{player} plays {square_name(rules, move)}", frozenset({move})
            said += f" and {_ENDS[end]}" if end else ""
        if end or (move is not None and depth == 1):
            hidden = _count_boards(strategy, position, counted) - 1
            return TreeNode(cells, above, said, end or "", mark, hidden=hidden)
        left = depth if depth is None or move is None else depth - 1
        children = [
            draw(reply, left, f"if {other} plays {square_name(rules, square)}")
            for square, reply in _answered(strategy, position)
        ]
        return TreeNode(cells, above, said, marked=mark, children=children)

    return draw(strategy.start, depth)


def strategy_text(strategy: Strategy, depth: int | None = None) -> str:
    """Return `strategy_tree` as indented lines. Replies share a line if the same answer to them ends the game."""
    return "\n".join(_lines(strategy_tree(strategy, depth), f"if {OTHER[strategy.player]} plays "))


def strategy_svg(strategy: Strategy, depth: int | None = None) -> str:
    """Return the drawing of `strategy_tree`."""
    title = f"{strategy.start.rules}: the strategy of {strategy.player}, its moves marked"
    return svg_tree(strategy.start.rules.diagram, strategy_tree(strategy, depth), title=title)


def shown_depth(strategy: Strategy) -> int | None:
    """Return the greatest depth (at least 1) whose drawing has at most MOST_BOARDS boards; None if all fit."""
    depth = None if _count_boards(strategy, strategy.start, {}) <= MOST_BOARDS else 1
    while depth and count_boards(strategy_tree(strategy, depth + 1)) <= MOST_BOARDS:
        depth += 1
    return depth


def _lines(node: TreeNode, reply: str, indent: str = "", lead: str = "") -> Iterator[str]:
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


def _answered(strategy: Strategy, position: Position) -> Iterable[tuple[int, Position]]:
    """Return each reply in `position`, and the position after it; nothing if the strategy ends before some answer."""
    replies = strategy.replies(position).items()
    return replies if all(reply in strategy.moves or reply.is_over for _, reply in replies) else ()


def _count_boards(strategy: Strategy, position: Position, known: dict[Position, int]) -> int:
    """Return the number of boards in the tree from a position on; `known` has the numbers that are known."""
    if position not in known:
        replies = [] if strategy.end(position) else _answered(strategy, position)
        known[position] = 1 + sum(_count_boards(strategy, reply, known) for _, reply in replies)
    return known[position]
