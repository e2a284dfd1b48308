"""Heuristic alpha-beta search: nodes, values and moves at several cut-offs, evaluations, matches, times.

`solver.engines.alphabeta` enters the same nodes as the notebook, in the same order.
"""

from collections.abc import Iterator
from functools import partial

from solver.course.experiments import Row, time_decision
from solver.engines.alphabeta import evaluate, search
from solver.engines.match import Terms, play_match
from solver.game.games import parse_game
from solver.game.position import Position
from solver.game.rules import Rules

# Nodes, value and move by cut-off, for the side to move. In the notebook x is always to move, even on boards where o
# made the first move. Here X makes it, so those boards have the sides swapped, which does not change the search.
SEARCHES: dict[str, dict[int | None, tuple[int, int, int]]] = {
    "XO./OX./...": {2: (13, 10, 8), 4: (47, 10, 2), None: (61, 10, 2)},
    "XX./XO./..O": {2: (11, -10, 2), None: (15, -10, 2)},
    "XOX/.O./...": {2: (21, -1, 7), 4: (81, 0, 7), None: (101, 0, 7)},
    ".../.X./...": {2: (24, -1, 0), 4: (220, -1, 0), None: (2316, 0, 0)},
    ".../.../...": {2: (26, 0, 0), 4: (541, 0, 4), None: (18297, 0, 0)},
    "X.O/.../..X": {2: (26, -2, 4), 4: (148, -10, 1), None: (238, -10, 1)},
}
EVALUATIONS = {("XX./XO./..O", "X"): 2, ("XX./XO./..O", "O"): -2, ("XO./XO./...", "X"): 0}

# Matches without random moves: the engines by cut-off, and the result as far as the notebook prints it.
ENGINES: dict[int | None, str] = {2: "alphabeta:cutoff=2", 4: "alphabeta:cutoff=4", None: "alphabeta"}
RESULTS: dict[tuple[int | None, int | None], str] = {
    (2, None): "draw",
    (None, 2): "X",
    (4, None): "draw",
    (None, 4): "draw",
    (2, 4): "draw XXO/OOX/XOX, nodes 26 350 26 49 18 17 8 5 2",
    (4, 2): "draw OXX/XXO/OOX, nodes 541 24 238 30 82 14 12 5 2",
}
# Wins, draws and losses of the first engine in 100 games.
SAMPLES = {
    ("random", "random"): (57, 14, 29),
    (ENGINES[2], "random"): (94, 6, 0),
    ("random", ENGINES[2]): (1, 19, 80),
    (ENGINES[4], "random"): (99, 1, 0),
    ("random", ENGINES[4]): (0, 22, 78),
}
SECONDS = {2: 0.0119, 4: 0.299, None: 4.4}  # to search the empty board


def run() -> list[Row]:
    """Compute the numbers that the notebook prints."""
    rules = parse_game("3,3,3")
    start = Position.start(rules)
    times = [
        time_decision(f"the empty board, cut-off {cutoff or 'none'}", theirs, partial(search, start, cutoff))
        for cutoff, theirs in SECONDS.items()
    ]
    return [*_printed(rules), *_samples(rules), *times]


def _printed(rules: Rules) -> Iterator[Row]:
    for board, figures in SEARCHES.items():
        for cutoff, (nodes, value, move) in figures.items():
            found = search(Position.parse(rules, board), cutoff)
            theirs, ours = f"{nodes} ({value}, {move})", f"{found.nodes} ({found.value}, {found.line[0]})"
            yield Row(f"{board} cut-off {cutoff or 'none'}: nodes (value, move)", theirs, ours)
    for (board, player), value in EVALUATIONS.items():
        yield Row(f"evaluation of {board} for {player}", value, evaluate(Position.parse(rules, board), player))
    for (x, o), result in RESULTS.items():
        position, entered = Position.start(rules), []
        while not position.is_over:
            found = search(position, o if position.ply % 2 else x)
            position = position.play(found.line[0])
            entered.append(str(found.nodes))
        ours = str(position.outcome)
        if "nodes" in result:
            ours += f" {position.board}, nodes {' '.join(entered)}"
        yield Row(f"cut-off {x or 'none'} against {o or 'none'}", result, ours)


def _samples(rules: Rules) -> Iterator[Row]:
    for (first, second), counts in SAMPLES.items():
        [pair] = play_match([first, second], Terms(Position.start(rules))).pairs
        what, note = f"{first} against {second}: wins, draws, losses of 100", "theirs a sample, ours the expectation"
        theirs, ours = " ".join(map(str, counts)), " ".join(f"{100 * share:.1f}" for share in pair.as_x.shares)
        yield Row(what, theirs, ours, exact=False, note=note)
