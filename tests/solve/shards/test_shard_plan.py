"""Every page is in one shard, and the pages that it reads are in the shards that its shard reads."""

import numpy as np
import pytest

from solver.count import PageCounts
from solver.game.games import parse_game
from solver.game.symmetry import transform
from solver.solve import shard_plan as shards_plan
from solver.solve.block import BLOCK_SQUARES, block_of
from solver.solve.placement_solver import list_keys
from solver.solve.plan import plan_build
from solver.solve.shard_plan import plan_shards
from solver.store.layout import layout_of
from solver.support.threads import ThreadPool

GAMES = ["4,4,4", "4,4,3,torus", "3,5,3,misere", "3,5,3,exact", "1,14,3", "4,4,4,full"]


@pytest.mark.parametrize("game", GAMES)
def test_the_block_and_its_classes_are_preserved_by_the_symmetries(game: str) -> None:
    rules = parse_game(game)
    block = block_of(rules)
    assert len(block.squares) <= BLOCK_SQUARES
    for g in rules.symmetries.elements:
        assert {g[square] for square in block.squares} == set(block.squares)
        for mask in (0, 0b1011, 0b110101100, (1 << rules.squares) - 1):
            masks = np.array([mask, transform(mask, g)])
            assert np.unique(block.classes_of(masks)).size == 1


@pytest.mark.sampled
@pytest.mark.parametrize("game", GAMES)
def test_shards_cover_all_pages_and_read_the_pages_of_all_children(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shards_plan, "MOST_BYTES", 1 << 10)
    rules = parse_game(game)
    with ThreadPool(2) as pool:
        keys = list_keys(rules, pool)
    counts = [level.keys.size for level in keys]
    plan = plan_build(rules, "wdl", PageCounts(counts, counts))
    found = plan_shards(plan, [keys[level.stones].keys for level in plan.levels])
    assert len(list(found)) > len(plan.levels)
    canonical = layout_of(rules, "wdl").images.canonical
    shard_of: dict[int, int] = {}
    for level, shards in zip(plan.levels, found.levels, strict=True):
        own = keys[level.stones].keys.tolist()
        assert [shard.first for shard in shards] == [0, *(shard.last for shard in shards)][: len(shards)]
        assert sum(shard.pages for shard in shards) == len(own)
        children, shard_of = shard_of, {}
        for shard in shards:
            for key in own[shard.first : shard.last]:
                shard_of[key] = shard.number
                larger = {canonical(key | 1 << square)[0] for square in range(rules.squares)}
                read = {children[child] for child in larger - {key} if child in children}
                assert read <= set(shard.reads)
