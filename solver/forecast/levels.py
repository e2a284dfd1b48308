"""The levels that a build sweeps over, in figures; the sweeps themselves are in `solver.build`."""

from __future__ import annotations

from math import comb
from typing import NamedTuple

from solver.build.sweep import horizons
from solver.forecast.counting import live_sets_up_to_symmetry, shapes, shapes_up_to_symmetry
from solver.rules import Rules
from solver.store.layout import layout_of
from solver.store.schema import Metric


class Level(NamedTuple):
    """The pages whose keys have the same number of stones."""

    solved: int  # pages that are solved
    stored: int  # pages that are kept in the file
    planes: int  # of a page while it is solved
    words: int  # of a plane, 8 bytes each
    steps: int  # words merged for each word
    kept_words: int  # of a page, that the next level reads, 8 bytes each
    page_bytes: int  # of a page in the file, before it is compressed

    @property
    def work(self) -> int:
        """What there is to do, in words merged."""
        return self.solved * self.planes * self.words * self.steps

    @property
    def kept_bytes(self) -> int:
        """What all pages keep for the next level."""
        return self.solved * self.kept_words * 8

    @property
    def raw_bytes(self) -> int:
        """All pages before they are compressed."""
        return self.stored * self.page_bytes


def levels_of(rules: Rules, metric: Metric) -> list[Level]:
    """The levels of a game, the empty board first."""
    layout = layout_of(rules, metric)
    if layout.is_drop:
        return _drop_levels(rules, metric)
    return [
        _placement_level(rules, metric, stones, pages) for stones, pages in enumerate(live_sets_up_to_symmetry(rules))
    ]


def _placement_level(rules: Rules, metric: Metric, stones: int, pages: int) -> Level:
    free = rules.squares - stones
    kept_planes = 1 + layout_of(rules, metric).page_size((1 << stones) - 1).digits
    bits = comb(free, stones - 1) if stones else 0  # with O to move
    return Level(
        solved=pages,
        stored=pages,
        planes=sum(horizons(rules, metric, 2 * stones)),
        words=_words(free),
        steps=free + 1,
        kept_words=kept_planes * (bits // 64 + 2),
        page_bytes=_page_bytes(rules, metric, stones),
    )


def _drop_levels(rules: Rules, metric: Metric) -> list[Level]:
    classes = shapes_up_to_symmetry(rules)
    return [
        Level(
            solved=found,
            stored=classes[stones] if stones < rules.squares else 0,  # a full board has no page
            planes=sum(horizons(rules, metric, stones)),
            words=_words(stones),
            steps=rules.n,
            kept_words=sum(horizons(rules, metric, stones)) * _words(stones),
            page_bytes=_page_bytes(rules, metric, stones),
        )
        for stones, found in enumerate(shapes(rules))
    ]


def _page_bytes(rules: Rules, metric: Metric, stones: int) -> int:
    return layout_of(rules, metric).page_size((1 << stones) - 1).raw_bytes


def _words(index_bits: int) -> int:
    """As kernels.words.word_count, for boards of any size."""
    return 1 << max(index_bits - 6, 0)
