"""And-or search: strategies and their node counts on tic-tac-toe, and matches against a random player.

The notebook lets the opponent reply to a move that has already won, as `search_board` does with `late=True`. So the
notebook misses some strategies, and two of the ten node counts that it prints are wrong:

    board            player  goal      printed   correct
    .../.o./...      x       win           720      1215
    .../.../...      x       win         13023     14022

The experiment reproduces the notebook's counts and shows the correct ones beside them.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Final

from solver.course.experiments import Row, time_decision
from solver.engines.builtin.and_or import search_board, search_position
from solver.engines.engine import make_engine
from solver.engines.playing import play_game
from solver.game.games import parse_game
from solver.game.notation import square_name
from solver.game.position import Position
from solver.game.rules import Rules

SEARCHES: Final = [
    # board, player, whether a draw is a success, nodes, first action
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
_MATCHES: Final = [
    # X, O, games, wins of X and O and draws
    ("and-or", "random", 100, {"X": 95, "O": 0, "draw": 5}),
    ("random", "and-or", 100, {"X": 0, "O": 69, "draw": 31}),
    ("random", "random", 100, {"X": 63, "O": 25, "draw": 12}),
    ("and-or", "and-or", 1, {"X": 0, "O": 0, "draw": 1}),
]


def run() -> list[Row]:
    """Run the searches and matches, and time two decisions. Results of random games may differ from the notebook's."""
    rules = parse_game("3,3,3")
    start, player = Position.start(rules), make_engine("random", rules)
    times = [
        time_decision("a random move", 72.4e-6, lambda: player.choose(start)),
        time_decision("the search of the empty board, a draw is enough", 0.205, lambda: search_position(start)),
    ]
    return [*_searches(rules), *_matches(rules), *times]


def _searches(rules: Rules) -> Iterator[Row]:
    def describe(square: int | None) -> str:
        return "no plan" if square is None else square_name(rules, square)  # the word of the notebook

    for board, player, draw_ok, nodes, action in SEARCHES:
        what = f"{board} {player} {'win or draw' if draw_ok else 'win only'}"
        found = search_board(rules, board, player, draw_ok, late=True)
        correct = search_board(rules, board, player, draw_ok).nodes
        note = "" if correct == nodes else f"{correct} without its mistake: replies to a won game"
        yield Row(f"{what}: nodes", nodes, found.nodes, note=note)
        first = found.strategy.first_move if found.strategy else None
        yield Row(f"{what}: first action", describe(action), describe(first))


def _matches(rules: Rules) -> Iterator[Row]:
    for first, second, games, theirs in _MATCHES:
        x, o = (make_engine(f"{name}:seed={seed}", rules) for seed, name in enumerate((first, second)))
        ours = Counter(play_game(x, o, Position.start(rules)).outcome for _ in range(games))
        for result, count in theirs.items():
            what = {"X": f"{first} as X wins", "O": f"{second} as O wins", "draw": "draws"}[result]
            label = f"{first} against {second}, {games} game{'s' if games > 1 else ''}: {what}"
            yield Row(label, count, ours[result], exact=count == 0 or games == 1)
