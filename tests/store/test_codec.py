"""Stored pages and the digests of tables."""

import random
import zlib

import numpy as np
import pytest
import xxhash
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from solver.store.codec import LONG_BYTES, CodecError, dense_checksum, pack_page, unpack_page
from solver.store.digests import dense_digest, page_digest, sum_digest
from solver.store.packing import pack_pages


@given(st.binary(max_size=400), st.integers(0, 300))
def test_pages_survive_packing(start: bytes, zeros: int) -> None:
    raw = start + bytes(zeros)
    data = pack_page(raw)
    assert len(data) <= len(raw) + 4
    assert unpack_page(data, len(raw)) == raw


def test_an_incompressible_page_is_stored_raw() -> None:
    raw = random.Random(1).randbytes(100)
    assert pack_page(raw)[:-4] == raw
    assert len(pack_page(bytes(5000))) < 40


def test_repeated_planes_of_a_long_page_are_stored_once() -> None:
    plane = random.Random(3).randbytes(LONG_BYTES)
    data = pack_page(2 * plane)
    assert len(data) < 1.01 * len(plane)
    assert unpack_page(data, 2 * len(plane)) == 2 * plane


@pytest.mark.parametrize("raw", [bytes(300), random.Random(2).randbytes(60), b"\x01"], ids=["frame", "raw", "byte"])
def test_every_flipped_bit_and_every_cut_is_detected(raw: bytes) -> None:
    data = pack_page(raw)
    harmless = {raw, None} if data[:-4] != raw else {None}  # a frame has unused bits
    for bit in range(8 * len(data)):
        flipped = bytearray(data)
        flipped[bit >> 3] ^= 1 << (bit & 7)
        assert unpacked(bytes(flipped), len(raw)) in harmless
    for length in range(len(data)):
        assert unpacked(data[:length], len(raw)) is None


def unpacked(data: bytes, raw_bytes: int) -> bytes | None:
    try:
        return unpack_page(data, raw_bytes)
    except CodecError:
        return None


def test_a_page_cannot_demand_memory() -> None:
    bomb = zstandard.ZstdCompressor().compress(bytes(1 << 24))
    with pytest.raises(CodecError, match="16777216 bytes"):
        unpack_page(bomb + bytes(4), 8)
    unsized = zstandard.ZstdCompressor(write_content_size=False).compress(bytes(1 << 24))
    with pytest.raises(CodecError, match="instead of 8"):
        unpack_page(unsized + bytes(4), 8)


def test_digests_follow_the_format() -> None:
    assert page_digest(5, b"page") == xxhash.xxh3_128_intdigest(b"page", seed=5) != page_digest(6, b"page")
    assert sum_digest((1 << 128) + 10) == "a".rjust(32, "0")
    assert dense_digest(b"") == f"{page_digest(0, b''):032x}" == "99aa06d3014798d86001c324468d497f"
    assert dense_checksum(b"123456789") == f"{zlib.crc32(b'123456789'):x}" == "cbf43926"


@pytest.mark.parametrize("size", [1, 15, 16, 120, 121, 342, 2002, LONG_BYTES + 1])
@pytest.mark.parametrize("count", [0, 1, 4, 11])
def test_pages_packed_together_are_the_same_as_one_by_one(count: int, size: int) -> None:
    random = np.random.default_rng(size)
    pages = random.integers(0, 256, (count, size), np.uint8) & random.integers(0, 2, (count, size), np.uint8) * 255
    keys = random.integers(0, 1 << 56, count)
    packed, raw = pack_pages(keys, np.asfortranarray(pages)), [page.tobytes() for page in pages]
    assert packed.data == b"".join(map(pack_page, raw))
    assert packed.digest == sum(map(page_digest, keys.tolist(), raw))
    assert packed.entries["key"].tolist() == keys.tolist()
    assert packed.entries["length"].tolist() == [len(pack_page(page)) for page in raw]
