"""Show conditional plans to people: as lines of text, and as a tree of boards.

>>> from solver.game.strategy.planning import AndOrSearch
>>> rules, board = parse_game("3,3,3"), "XO./OX./..."
>>> plan = AndOrSearch(rules, "X", draw_ok=False).or_search(*read_board(rules, board))
>>> print(plan_text(rules, board, "X", plan))
X plays c1.
  If O plays c2 or c3: X plays a3 and wins.
  If O plays a3: X plays c3 and wins.
  If O plays b3: X plays c2.
    If O plays a3: X plays c3 and wins.
    If O plays c3: X plays a3 and wins.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from solver.game.rules import OTHER, Rules
from solver.game.squares import square_name
from solver.game.strategy.plan import Plan, parse_player, read_board
from solver.support.drawing.board import TreeNode, svg_tree

_ENDS = {"win": "wins", "draw": "draws"}


@dataclass(frozen=True)
class _Reply:
    """A reply of the other side, the cells after it, and the plan that answers it."""

    square: int
    cells: tuple[str, ...]
    then: Plan


def plan_text(rules: Rules, board: object, player: str, plan: Plan, depth: int | None = None) -> str:
    """Write the plan of a player from a board as indented lines; after `depth` moves of the player it is cut short.

    Replies that are answered alike, by a move that ends the game, share a line.
    """
    return "\n".join(_lines(_Context(rules, parse_player(player)), plan, _cells(rules, board), depth, ""))


def plan_tree(rules: Rules, board: object, player: str, plan: Plan, depth: int | None = None) -> TreeNode:
    """Lay the plan out as a tree of boards: one for each reply, with the player's answer to it marked."""
    return _drawn(_Context(rules, parse_player(player)), plan, _cells(rules, board), depth, "")


def plan_svg(rules: Rules, board: object, player: str, plan: Plan, depth: int | None = None) -> str:
    """Draw `plan_tree`."""
    player = parse_player(player)
    root = plan_tree(rules, board, player, plan, depth)
    title = f"{rules}: the plan of {player}, its moves marked"
    return svg_tree(rules.diagram, root, title=title)


def plan_depth(plan: Plan, boards: int) -> int | None:
    """Find to how many moves of the player, at least 1, a plan is drawn on at most so many boards; None for all."""
    if _boards(plan, {}) <= boards:
        return None
    depth = 1
    while _shown(plan, depth + 1) <= boards:
        depth += 1
    return depth


@dataclass(frozen=True)
class _Context:
    """The game and the player, which are the same in all parts of a plan."""

    rules: Rules
    player: str
    counted: dict[int, int] = field(default_factory=dict)  # for `_boards`

    @property
    def other(self) -> str:
        return OTHER[self.player]

    def name(self, square: int) -> str:
        return square_name(self.rules, square)

    def replies(self, answers: Plan, cells: tuple[str, ...]) -> list[_Reply]:
        """List the replies that a list of answers foresees."""
        replies = []
        for _, board, _, then in answers if isinstance(answers, list) else ():
            after = tuple("." if cell == " " else cell.upper() for cell in board)
            square = next(s for s, cell in enumerate(after) if cell != cells[s])
            replies.append(_Reply(square, after, then))
        return replies

    def played(self, cells: tuple[str, ...], square: int) -> tuple[str, ...]:
        return (*cells[:square], self.player, *cells[square + 1 :])


def _lines(
    ctx: _Context, plan: Plan, cells: tuple[str, ...], depth: int | None, indent: str, lead: str = ""
) -> Iterator[str]:
    start = f"{indent}{lead}{ctx.player}"
    if not isinstance(plan, list):
        yield f"{start} has no plan." if plan is None else f"{start} {_ENDS[plan]}."
    elif not isinstance(plan[0], int):
        yield from _reply_lines(ctx, plan, cells, depth, indent)
    else:
        square, answers = plan
        move = f"{start} plays {ctx.name(square)}"
        if isinstance(answers, str):
            yield f"{move} and {_ENDS[answers]}."
        elif depth == 1:
            yield f"{move}, and has an answer to each of {len(answers)} replies."
        else:
            yield f"{move}."
            below = None if depth is None else depth - 1
            yield from _reply_lines(ctx, answers, ctx.played(cells, square), below, indent + "  ")


def _reply_lines(ctx: _Context, answers: Plan, cells: tuple[str, ...], depth: int | None, indent: str) -> Iterator[str]:
    alike: dict[object, list[_Reply]] = {}
    for reply in ctx.replies(answers, cells):
        last = not isinstance(reply.then, list) or isinstance(reply.then[1], str)
        alike.setdefault(str(reply.then) if last else reply.square, []).append(reply)
    for replies in alike.values():
        names = [ctx.name(reply.square) for reply in replies]
        either = " or ".join(part for part in (", ".join(names[:-1]), names[-1]) if part)
        lead = f"If {ctx.other} plays {either}: "
        yield from _lines(ctx, replies[0].then, replies[0].cells, depth, indent, lead)


def _drawn(ctx: _Context, plan: Plan, cells: tuple[str, ...], depth: int | None, above: str) -> TreeNode:
    if not isinstance(plan, list):
        below = "no plan" if plan is None else f"{ctx.player} {_ENDS[plan]}"
        return TreeNode(cells, above, below, verdict=plan or "")
    if not isinstance(plan[0], int):
        return TreeNode(cells, above, f"{ctx.other} to move", children=_drawn_replies(ctx, plan, cells, depth))
    square, answers = plan
    move, after, mark = f"{ctx.player} plays {ctx.name(square)}", ctx.played(cells, square), frozenset({square})
    if isinstance(answers, str):
        return TreeNode(after, above, f"{move} and {_ENDS[answers]}", verdict=answers, marked=mark)
    if depth == 1:
        return TreeNode(after, above, move, marked=mark, hidden=_boards(plan, ctx.counted) - 1)
    below_depth = None if depth is None else depth - 1
    return TreeNode(after, above, move, marked=mark, children=_drawn_replies(ctx, answers, after, below_depth))


def _drawn_replies(ctx: _Context, answers: Plan, cells: tuple[str, ...], depth: int | None) -> list[TreeNode]:
    return [
        _drawn(ctx, reply.then, reply.cells, depth, f"if {ctx.other} plays {ctx.name(reply.square)}")
        for reply in ctx.replies(answers, cells)
    ]


def _boards(plan: Plan, known: dict[int, int]) -> int:
    """Count the boards in the picture of a plan; `known`: those of its parts by their `id`, as parts are shared."""
    if not isinstance(plan, list):
        return 1
    if id(plan) not in known:
        answers = plan[1] if isinstance(plan[0], int) else plan
        below = (_boards(then, known) for _, _, _, then in answers) if isinstance(answers, list) else ()
        known[id(plan)] = 1 + sum(below)
    return known[id(plan)]


def _shown(plan: Plan, depth: int) -> int:
    """Count the boards that are drawn down to a depth."""
    if not isinstance(plan, list):
        return 1
    moves = isinstance(plan[0], int)
    answers = plan[1] if moves else plan
    if isinstance(answers, str) or (moves and depth == 1):
        return 1
    return 1 + sum(_shown(then, depth - moves) for _, _, _, then in answers)


def _cells(rules: Rules, board: object) -> tuple[str, ...]:
    x, o = read_board(rules, board)
    return tuple("X" if x >> s & 1 else "O" if o >> s & 1 else "." for s in range(rules.squares))
