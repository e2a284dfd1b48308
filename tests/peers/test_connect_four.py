"""Connect Four's opening table against BitBully's book of 12 plies with distances."""

from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

from solver.game.games import parse_game
from solver.game.position import Position
from solver.search.truth import open_tablebase
from solver.store.paths import SHIPPED, table_path

pytestmark = pytest.mark.peers

RULES = parse_game("6,7,4,gravity")


def test_every_position_of_the_12_ply_book_has_its_value_and_distance() -> None:
    """The book has 4,200,899 positions with 12 stones, one of each pair of mirror images; no forced moves.

    An entry is a Huffman code of 32 bits and a score: 100 - plies for a win, plies - 100 for a loss.
    """
    package = Path(str(import_module("bitbully_databases").__file__)).parent
    book = np.fromfile(package / "assets" / "book_12ply_distances.dat", np.uint8).reshape(-1, 5)
    codes, scores = book[:, :4].copy().view(">u4")[:, 0], book[:, 4].view(np.int8)
    assert len(codes) == 4_200_899
    wrong = 0
    with open_tablebase(table_path(SHIPPED, RULES)) as table:
        for code, score in zip(codes.tolist(), scores.tolist(), strict=True):
            value = table.probe(decode(code))
            plies = 0 if value.wdl == 0 else value.wdl * (100 - (value.distance or 0))
            wrong += plies != score
    assert wrong == 0


def decode(code: int) -> Position:
    """Return the position of a Huffman code.

    Each column is written from its bottom: 10 for a stone of the side to move, 11 for one of the other side, 0 for the
    end of the column; the last bit of the code is unused.
    """
    words, column, row = [0, 0], 0, 5
    bit = 31
    while column < 7:
        bit -= 1
        if not code >> (bit + 1) & 1:
            column, row = column + 1, 5
            continue
        words[code >> bit & 1] |= 1 << 7 * row + column
        row, bit = row - 1, bit - 1
    return Position._of(RULES, *words)  # the book has legal positions alone
