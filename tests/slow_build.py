"""Build tables of small games slowly and simply, by negamax over positions, without code of the kernels."""

from functools import cache, lru_cache
from pathlib import Path

from solver.game.games import parse_game
from solver.game.lines import completed
from solver.game.notation import square_name
from solver.game.position import Position
from solver.game.rules import Rules
from solver.game.value import Value
from solver.store.layout import PageLayout, layout_of
from solver.store.schema import PLIES_KEY, UNREACHABLE, Metric, Storage, dense_code
from solver.store.writer import TableWriter
from tests.page_geometry import list_stones, page_keys

Row = dict[str, int | None]


class Oracle:
    """The values of one game, by memoised negamax."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.known: dict[tuple[int, int], Value] = {}
        self.canonical_hashes: dict[tuple[int, int], int] = {}

    def value(self, position: Position) -> Value:
        """Return the value for the side to move, with the distance."""
        stones = (position.x, position.o)
        if stones not in self.known:
            over = position.value_if_over
            self.known[stones] = over or min(self.moves(position))[2]
        return self.known[stones]

    @cache  # noqa: B019 - an oracle lives as long as the tests
    def moves(self, position: Position) -> list[tuple[tuple[int, int], int, Value]]:
        """Return (rank, square, value for the side to move) of every legal move; the smallest is the best."""
        values = [(s, self.value(position.play(s)).before_move()) for s in position.legal_moves]
        return [(value.rank, square, value) for square, value in values]

    def canonical_hash(self, position: Position) -> int:
        """Return the hash of the canonical position, memoised for all its images: boards on a torus have many."""
        stones = (position.x, position.o)
        if stones not in self.canonical_hashes:
            images = [position.transform(g) for g in self.rules.board_symmetries.elements]
            smallest = min(image.hash for image in images)
            self.canonical_hashes |= {(image.x, image.o): smallest for image in images}
        return self.canonical_hashes[stones]

    @cache  # noqa: B019 - an oracle lives as long as the tests
    def reachable(self) -> list[Position]:
        """Return every position that can arise, ordered by hash. Do not change the list."""
        found = {0: Position.start(self.rules)}
        queue = list(found.values())
        for position in queue:
            for square in position.legal_moves:
                child = position.play(square)
                if found.setdefault(child.hash, child) is child:
                    queue.append(child)
        return [found[number] for number in sorted(found)]


@lru_cache(maxsize=64)
def oracle(game: str) -> Oracle:
    """Return the oracle of a game, shared by all tests."""
    return Oracle(parse_game(game))


def slow_build(
    game: str,
    folder: Path,
    metric: Metric = "distance",
    storage: Storage | None = None,
    opening_plies: int | None = None,
) -> Path:
    """Build the table of a small game, or of its first plies as pages; return its path."""
    known = oracle(game)
    rules = known.rules
    positions = known.reachable()
    rows = plies(known, positions, metric)
    with TableWriter(folder / rules.file_name, rules, metric, storage) as writer:
        writer.put_plies(rows[: None if opening_plies is None else opening_plies + 1])
        meta = root_meta(known, metric) | {
            "positions": len(positions),
            "canonical": sum(row["canonical"] or 0 for row in rows),
        }
        if writer.storage == "positions":
            found = (position_row(known, position, metric) for position in positions)
            writer.add_positions(found, dense(known, positions, metric))
        else:
            layout = layout_of(rules, metric)
            keys = [key for key in page_keys(layout) if opening_plies is None or key.bit_count() <= opening_plies]
            writer.add_pages((key, raw_page(known, layout, key)) for key in keys)
            meta |= {} if opening_plies is None else {PLIES_KEY: opening_plies}
        return writer.finish(meta)


def root_meta(known: Oracle, metric: Metric) -> dict[str, object]:
    root = known.value(Position.start(known.rules))
    return {"root_wdl": root.wdl, "root_distance": root.distance if metric == "distance" else None, "builder": "slow"}


def position_row(known: Oracle, position: Position, metric: Metric) -> tuple[int | str | None, ...]:
    value = known.value(position)
    moves = known.moves(position)
    best = [square for rank, square, _ in sorted(moves) if rank == min(moves)[0]]
    if metric == "wdl":  # without distances, all moves that keep the value are equally good
        best = [square for _, square, kept in sorted(moves, key=lambda move: move[1]) if kept.wdl == value.wdl]
    return (
        position.hash, position.board, position.ply, position.to_move, value.wdl,
        value.distance if metric == "distance" else None,
        " ".join(square_name(known.rules, square) for square in best), known.canonical_hash(position),
    )  # fmt: skip


def dense(known: Oracle, positions: list[Position], metric: Metric) -> bytes:
    codes = bytearray([UNREACHABLE]) * 3**known.rules.squares
    for position in positions:
        value = known.value(position)
        codes[position.hash] = dense_code(value.wdl, value.distance if metric == "distance" else None)
    return bytes(codes)


def plies(known: Oracle, positions: list[Position], metric: Metric) -> list[Row]:
    rows: list[Row] = []
    for ply in range(known.rules.plies + 1):
        here = [position for position in positions if position.ply == ply]
        values = [known.value(position) for position in here]
        decisive = [value.distance or 0 for value in values if value.wdl]
        rows.append(
            {
                "ply": ply, "positions": len(here),
                "canonical": len({known.canonical_hash(position) for position in here}),
                "won": sum(value.wdl == 1 for value in values), "drawn": sum(value.wdl == 0 for value in values),
                "lost": sum(value.wdl == -1 for value in values),
                "terminal": sum(position.is_over for position in here),
                "longest": max(decisive, default=None) if metric == "distance" else None,
            }
        )  # fmt: skip
    return rows


def raw_page(known: Oracle, layout: PageLayout, key: int) -> bytes:
    """Return the bit planes of a page, computed position by position."""
    size = layout.page_size(key)
    planes = [bytearray(size.plane_bytes) for _ in range(1 + size.digits)]
    for rank, (x, o) in enumerate(list_stones(layout, key)):
        position = Position._of(known.rules, x, o)
        if position.is_over:
            continue
        value = known.value(position)
        if layout.has_threats and decided_by_threats(known, position):
            continue
        sign, count = sign_and_count(known.rules, layout.metric, position.ply, value)
        for digit, plane in enumerate(planes):
            bit = sign if digit == 0 else count >> digit - 1 & 1
            plane[rank >> 3] |= bit << (rank & 7)
    return b"".join(planes)


def decided_by_threats(known: Oracle, position: Position) -> bool:
    """Return True if the side to move can win at once, or if the other side threatens to win on two squares."""
    if any(position.play(square).outcome in {"X", "O"} for square in position.legal_moves):
        return True
    other, lines = (position.o, known.rules.o_lines) if position.to_move == "X" else (position.x, known.rules.x_lines)
    free = [1 << square for square in position.legal_moves]
    return sum(bool(completed(lines, other | bit)) for bit in free) >= 2


def sign_and_count(rules: Rules, metric: Metric, ply: int, value: Value) -> tuple[int, int]:
    """Return the sign and the count of an unfinished position, computed from the description of the format."""
    if value.wdl == 0:
        return 0, 0
    mover_is_o = ply % 2 == 1
    o_wins = mover_is_o == (value.wdl == 1)
    sign = int(o_wins != rules.misere)
    if metric == "wdl":
        return sign, 1
    end = ply + (value.distance or 0)
    last = max(h for h in range(rules.plies + 1) if h % 2 != sign)
    return sign, (last - end) // 2 + 1
