"""Minimax trees for people: as lines of text, as JSON, and as a tree of boards.

>>> from solver.engines.game_tree.minimax import build
>>> from solver.game.position import Position
>>> from solver.game.rules import Rules
>>> print(tree_text(build(Position.parse(Rules.parse("1,3,2"), "X.."), depth=1)))
O to move: even, by b1
X..
  O b1, then X to move: even
  XO.
  O c1, then X to move: judged 0.50 for X
  X.O
"""

from collections.abc import Iterator
from itertools import islice
from typing import Any

from solver.drawing.tree import Drawn, svg_tree
from solver.engines.game_tree.figures import Figures, heuristic
from solver.engines.game_tree.minimax import Node
from solver.game.lines import squares_of
from solver.game.squares import square_name

__all__ = ["figures_json", "figures_text", "tree_bundle", "tree_drawn", "tree_json", "tree_svg", "tree_text"]

MOST_BOARDS = 60
"""Boards of a tree that a notebook draws."""

_SIDES = {"X": "O", "O": "X"}


def tree_text(root: Node) -> str:
    """Every node of a stored tree: a line about it, then its board, indented by its depth."""
    return "\n".join(_lines(root, ""))


def tree_svg(root: Node) -> str:
    """The tree as an SVG picture; thick edges lead to the moves that keep the value."""
    rules = root.position.rules
    title = f"{rules}: minimax tree, best moves by thick edges"
    return svg_tree(rules.m, rules.n, tree_drawn(root), title=title)


def tree_bundle(root: Node) -> dict[str, str]:
    """For a notebook: the tree as a picture and as text; of more than MOST_BOARDS the root and its moves alone."""
    if len([*islice(_nodes(root), MOST_BOARDS + 1)]) <= MOST_BOARDS:
        return {"image/svg+xml": tree_svg(root), "text/plain": tree_text(root)}
    moves = [f"  {_headline(child)}" for child in root.children]
    return {"text/plain": "\n".join([_headline(root), *moves, "A large tree: the moves at its root."])}


def tree_drawn(root: Node) -> Drawn:
    """The tree as boards to draw."""
    return _drawn(root, "", False)


def tree_json(root: Node) -> dict[str, Any]:
    """The tree as objects for JSON."""
    position = root.position
    facts: dict[str, Any] = {} if root.move is None else {"square": root.move, "name": _move_name(root)}
    facts |= {
        "position": position.board,
        "to_move": position.to_move,
        "over": position.is_over,
        "value": root.value,
        "immediate_wins": heuristic(position, position.to_move),
    }
    return facts | ({"children": [tree_json(child) for child in root.children]} if root.children else {})


def figures_json(figures: Figures) -> dict[str, Any]:
    """What was measured, as an object for JSON."""
    return {
        "nodes": figures.nodes,
        "leaves": figures.leaves,
        "internal": figures.internal,
        "depth": figures.depth,
        "mean_leaf_depth": figures.mean_leaf_depth,
        "branching_factor": figures.branching_factor,
        "x_wins": figures.x_wins,
        "o_wins": figures.o_wins,
        "draws": figures.draws,
        "undecided": figures.undecided,
        "value": figures.value,
        "nodes_at": list(figures.nodes_at),
        "leaves_at": list(figures.leaves_at),
    }


def figures_text(figures: Figures) -> str:
    """What was measured, in a few lines."""
    ends = [f"{figures.x_wins:,} won by X", f"{figures.o_wins:,} by O", f"{figures.draws:,} drawn"]
    ends += [f"{figures.undecided:,} cut off"] if figures.undecided else []
    return "\n".join(
        [
            f"Nodes:             {figures.nodes:,}, of them {figures.internal:,} with children",
            f"Leaves:            {figures.leaves:,}: {', '.join(ends)}",
            f"Mean leaf depth:   {figures.mean_leaf_depth:.4f} of at most {figures.depth}",
            f"Branching factor:  {figures.branching_factor:.4f}",
        ]
    )


def _nodes(node: Node) -> Iterator[Node]:
    yield node
    for child in node.children:
        yield from _nodes(child)


def _lines(node: Node, indent: str) -> Iterator[str]:
    yield f"{indent}{_headline(node)}"
    for row in node.position.board.split("/"):
        yield f"{indent}{row}"
    for child in node.children:
        yield from _lines(child, indent + "  ")


def _headline(node: Node) -> str:
    position = node.position
    lead = "" if node.move is None else f"{_SIDES[position.to_move]} {_move_name(node)}"
    if position.is_over:
        return f"{lead}: {_worth(node)}" if lead else _worth(node)
    best = "" if node.best is None else f", by {square_name(position.rules, node.best)}"
    then = f"{lead}, then " if lead else ""
    return f"{then}{position.to_move} to move: {_worth(node)}{best}"


def _worth(node: Node) -> str:
    if node.position.is_over:
        outcome = node.position.outcome
        return "a draw" if outcome == "draw" else f"{outcome} has won"
    words = {1.0: "X wins", -1.0: "O wins", 0.0: "even"}
    side = "X" if node.value > 0 else "O"
    return words.get(node.value, f"judged {abs(node.value):.2f} for {side}")


def _drawn(node: Node, above: str, strong: bool) -> Drawn:
    position = node.position
    best = {child.move for child in node.children if child.value == node.value}
    children = [
        _drawn(child, f"{position.to_move} plays {_move_name(child)}", child.move in best) for child in node.children
    ]
    marks = frozenset(squares_of(position.winning_line)) or ({node.move} if node.move is not None else frozenset())
    state = _worth(node) if position.is_over else f"{position.to_move} to move: {_worth(node)}"
    tone = "" if node.value == 0 else "win" if node.value > 0 else "loss"
    return Drawn(position.cells, above, state, tone, frozenset(marks), children, strong)


def _move_name(node: Node) -> str:
    return square_name(node.position.rules, node.move or 0)
