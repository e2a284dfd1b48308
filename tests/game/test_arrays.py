"""Lines, permutations and positions as arrays, by definition."""

import numpy as np
import pytest

from solver.count.walking import sweep
from solver.game.arrays import best_moves, board_texts, byte_images, canonical_hashes, digits, move_ranks, square_names
from solver.game.games import parse_game
from solver.game.lines import squares_of
from solver.game.notation import square_name
from solver.game.position import Position
from solver.game.symmetry import transform
from solver.game.value import Value
from solver.kernels.orbits import square_images


@pytest.mark.parametrize("game", ["3,3,3", "4,4,4", "5,5,5", "1,1,1", "3,11,4", "6,6,5", "7,8,4"])
def test_the_images_of_bytes_and_of_squares_make_up_the_image_of_a_mask(game: str) -> None:
    rules = parse_game(game)
    elements = rules.symmetries.elements
    by_byte, by_square = byte_images(elements), square_images(elements)
    assert by_square.shape == (rules.squares, len(elements))
    assert by_square.flags.c_contiguous
    for mask in [0, *np.random.default_rng(3).integers(0, 1 << rules.squares, 20).tolist()]:
        images = [transform(mask, permutation) for permutation in elements]
        assert [sum(int(table[b, mask >> 8 * b & 255]) for b in range(len(table))) for table in by_byte] == images
        assert np.bitwise_or.reduce(by_square[[*squares_of(mask)]], axis=0).tolist() == images


GAMES = ["3,3,3", "3,3,3,misere", "2,4,2,gravity", "3,3,2,exact", "2,3,2", "2,3,4", "1,1,1"]


@pytest.mark.sampled
@pytest.mark.parametrize("game", GAMES)
def test_boards_digits_and_canonical_hashes_are_those_of_single_positions(game: str) -> None:
    rules = parse_game(game)
    for level in sweep(rules):
        positions = [Position.parse(rules, number) for number in level.hashes.tolist()]
        cells = digits(rules, level.hashes)
        assert [[".XO"[cell] for cell in row] for row in cells.tolist()] == [list(p.cells) for p in positions]
        assert board_texts(rules, level.hashes).astype(str).tolist() == [position.board for position in positions]
        smallest = [
            min(
                sum(digit * 3 ** image[square] for square, digit in enumerate(row))
                for image in rules.board_symmetries.elements
            )
            for row in cells.tolist()
        ]
        assert canonical_hashes(rules, level.hashes).tolist() == smallest


@pytest.mark.sampled
@pytest.mark.parametrize("distances", ["known", "unknown"])
@pytest.mark.parametrize("game", GAMES)
def test_best_moves_are_those_of_the_best_rank_whatever_the_values(game: str, distances: str) -> None:
    rules, draw = parse_game(game), np.random.default_rng(7)
    levels = list(sweep(rules))
    for level, later in zip(levels, [*levels[1:], None], strict=True):
        count = 0 if later is None else len(later.hashes)
        wdl = draw.integers(-1, 2, count)
        distance = draw.integers(0, 4, count) if distances == "known" else np.full(count, -1)
        children = np.empty(0, np.int64) if later is None else later.hashes
        ranks = move_ranks(wdl, distance)
        masks = best_moves(
            rules,
            level.hashes,
            level.ply,
            level.moves,
            lambda after, known=children, ranks=ranks: ranks[np.searchsorted(known, after)],  # type: ignore[misc]
        )
        values = {
            number: Value(int(result), int(plies) if plies >= 0 else None)
            for number, result, plies in zip(children.tolist(), wdl, distance, strict=True)
        }
        for number, mask in zip(level.hashes.tolist(), masks.tolist(), strict=True):
            position = Position.parse(rules, number)
            worth = {s: values[position.play(s).hash].before_move().rank for s in position.legal_moves}
            best = [square for square, rank in worth.items() if rank == min(worth.values())]
            assert square_names(rules, mask) == tuple(square_name(rules, square) for square in best)
