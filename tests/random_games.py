"""Random games of all variants, and the value of each of their positions by plain enumeration.

The enumeration shares no code with the package: it plays on masks of the whole board, including the squares that are
missing or taken from the start. The package supplies only the lines of families other than k in a row.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, NamedTuple

from solver.errors import RulesError
from solver.game.game_files import name_rules
from solver.game.games import parse_game
from solver.game.json_file import from_json
from solver.game.rules import Rules
from solver.store.schema import POSITIONS_LIMIT
from tests import oracle

Stones = tuple[int, int]
Lines = tuple[tuple[int, int], ...]  # for each line its squares, and those on which its owner must have no stone

SIZES = ((1, 9), (1, 14), (2, 4), (2, 7), (3, 3), (3, 4), (3, 5), (3, 5), (4, 3), (4, 4), (4, 4), (5, 3), (7, 2))
FAMILIES = (
    "affine,3", "animal,el,3,3", "animal,tippy,3,4", "clique,5,3", "cycle,k33,4", "fano", "graph,5,p4", "hex,3",
    "hex,4", "hexagon,2,3", "progression,14,2", "progression,9,3", "triangle,4,3", "triangle,5,3", "2x2x3,2", "3x4w,3",
    "3x5t,3",
)  # fmt: skip


class Known(NamedTuple):
    """What the enumeration finds out about a position."""

    wdl: int  # for the side to move
    distance: int
    is_over: bool


@dataclass(frozen=True)
class PlainGame:
    """A game as masks of the squares of the whole board."""

    rules: Rules  # the same game as the package reads it
    free: tuple[int, ...]  # the squares that can be played, in the order of the package
    start: Stones  # the stones from the start
    x_lines: Lines
    o_lines: Lines
    misere: bool
    plies: int
    unfinished: str | None
    columns: int  # with gravity, the distance to the square below; otherwise 0

    def result(self, x: int, o: int) -> str | None:
        """Return the winner or "draw"; None if the game goes on."""
        for stones, lines, owner, other in ((x, self.x_lines, "X", "O"), (o, self.o_lines, "O", "X")):
            placed = stones | self.start["XO".index(owner)]
            if any(placed & mask == mask and not placed & guard for mask, guard in lines):
                return other if self.misere else owner
        return self.unfinished or "draw" if (x | o).bit_count() == self.plies else None

    def after_moves(self, x: int, o: int) -> list[Stones]:
        """Return the positions after each legal move; there are none if the game is over."""
        if self.result(x, o):
            return []
        taken, last = x | o, max(self.free)
        moves = [1 << s for s in self.free if not taken >> s & 1]
        if self.columns:
            moves = [bit for bit in moves if bit << self.columns > 1 << last or taken & bit << self.columns]
        return [(x, o | bit) if taken.bit_count() % 2 else (x | bit, o) for bit in moves]

    def hash(self, x: int, o: int) -> int:
        """Return the base-3 hash of a position in the package."""
        return sum(((x >> s & 1) + 2 * (o >> s & 1)) * 3**i for i, s in enumerate(self.free))

    def solve(self, most: int) -> list[dict[Stones, Known]] | None:
        """Return what is known about every position, by ply; None if there are more than `most` positions."""
        levels: list[dict[Stones, list[Stones]]] = [{(0, 0): []}]
        while levels[-1]:
            following: dict[Stones, list[Stones]] = {}
            for stones in levels[-1]:
                levels[-1][stones] = moves = self.after_moves(*stones)
                following |= {after: [] for after in moves}
                if sum(map(len, levels)) + len(following) > most:
                    return None
            levels.append(following)
        found: list[dict[Stones, Known]] = [{}]
        for ply, level in reversed([*enumerate(levels[:-1])]):
            found.append({stones: self._evaluate(stones, ply, found[-1], moves) for stones, moves in level.items()})
        return found[:0:-1]

    def _evaluate(self, stones: Stones, ply: int, later: dict[Stones, Known], moves: list[Stones]) -> Known:
        if not moves:
            winner = self.result(*stones)
            return Known(0 if winner == "draw" else 1 if winner == "XO"[ply % 2] else -1, 0, True)
        replies = [later[after] for after in moves]
        wdl = max(-reply.wdl for reply in replies)
        distances = [reply.distance for reply in replies if -reply.wdl == wdl]
        return Known(wdl, 1 + (max(distances) if wdl < 0 else min(distances)), False)


def draw_game(chance: Random, most: int) -> tuple[PlainGame, list[dict[Stones, Known]]]:
    """Draw a game of at most `most` positions; return it with what is known about its positions, by ply.

    Half of the games have too many squares for a table of rows.
    """
    has_pages = chance.random() < 0.5
    while True:
        make = chance.choice((_row_game, _row_game, _family_game, _file_game, _file_game))
        try:
            game = make(chance)
        except RulesError:  # such as a line from the start
            continue
        if has_pages == (len(game.free) > POSITIONS_LIMIT) and (known := game.solve(most)) and len(known) > 3:
            return game, known


def named_game(name: str) -> PlainGame:
    """Return k in a row on a rectangle, with any variants, by its name."""
    rows, columns, length, *variants = name.split(",")
    words = [word for word in variants if "=" not in word]
    options = dict(word.split("=") for word in variants if "=" in word)
    base = parse_game(",".join([rows, columns, length, *sorted({"torus", "exact", "full"} & {*words})]))
    lines = tuple((_mask(inside), _mask(beyond) if "exact" in words else 0) for inside, beyond in oracle.rows(base))
    return _vary(name, base.diagram.names, lines, lines, words, options, int(columns))


def file_game(data: dict[str, Any]) -> PlainGame:
    """Return the game of a JSON file whose squares are numbered."""
    count = data["squares"]
    x_lines, o_lines = (
        tuple(_read_line(line) for line in data.get("lines", data.get(key, []))) for key in ("x_lines", "o_lines")
    )
    return PlainGame(
        rules=name_rules(from_json(data), "random"),
        free=tuple(range(count)),
        start=(0, 0),
        x_lines=x_lines,
        o_lines=o_lines,
        misere=data.get("misere", False),
        plies=data.get("plies", count),
        unfinished=data.get("unfinished"),
        columns=data.get("gravity", 0),
    )


def _row_game(chance: Random) -> PlainGame:
    rows, columns = chance.choice(SIZES)
    length = min(chance.choice((1, 2, 2, 2, 3, 3, 3, 4)), max(rows, columns))
    words = {word for word in ("exact", "gravity", "maker", "misere", "torus") if chance.random() < 0.3}
    if chance.random() < 0.1:
        length, words = min(rows, columns), words - {"exact", "torus"} | {"full"}
    options = [] if "gravity" in words else _draw_options(chance, parse_game(f"{rows},{columns},1").diagram.names)
    return named_game(",".join([f"{rows},{columns},{length}", *sorted(words), *options]))


def _family_game(chance: Random) -> PlainGame:
    base = parse_game(chance.choice(FAMILIES))
    words = [word for word in ("maker", "misere") if chance.random() < 0.3]
    options = _draw_options(chance, base.diagram.names)
    name = ",".join([base.name, *words, *options])
    given = dict(option.split("=") for option in options)
    return _vary(name, base.diagram.names, base.x_lines, base.o_lines, words, given, 0)


def _draw_options(chance: Random, names: Sequence[str]) -> list[str]:
    drawn = chance.sample(names, chance.choice((0, 0, 1, 1, 2, 3)))
    marks: dict[str, list[str]] = {}
    for name in drawn:
        marks.setdefault(chance.choice(("x", "o", "without")), []).append(name)
    plies = [f"plies={chance.randint(1, len(names) - len(drawn))}"] if chance.random() < 0.25 else []
    return [*(f"{key}={'+'.join(squares)}" for key, squares in marks.items()), *plies]


def _vary(
    name: str,
    names: Sequence[str],
    x_lines: Lines,
    o_lines: Lines,
    words: Sequence[str],
    options: dict[str, str],
    columns: int,
) -> PlainGame:
    """Return a game with the variants `words` and `options`, given the lines of the game without them."""
    x, o, missing = (
        _mask(names.index(square) for square in options[key].split("+") if key in options) if key in options else 0
        for key in ("x", "o", "without")
    )
    free = tuple(s for s in range(len(names)) if not (x | o | missing) >> s & 1)
    is_maker, misere = "maker" in words, "misere" in words
    return PlainGame(
        rules=parse_game(name),
        free=free,
        start=(x, o),
        x_lines=tuple(line for line in x_lines if not line[0] & missing),
        o_lines=() if is_maker else tuple(line for line in o_lines if not line[0] & missing),
        misere=misere,
        plies=int(options.get("plies", len(free))),
        unfinished=None if not is_maker else "X" if misere else "O",
        columns=columns if "gravity" in words else 0,
    )


def _file_game(chance: Random) -> PlainGame:
    count = chance.choice((5, 7, 8, 9, 10, 11, 13, 13, 14, 14, 15, 16))
    data: dict[str, Any] = {"squares": count}
    for key in chance.choice((["lines"], ["x_lines", "o_lines"])):
        data[key] = [_draw_line(chance, count) for _ in range(chance.randint(1, 12))]
    columns = [columns for columns in range(1, count) if count % columns == 0]
    if chance.random() < 0.2:
        data["gravity"] = chance.choice(columns)
    elif chance.random() < 0.4:
        data["plies"] = chance.randint(1, count)
    data |= {"misere": True} if chance.random() < 0.3 else {}
    data |= {"unfinished": chance.choice("XO")} if chance.random() < 0.4 else {}
    return file_game(data)


def _draw_line(chance: Random, count: int) -> Any:
    squares = chance.sample(range(1, count + 1), chance.choice((1, 2, 2, 2, 3, 3, 3, 3, 4, 4)))
    others = [square for square in range(1, count + 1) if square not in squares]
    without = chance.sample(others, min(len(others), chance.choice((0, 0, 1, 2))))
    return {"squares": squares, "without": without} if without else squares


def _read_line(line: Any) -> tuple[int, int]:
    squares, without = (line["squares"], line["without"]) if isinstance(line, dict) else (line, [])
    return _mask(square - 1 for square in squares), _mask(square - 1 for square in without)


def _mask(squares: Any) -> int:
    return sum(1 << square for square in {*squares})
