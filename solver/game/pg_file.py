"""The Positional Game Description: .pg files, as in benchmarks of QBF solvers; see docs/reference/game-files.md.

The side that moves first is X, even if the file calls it white (`Rules.x_is_white`). (Mayer-Eichberger and Saffidine,
"Positional Games and QBF: The Corrective Encoding", 2020.)
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final

from solver.drawing.diagram import HOLE, Diagram, column_name
from solver.errors import RulesError, quoted
from solver.game.lines import Line, mask_of
from solver.game.makers.maker import MOST_LINES, find_repeated, minimal_paths, require_names
from solver.game.makers.variants import remove_squares
from solver.game.rules import MAX_BOARD, Rules, Side

_GOALS: Final = ("blackwins", "whitewins", "edges", "neighbours", "blackgoal")
_BLOCKS: Final = {
    *("version", "times", "blackturns", "positions", "blackinitials", "whiteinitials", "firstmoves"),
    *(*_GOALS, "source", "target", "startboarder", "endboarder", "distances", "unreachablepairs"),
}
_MOST_WORK: Final = 2_000_000  # squares times the squares of the numbers of parts of all shapes
_GRID: Final = re.compile(r"([a-z]{1,2})([1-9][0-9]?)")

Blocks = Mapping[str, list[list[str]]]


def read(text: str) -> Rules:
    """Parse rules from the content of a file. Raises RulesError if it is invalid or the turns do not alternate."""
    blocks = _read_blocks(text)
    names = _words(blocks, "positions")
    if not 1 <= len(names) <= MAX_BOARD:
        raise RulesError(f"#positions must list between 1 and {MAX_BOARD} squares, not {len(names)}.")
    require_names(names)
    numbers = {name: square for square, name in enumerate(names)}
    if max(len(blocks.get("blackwins", [])), len(blocks.get("whitewins", []))) > MOST_LINES:
        raise RulesError(f"The file has more than {MOST_LINES:,} winning sets of one side; leave some out.")
    named = [
        [_line(words, numbers, key) for words in sets]
        for key, sets in (("blackwins", _black_sets(blocks, names)), ("whitewins", blocks.get("whitewins", [])))
    ]
    _known(_words(blocks, "firstmoves"), numbers, "firstmoves")
    black, white = (tuple(sorted(set(lines))) for lines in named)
    first, plies = _turns(blocks)
    x_sets, o_sets = (black, white) if first == "black" else (white, black)
    stones = _stones(blocks, numbers, first)
    rules = Rules(
        name="game",
        diagram=_diagram(tuple(names)),
        x_lines=x_sets,
        o_lines=o_sets,
        unfinished="O" if not o_sets else "X" if not x_sets else None,  # the side without sets wins
        x_is_white=first == "white",
    )
    if stones:
        rules = remove_squares(rules, stones)
    return replace(rules, plies=min(plies, rules.squares))


def _read_blocks(text: str) -> Blocks:
    blocks: dict[str, list[list[str]]] = {}
    current: list[list[str]] | None = None
    for line in text.splitlines():
        words = line.partition("%")[0].split()
        if words and words[0].startswith("#"):
            key = words[0][1:].lower()
            if key not in _BLOCKS:
                raise RulesError(f"{quoted(words[0])} is not a code word of a Positional Game Description.")
            current = blocks.setdefault(key, [])
            words = words[1:]
        if words:
            if current is None:
                raise RulesError(f"The file begins with {quoted(words[0])}, not with a code word such as #positions.")
            current.append(words if current is blocks.get("version") else [word.lower() for word in words])
    needed = ("times", "positions", *(() if any(key in blocks for key in _GOALS) else ("blackwins",)))
    if missing := [key for key in needed if key not in blocks]:
        raise RulesError(f"The file is not a Positional Game Description: #{missing[0]} is missing.")
    return blocks


def _stones(blocks: Blocks, numbers: Mapping[str, int], first: str) -> dict[int, Side]:
    sides: tuple[Side, Side] = ("X", "O") if first == "black" else ("O", "X")
    stones: dict[int, Side] = {}
    for side, key in zip(sides, ("blackinitials", "whiteinitials"), strict=True):
        for name in _known(_words(blocks, key), numbers, key):
            if stones.setdefault(numbers[name], side) != side:
                raise RulesError(f"{quoted(name)} is in #blackinitials and in #whiteinitials; leave it out of one.")
    return stones


def _words(blocks: Blocks, key: str) -> list[str]:
    return [word for line in blocks.get(key, []) for word in line]


def _turns(blocks: Blocks) -> tuple[str, int]:
    """Return the side that moves first, `black` or `white`, and the number of plies."""
    times = _words(blocks, "times")
    if not times:
        raise RulesError("#times lists no points in time.")
    if twice := find_repeated(times):
        raise RulesError(f"#times names {quoted(twice)} twice; give each point in time a name of its own.")
    black = _known(_words(blocks, "blackturns"), times, "blackturns", "#times")
    turns = [time in black for time in times]
    if any(turn == following for turn, following in pairwise(turns)):
        raise RulesError("One side has several turns in a row; tables are of games in which turns alternate.")
    return "black" if turns[0] else "white", len(turns)


def _known(words: Sequence[str], known: Collection[str], key: str, where: str = "#positions") -> Sequence[str]:
    """Return the words of block `key`. Raises RulesError if one is not in `known`, the words of block `where`."""
    for word in words:
        if word not in known:
            raise RulesError(f"#{key} names {quoted(word)}, which is not among {where}.")
    return words


def _line(words: Sequence[str], numbers: Mapping[str, int], key: str) -> Line:
    if len(set(words)) < len(words):
        raise RulesError(f"The set {quoted(' '.join(words))} in #{key} names a square twice; once is enough.")
    return Line(mask_of(numbers[name] for name in _known(words, numbers, key)))


def _black_sets(blocks: Blocks, names: Sequence[str]) -> list[list[str]]:
    """Return black's winning sets: those listed, those that connect two sets of vertices, or placements of shapes."""
    goals = [key for key in ("blackwins", "edges", "blackgoal", "neighbours") if blocks.get(key)]
    if len(goals) > 1 and goals != ["blackgoal", "neighbours"]:  # neighbours define shapes
        raise RulesError(f"Black has two goals, #{goals[0]} and #{goals[1]}; leave one of them out.")
    if blocks.get("blackgoal"):
        return [*_shapes(blocks, names)]
    if "edges" not in blocks and "neighbours" not in blocks:
        return blocks.get("blackwins", [])
    graph: dict[str, set[str]] = {}
    if "edges" in blocks:
        for line in blocks["edges"]:
            if len(line) != 2:
                raise RulesError(f"#edges has {quoted(' '.join(line))}, which are not two squares.")
            for one, other in (line, line[::-1]):
                graph.setdefault(one, set()).add(other)
        source, target = (_side(blocks, key, graph, "#edges") for key in ("source", "target"))
        _known([*graph], {*names, *source, *target}, "edges", "#positions, and neither #source nor #target")
        starts, ends = ({near for vertex in side for near in graph[vertex]} for side in (source, target))
    else:
        _known(_words(blocks, "neighbours"), names, "neighbours")
        graph = {line[0]: set(line[1:]) for line in blocks["neighbours"]}
        starts, ends = (_side(blocks, key, names, "#positions") for key in ("startboarder", "endboarder"))
    squares = set(names)
    return minimal_paths({name: near & squares for name, near in graph.items()}, starts & squares, ends & squares)


