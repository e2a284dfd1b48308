"""The levels that a build sweeps over, in figures; the sweeps themselves are in `solver.solve`."""

from __future__ import annotations

from typing import NamedTuple

from solver.count.pages import live_sets_up_to_symmetry, shapes, shapes_up_to_symmetry
from solver.game.rules import Rules
from solver.solve.cost import drop_scratch, drop_work, layer_words, placement_scratch, placement_work, plane_words
from solver.solve.sweep import horizons
from solver.store.layout import layout_of
from solver.store.schema import Metric


class Level(NamedTuple):
    """The pages whose keys have the same number of stones."""

    solved: int  # pages that are solved
    stored: int  # pages that are kept in the file
    page_work: int  # what there is to do for one that is solved, see build.cost
    scratch: int  # bytes that each thread works in
    kept_words: int  # of a page, that the next level reads, 8 bytes each
    page_bytes: int  # of a page in the file, before it is compressed

    @property
    def work(self) -> int:
        """What there is to do."""
        return self.solved * self.page_work

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
    if layout.has_gravity:
        return _drop_levels(rules, metric)
    return [
        _placement_level(rules, metric, stones, pages) for stones, pages in enumerate(live_sets_up_to_symmetry(rules))
    ]


def _placement_level(rules: Rules, metric: Metric, stones: int, pages: int) -> Level:
    free = rules.squares - stones
    planes = sum(horizons(rules, metric, 2 * stones))
    kept_planes = 1 + layout_of(rules, metric).page_size((1 << stones) - 1).digits
    return Level(
        solved=pages,
        stored=pages,
        page_work=placement_work(free, stones, planes),
        scratch=placement_scratch(rules, stones, planes),
        kept_words=kept_planes * layer_words(free, stones - 1),  # with O to move
        page_bytes=_page_bytes(rules, metric, stones),
    )


def _drop_levels(rules: Rules, metric: Metric) -> list[Level]:
    classes = shapes_up_to_symmetry(rules)
    planes = [sum(horizons(rules, metric, stones)) for stones in range(rules.squares + 1)]
    return [
        Level(
            solved=found,
            stored=classes[stones] if stones < rules.squares else 0,  # a full board has no page
            page_work=drop_work(rules, stones, planes[stones]),
            scratch=drop_scratch(stones),
            kept_words=planes[stones] * plane_words(stones),
            page_bytes=_page_bytes(rules, metric, stones),
        )
        for stones, found in enumerate(shapes(rules))
    ]


def _page_bytes(rules: Rules, metric: Metric, stones: int) -> int:
    return layout_of(rules, metric).page_size((1 << stones) - 1).raw_bytes
