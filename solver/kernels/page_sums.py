"""Compute the digests and checksums of many pages of the same length, LANES pages at a time.

BLAKE2b (RFC 7693) works on 64-bit words. So operations on vector registers of LANES words digest LANES pages in
parallel, in a third of the time that digesting one page after another would take. CRC-32 with tables must wait for each
look-up before it can make the next. So the look-ups for LANES pages are interleaved.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from solver.kernels.instructions import READS_BYTES, can_use, word_at_byte
from solver.kernels.jit import HAS_NUMBA, jit, jit_allocating, jit_within, numba

if HAS_NUMBA:
    from llvmlite import ir
    from numba import extending

COMPILES: Final = READS_BYTES
"""Whether the functions of this file can be used: they are compiled for little-endian processors."""

HAS_PRODUCTS: Final = COMPILES and can_use("pclmul")
"""Whether the processor multiplies polynomials: those of the x86 family since 2010."""

Words = tuple[np.uint64, np.uint64]

LANES: Final = 4
DIGEST_WORDS: Final = 4
_BLOCK: Final = 128  # bytes of a block of BLAKE2b
_KEY: Final = 8  # bytes of the key of a page, before the page
_ROUNDS: Final = 12
_START: Final = np.array(
    [
        0x6A09E667F3BCC908,
        0xBB67AE8584CAA73B,
        0x3C6EF372FE94F82B,
        0xA54FF53A5F1D36F1,
        0x510E527FADE682D1,
        0x9B05688C2B3E6C1F,
        0x1F83D9ABFB41BD6B,
        0x5BE0CD19137E2179,
    ],
    np.uint64,
)
_PARAMETERS: Final = 0x01010000 | 8 * DIGEST_WORDS  # no key, no tree
_ORDERS: Final = (
    (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15),
    (14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3),
    (11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4),
    (7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8),
    (9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13),
    (2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9),
    (12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11),
    (13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10),
    (6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5),
    (10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0),
)
# The four columns of the state, then its four diagonals.
_QUADS: Final = [tuple((i + shift * row) % 4 + 4 * row for row in range(4)) for shift in (0, 1) for i in range(4)]


def _list_remainders() -> np.ndarray:
    """Return the CRC-32 remainder of each byte value followed by 0 to 7 bytes of zeros: uint32[8, 256]."""
    remainders = np.zeros((8, 256), np.uint32)
    remainders[0] = np.arange(256)
    for _ in range(8):
        remainders[0] = remainders[0] >> 1 ^ 0xEDB88320 * (remainders[0] & 1)
    for zeros in range(1, 8):
        before = remainders[zeros - 1]
        remainders[zeros] = before >> 8 ^ remainders[0, before & 255]
    return remainders


_FACTORS: Final = (0x1751997D0, 0x0CCAA009E)  # the remainders of x**160 and x**96, for a word followed by 16 bytes

_REMAINDERS = _list_remainders()


def _describe_compress(
    _typing: object, state: Any, pages: Any, _row: object, _byte: object, _count: object, _last: object
) -> tuple[object, Callable[..., Any]]:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        word = ir.IntType(64)
        lanes = ir.VectorType(word, LANES)
        rotate = builder.module.declare_intrinsic(f"llvm.fshr.v{LANES}i64", (), ir.FunctionType(lanes, [lanes] * 3))

        def constant(value: int) -> Any:
            return ir.Constant(lanes, [value] * LANES)

        def spread(value: Any) -> Any:
            one = builder.insert_element(constant(0), value, ir.IntType(32)(0))
            return builder.shuffle_vector(one, constant(0), ir.Constant(ir.VectorType(ir.IntType(32), LANES), None))

        def array(number: int) -> Any:
            return context.make_array(signature.args[number])(context, builder, arguments[number])

        def load(pointer: Any, kind: Any) -> Any:
            loaded = builder.load(builder.bitcast(pointer, kind.as_pointer()))
            loaded.align = 1
            return loaded

        def words(byte: int) -> Any:
            """Load the word at offset `byte` of each page into a vector."""
            vector = constant(0)
            for lane, row in enumerate(rows):
                vector = builder.insert_element(
                    vector, load(builder.gep(row, [word(byte)]), word), ir.IntType(32)(lane)
                )
            return vector

        bytes_of = array(1)
        stride = builder.extract_value(bytes_of.strides, 0)
        first = builder.gep(bytes_of.data, [builder.add(builder.mul(arguments[2], stride), arguments[3])])
        rows = [builder.gep(first, [builder.mul(stride, word(lane))]) for lane in range(LANES)]
        message = [words(8 * i) for i in range(16)]
        places = [builder.gep(array(0).data, [word(LANES * i)]) for i in range(8)]
        before = [load(place, lanes) for place in places]
        v = before + [constant(int(value)) for value in _START]
        v[12] = builder.xor(v[12], spread(arguments[4]))
        v[14] = builder.xor(v[14], spread(builder.sub(word(0), arguments[5])))
        for number in range(_ROUNDS):
            order = _ORDERS[number % len(_ORDERS)]
            for quad, (a, b, c, d) in enumerate(_QUADS):
                for half, (first_turn, second_turn) in enumerate(((32, 24), (16, 63))):
                    added = builder.add(v[b], message[order[2 * quad + half]])
                    v[a] = builder.add(v[a], added)
                    turned = builder.xor(v[d], v[a])
                    v[d] = builder.call(rotate, [turned, turned, constant(first_turn)])
                    v[c] = builder.add(v[c], v[d])
                    turned = builder.xor(v[b], v[c])
                    v[b] = builder.call(rotate, [turned, turned, constant(second_turn)])
        for i, place in enumerate(places):
            after = builder.xor(before[i], builder.xor(v[i], v[i + 8]))
            builder.store(after, builder.bitcast(place, lanes.as_pointer())).align = 1
        return context.get_dummy_value()

    return numba.void(state, pages, numba.int64, numba.int64, numba.int64, numba.int64), generate


def _describe_multiply(_typing: object, _low: object, _high: object) -> tuple[object, Callable[..., Any]]:
    pair = numba.types.UniTuple(numba.uint64, 2)

    def generate(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        byte, number, words = ir.IntType(8), ir.IntType(32), ir.VectorType(ir.IntType(64), 2)
        kind = ir.FunctionType(words, [words, words, byte])
        multiply = builder.module.declare_intrinsic("llvm.x86.pclmulqdq", (), kind)
        both = ir.Constant(words, [0, 0])
        for i, word in enumerate(arguments):
            both = builder.insert_element(both, word, number(i))
        factors = ir.Constant(words, list(_FACTORS))
        products = [builder.call(multiply, [both, factors, byte(halves)]) for halves in (0x00, 0x11)]
        found = builder.xor(*products)
        return context.make_tuple(builder, pair, [builder.extract_element(found, number(i)) for i in range(2)])

    return pair(numba.uint64, numba.uint64), generate


def _instruction(describe: Callable[..., Any], available: bool) -> Any:
    return extending.intrinsic(describe) if available else None


_compress = _instruction(_describe_compress, COMPILES)

_multiply = _instruction(_describe_multiply, HAS_PRODUCTS)
"""Return 16 bytes with the same remainder as 16 bytes, given as two words, followed by 16 zeros."""


@jit
def _add_block(state: np.ndarray, rows: np.ndarray, first: int, at: int, count: int, last: bool) -> None:
    """Add one block of 128 bytes to each of LANES digests.

    The blocks begin at byte `at` of LANES rows of `rows`, from row `first` on. `state` (uint64[8 * LANES]) contains the
    digests. `count` is the number of bytes digested so far, including this block.
    """
    _compress(state, rows, first, at, count, 1 if last else 0)


@jit_allocating
def sum_pages(keys: np.ndarray, pages: np.ndarray, digests: np.ndarray, checksums: np.ndarray) -> None:
    """For each page, compute the BLAKE2b digest of its key followed by its content, and the CRC-32 of its content.

    There must be at least LANES pages. `pages` (uint8[C, bytes]) contains their content, and `keys` (int64[C]) their
    keys. Fills `checksums` (uint32[C]) and `digests` (uint64[C, DIGEST_WORDS]).
    """
    state = np.empty(8 * LANES, np.uint64)
    block = np.empty((LANES, _BLOCK), np.uint8)
    size = _KEY + pages.shape[1]
    blocks = (size + _BLOCK - 1) // _BLOCK
    for group in range(0, keys.size, LANES):
        first = min(group, keys.size - LANES)
        for i in range(8):
            for lane in range(LANES):
                state[LANES * i + lane] = _START[i]
        for lane in range(LANES):
            state[lane] ^= np.uint64(_PARAMETERS)
        for b in range(blocks):
            last = b == blocks - 1
            if 0 < b and not last:
                _add_block(state, pages, first, b * _BLOCK - _KEY, (b + 1) * _BLOCK, last)
            else:
                for lane in range(LANES):
                    _fill_block(b, keys[first + lane], pages[first + lane], block[lane])
                _add_block(state, block, 0, 0, min((b + 1) * _BLOCK, size), last)
        for lane in range(LANES):
            for i in range(DIGEST_WORDS):
                digests[first + lane, i] = state[LANES * i + lane]
        _check_pages(pages, first, checksums)


@jit
def _fill_block(number: int, key: int, page: np.ndarray, out: np.ndarray) -> None:
    """Fill `out` with block `number` of the key followed by the page, padded with zeros."""
    out[:] = 0
    begin = number * _BLOCK - _KEY
    if number == 0:
        for i in range(_KEY):
            out[i] = key >> 8 * i & 255
    for i in range(max(begin, 0), min(begin + _BLOCK, page.size)):
        out[i - begin] = page[i]


@jit
def _check_pages(pages: np.ndarray, first: int, checksums: np.ndarray) -> None:
    """Store in `checksums` the CRC-32 of each of LANES pages, beginning with page `first`."""
    length = np.uint64(pages.shape[1])
    start, rest = np.uint64(first) * length, length & np.uint64(15)
    a = b = c = d = (np.uint64(0), np.uint64(0))
    ones = np.uint64(0xFFFFFFFF)  # for the first four bytes of each page
    for at in range(np.uint64(0), length - rest, np.uint64(16)):
        place = start + at
        a = _fold(a, pages, place, ones)
        b = _fold(b, pages, place + length, ones)
        c = _fold(c, pages, place + np.uint64(2) * length, ones)
        d = _fold(d, pages, place + np.uint64(3) * length, ones)
        ones = np.uint64(0)
    for lane, (low, high) in enumerate((a, b, c, d)):
        found = _check_word(_check_word(low) ^ high) ^ ones
        for at in range(length - rest, length):
            byte = (found ^ np.uint64(pages[first + lane, at])) & np.uint64(255)
            found = np.uint64(_REMAINDERS[0, byte]) ^ (found >> np.uint64(8))
        checksums[first + lane] = found ^ np.uint64(0xFFFFFFFF)


@jit_within
def _check_word(word: np.uint64) -> np.uint64:
    """Return the CRC-32 remainder of an eight-byte word."""
    found = np.uint64(0)
    for i in range(8):
        found ^= np.uint64(_REMAINDERS[7 - i, word >> np.uint64(8 * i) & np.uint64(255)])
    return found


@jit_within
def _fold_by_tables(words: Words, pages: np.ndarray, at: np.uint64, more: np.uint64) -> Words:
    """Append 16 bytes of `pages` to `words` (16 bytes); reduce all 32 bytes to 16 with the same CRC-32 remainder.

    `more` is XORed into the first eight of the appended bytes.
    """
    found = _check_word(_check_word(words[0]) ^ words[1]) ^ more
    return word_at_byte(pages, at) ^ found, word_at_byte(pages, at + np.uint64(8))


@jit_within
def _fold_by_products(words: Words, pages: np.ndarray, at: np.uint64, more: np.uint64) -> Words:
    """Do the same as `_fold_by_tables`, with two products of polynomials instead of tables.

    Gopal and others, "Fast CRC computation for generic polynomials using PCLMULQDQ", 2009.
    """
    low, high = _multiply(words[0], words[1])
    return low ^ word_at_byte(pages, at) ^ more, high ^ word_at_byte(pages, at + np.uint64(8))


_fold = _fold_by_products if HAS_PRODUCTS else _fold_by_tables