def _side(blocks: Blocks, key: str, known: Collection[str], where: str) -> set[str]:
    if not _words(blocks, key):
        raise RulesError(f"#{key}, a side that black must connect, is missing; name its squares.")
    return set(_known(_words(blocks, key), known, key, where))


def _shapes(blocks: Blocks, names: Sequence[str]) -> Iterator[list[str]]:
    """Yield the squares of each placement of each shape; in a shape, up(p1,p0) means that p0 is above p1."""
    beside, back = dict[tuple[str, str], str](), dict[tuple[str, str], str]()
    for square, *near in blocks.get("neighbours", []):
        for relation, other in zip(("up", "side"), near, strict=False):
            if square in names and other in names:
                beside[relation, square], back[relation, other] = other, square
    if len(names) * sum(len(shape) ** 2 for shape in blocks["blackgoal"]) > _MOST_WORK:
        raise RulesError("The shapes of #blackgoal have too many parts; write fewer or smaller ones.")
    for shape in blocks["blackgoal"]:
        found = [re.fullmatch(r"(up|side)\((\w+),(\w+)\)", word) for word in shape]
        relations = [match.groups() for match in found if match]
        if len(relations) < len(found):
            raise RulesError(
                f"#blackgoal has {quoted(' '.join(shape))}, which is not a shape such as up(p1,p0) side(p0,p2)."
            )
        for anchor in names:
            placed = {relations[0][1]: anchor}  # the square of each part, or "" if it does not fit on the board
            for _ in relations:
                for relation, one, other in relations:
                    if one in placed:
                        placed.setdefault(other, beside.get((relation, placed[one]), ""))
                    elif other in placed:
                        placed[one] = back.get((relation, placed[other]), "")
            if "" not in placed.values() and all(
                one in placed and beside.get((relation, placed[one])) == placed[other]
                for relation, one, other in relations
            ):
                yield [*set(placed.values())]


def _diagram(names: tuple[str, ...]) -> Diagram:
    """Return the diagram: a grid if the squares have names such as `b2` and fill at least half of it; else one row."""
    found = [_GRID.fullmatch(name) for name in names]
    number = {column_name(column): column for column in range(26 * 27)}  # a to zz
    places = {(int(match[2]) - 1, number[match[1]]): square for square, match in enumerate(found) if match}
    rows, columns = (max((place[axis] for place in places), default=0) + 1 for axis in (0, 1))
    if not all(found) or rows * columns > 2 * len(names):  # such as p1 to p7, which are not column p
        return Diagram(1, len(names), tuple(range(len(names))), names)
    cells = [places.get((row, column), HOLE) for row in range(rows) for column in range(columns)]
    return Diagram(rows, columns, tuple(cells), names)
