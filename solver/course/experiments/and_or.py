"""And-or search: plans and their node counts on tic-tac-toe, and matches against a random player.

The notebook lets the opponent reply to a move that has already won, as `search_board` does with `late=True`. So it
finds no plan where there is one, and two of the ten node counts it prints are of another search:

    board            player  goal    its nodes   right
    .../.o./...      x       win           720    1215
    .../.../...      x       win         13023   14022

Node counts are compared as the notebook searches, and given without its mistake beside them.
"""

from solver.course.adapters import function_of, play
from solver.course.experiments import Row
from solver.engines.builtin.and_or import search_board
from solver.engines.engine import make_engine
from solver.game.games import parse_game
from solver.game.rules import Rules
from solver.game.squares import square_name

SEARCHES = [
    # board, player, draw counts as success, nodes, first action
    ("xo./ox./...", "x", True, 22, 2),
    ("xo./ox./...", "x", False, 27, 2),
    ("xox/.o./...", "x", True, 56, 7),
    ("xox/.o./...", "x", False, 52, None),
    ("oo./ox./..x", "x", True, 7, None),
    ("oo./ox./..x", "o", False, 2, 2),
    (".../.o./...", "x", True, 370, 0),
    (".../.o./...", "x", False, 720, None),
    (".../.../...", "x", True, 833, 0),
    (".../.../...", "x", False, 13023, None),
]
"""The figures that the notebook prints."""

_MATCHES = [
    # X, O, games, what the notebook counts
    ("and-or", "random", 100, {"x": 95, "o": 0, "d": 5}),
    ("random", "and-or", 100, {"x": 0, "o": 69, "d": 31}),
    ("random", "random", 100, {"x": 63, "o": 25, "d": 12}),
    ("and-or", "and-or", 1, {"x": 0, "o": 0, "d": 1}),
]


def run() -> list[Row]:
    """Run every search, and the four matches; in those only the zeros, and the game without chance, are exact."""
    rules = parse_game("3,3,3")
    return _searches(rules) + _matches(rules)


def _searches(rules: Rules) -> list[Row]:
    rows = []
    for board, player, draw_ok, nodes, action in SEARCHES:
        what = f"{board} {player} {'win or draw' if draw_ok else 'win only'}"
        found = search_board(rules, board, player, draw_ok, late=True)
        right = search_board(rules, board, player, draw_ok).nodes
        note = "" if right == nodes else f"{right} without its mistake: replies to a won game"
        rows.append(Row(f"{what}: nodes", nodes, found.nodes, note=note))
        first = found.plan[0] if isinstance(found.plan, list) else None
        rows.append(Row(f"{what}: first action", _action_text(rules, action), _action_text(rules, first)))
    return rows


def _matches(rules: Rules) -> list[Row]:
    rows = []
    for first, second, games, theirs in _MATCHES:
        x, o = (
            function_of(make_engine(f"{name}:seed={seed}", rules), rules) for seed, name in enumerate((first, second))
        )
        ours = play(x, o, games, rules)
        for result, count in theirs.items():
            what = {"x": f"{first} as X wins", "o": f"{second} as O wins", "d": "draws"}[result]
            label = f"{first} against {second}, {games} game{'s' if games > 1 else ''}: {what}"
            rows.append(Row(label, count, ours[result], exact=count == 0 or games == 1))
    return rows


def _action_text(rules: Rules, square: int | None) -> str:
    return "no plan" if square is None else square_name(rules, square)
