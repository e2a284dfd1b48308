"""Games of any lines against the slow twin, position by position: values, bulk probes, the check, the counts."""

from functools import lru_cache
from typing import Any

import pytest

from solver.count import automaton, count_positions, shapes, walking
from solver.count.automaton import all_can_be_placed
from solver.game.game_files import name_rules
from solver.game.games import parse_game
from solver.game.json_file import from_json
from solver.game.rules import Rules
from tests.slow_build import Oracle
from tests.small_games import slow_games

GAMES = [
    "2x2x2,2,gravity,misere", "2x2x2,2", "3x3t,3,misere", "3,3,3,maker", "1,8,3,exact,maker", "2,3,2,gravity,maker",
    "3,3,3,maker,plies=5", "3,3,3,x=b2", "3,3,3,o=a1+c3", "affine,4,plies=3", "animal,el,3,3", "clique,5,3,plies=5",
    "clique,6,3,misere,plies=3", "fano", "graph,5,p4,plies=5", "graph,4,g15,misere", "progression,9,3",
    "progression,8,3,maker", "hex,3", "hex,4,plies=3", "hexagon,2,3", "hexagon,3,3,plies=3",
    "projective,3,plies=4", "triangle,4,3,plies=5",
    *slow_games(
        "2x2x2x2,2,without=11a1+12a1+21a1+22a1+11b2+22b2", "affine,3", "animal,tippy,3,3,misere",
        "clique,5,4,maker,plies=5", "cycle,k33,4", "3,3,3,plies=6", "hex,2,maker",
        "4,4,3,o=b2+c3,without=a1+d4+d1+a4,x=c2", "affine,3,maker", "3x3w,3", "cycle,prism,3,misere",
        "3,3,3,maker,misere", "hex,3,misere", "clique,6,3,misere,plies=4", "clique,5,3", "clique,5,3,misere",
        "cycle,cube,4", "3,4,3,maker", "triangle,4,3,misere", "hex,4,o=a1+a3,x=d1",
    ),
]  # fmt: skip

FILES: dict[str, dict[str, Any]] = {
    "other lines for each side": {
        "squares": 8,
        "x_lines": [["1", "2", "3"], ["3", "4", "5"], ["1", "8"]],
        "o_lines": [["2", "5"], ["6", "7", "8"], ["1", "4", "7"]],
    },
    "no lines for X": {"squares": 6, "o_lines": [["1", "2"], ["3", "4", "5"]], "unfinished": "X"},
    "some lines shared": {
        "squares": [*"abcdefgh"], "unfinished": "O", "misere": True,
        "x_lines": [["a", "b", "c"], ["d", "e"]], "o_lines": [["a", "b", "c"], ["f", "g", "h"]],
    },
    "lines that stones spoil": {
        "squares": 7, "plies": 6,
        "x_lines": [{"squares": ["1", "2", "3"], "without": ["4"]}, ["5", "6", "7"]],
        "o_lines": [{"squares": ["2", "3"], "without": ["1", "5"]}],
    },
    "gravity": {
        "squares": 8, "rows": 2, "columns": 4, "gravity": 4,
        "x_lines": [["1", "2"], ["5", "6"]], "o_lines": [["3", "7"], ["1", "6"], ["2", "7"]],
    },
    "lines of one square": {"squares": 5, "x_lines": [["1"]], "o_lines": [["2"], ["3"]], "misere": True},
    "nobody can win": {"squares": 4, "lines": []},
}  # fmt: skip


def rules_of(game: str) -> Rules:
    return name_rules(from_json(FILES[game]), game) if game in FILES else parse_game(game)


@lru_cache(maxsize=4)
def twin(game: str) -> Oracle:
    return Oracle(rules_of(game))


@pytest.mark.sampled
@pytest.mark.parametrize("game", [*GAMES, *FILES])
def test_every_method_counts_what_the_slow_twin_reaches(game: str) -> None:
    known = twin(game)
    rules = known.rules
    method = shapes if rules.has_supports else automaton if all_can_be_placed(rules) else None
    for counts in (walking.count_positions(rules), method.count_positions(rules) if method else count_positions(rules)):
        for count in counts:
            here = [position for position in known.reachable() if position.ply == count.ply]
            assert count.positions == len(here)
            assert count.canonical == len({known.canonical_hash(position) for position in here}), method
            outcomes = [position.outcome for position in here]
            assert [count.x_wins, count.o_wins, count.draws] == [outcomes.count(side) for side in ("X", "O", "draw")]
