"""The digest of a table: a hash of all its values by xxHash (XXH3, 128 bits); see docs/reference/file-format.md.

xxHash finds accidental differences, such as those of a wrong solver. It does not protect against forgery.
"""

from collections.abc import Iterable

import xxhash

_MODULUS = 1 << 128


def page_digest(key: int, raw: bytes | memoryview) -> int:
    """Return one page's share in the digest of a table of pages: a number of 128 bits.

    The digest is the sum of all shares modulo 2**128, so pages may be added in any order, by any thread. The key is the
    seed of the hash, so equal pages with different keys have different shares.
    """
    return xxhash.xxh3_128_intdigest(raw, key)


def sum_pages(keys: Iterable[int], pages: Iterable[bytes | memoryview]) -> int:
    """Return the sum of the shares of many pages: of `page_digest(key, page)` for each key and its page."""
    return sum(map(xxhash.xxh3_128_intdigest, pages, keys))


def sum_digest(total: int) -> str:
    """Return the digest of a table of pages as 32 hexadecimal digits, given the sum of its pages' shares."""
    return f"{total % _MODULUS:032x}"


def dense_digest(dense: bytes | bytearray | memoryview) -> str:
    """Return the digest of a table of positions: the hash of its dense array (3**squares bytes)."""
    return xxhash.xxh3_128_hexdigest(dense)
