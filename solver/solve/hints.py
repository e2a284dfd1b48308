"""Hints for a proof: the moves of strategies with which X wins on boards of other sizes, or under other rules.

They tell the search what to try first. Whether they win here too, it proves.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, suppress
from itertools import product
from pathlib import Path

from solver.errors import TableError
from solver.game.base3 import decode
from solver.game.lines import mask_of, squares_of
from solver.game.rules import Rules
from solver.store.paths import FILE_ENDING, SHIPPED, STRATEGY_ENDING, game_of_file
from solver.store.strategy_file import Row, StrategyReader, canonical, symmetries


def read_wins(rules: Rules, folder: Path) -> Iterator[tuple[Rules, list[Row]]]:
    """Yield the strategies with which X wins on rectangles of other sizes, those of the nearest size first.

    They are in the folder or in the package. Those of the same variant come first.
    """
    found = {path.name: path for place in (SHIPPED, folder) for path in place.glob(f"mnk-*{STRATEGY_ENDING}")}
    others = list[tuple[bool, int, Path]]()
    for path in found.values():
        other = game_of_file(path.with_name(path.name.replace(STRATEGY_ENDING, FILE_ENDING)))
        if other and other != rules and rules.rectangle and other.rectangle and other.rectangle.k == rules.rectangle.k:
            distance = abs(other.rectangle.m - rules.rectangle.m) + abs(other.rectangle.n - rules.rectangle.n)
            others.append((other.variants != rules.variants, distance, path))
    for _, _, path in sorted(others):
        with suppress(TableError), closing(StrategyReader(path)) as reader:
            if reader.header[:2] == ("X", "wins"):
                yield reader.rules, [*reader]


def find_hints(
    rules: Rules, others: Iterable[tuple[Rules, Iterable[Row]]], progress: Callable[[], None] = lambda: None
) -> dict[int, int]:
    """Return the moves of strategies for other rectangles, by the base-3 hashes of canonical positions.

    The boards have the same middle, or one beside it. What does not fit is left out. On a larger board, a stone of O at
    the edge also stands for one beyond it: such stones are far from the play. Earlier strategies come first. progress:
    called for each row; what it raises ends this.
    """
    hints: dict[int, int] = {}
    for other, rows in others:
        if not (rules.rectangle and other.rectangle):
            continue
        (m, n), (height, width) = rules.rectangle[:2], other.rectangle[:2]
        down, right = (m - height) // 2, (n - width) // 2
        places = {
            row * width + column: (row + down) * n + column + right
            for row, column in product(range(height), range(width))
            if 0 <= row + down < m and 0 <= column + right < n
        }
        beyond = dict[int, list[int]]()
        for row, column in product(range(m), range(n)):
            edge = min(max(row - down, 0), height - 1), min(max(column - right, 0), width - 1)
            if edge != (row - down, column - right):
                beyond.setdefault(edge[0] * width + edge[1], []).append(row * n + column)
        images = symmetries(other) if len(symmetries(other)) > len(symmetries(rules)) else symmetries(other)[:1]
        for (key, move, _), image in product(rows, images):
            progress()
            x, o = ([image[square] for square in squares_of(mask)] for mask in decode(key))
            if all(square in places for square in (*x, *o, image[move])):
                x_mask, o_mask = (mask_of(places[square] for square in some) for some in (x, o))
                moved = [o_mask ^ 1 << places[square] | 1 << far for square in o for far in beyond.get(square, ())]
                for mask in (o_mask, *moved):
                    number, symmetry = canonical(rules, x_mask, mask)
                    hints.setdefault(number, symmetry[places[image[move]]])
    return hints
