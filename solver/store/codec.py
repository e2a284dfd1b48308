"""Compress a page for the file, and compute the digests of tables.

    data = payload + CRC-32 of the raw page (4 bytes, little-endian)

The payload is one Zstandard frame, or the raw page itself where a frame would not be smaller: a payload
as long as the raw page is the raw page. The raw length follows from the rules and the key (`layout`); it
is never read from the file, so that a damaged file can't make a reader allocate what it likes.
"""

import sys
import threading
import zlib
from functools import cache, partial
from hashlib import blake2b
from importlib import import_module
from typing import Any

COMPRESSION_LEVEL = 1
LONG_BYTES = 1 << 19
"""What zstd looks back at on this level. In a longer page, as games with gravity have them, a plane is repeated in
another: there it also looks for long matches in all that came before, which takes up to twice the time and saves up to
two thirds of the bytes."""

_MOST_BACK = 27  # the logarithm of the bytes that it looks back at then: all decoders take as many
_LONG_MATCH = 64  # bytes
CRC_BYTES = 4
DIGEST_MODULUS = 1 << 256


class CodecError(ValueError):
    """The bytes are not a page of the expected length and checksum; the message says in which way."""


def pack_page(raw: bytes) -> bytes:
    """Compress a raw page for the file. May run in any thread."""
    frame = _zstandard().compress(raw)
    payload = frame if len(frame) < len(raw) else raw
    return payload + zlib.crc32(raw).to_bytes(CRC_BYTES, "little")


def unpack_page(data: bytes, raw_bytes: int) -> bytes:
    """Decompress a page of `raw_bytes` bytes from the bytes of the file.

    Raises CodecError unless length and checksum are right.
    """
    payload, crc = data[:-CRC_BYTES], data[-CRC_BYTES:]
    raw = payload if len(payload) == raw_bytes else _decompress(payload, raw_bytes)
    if zlib.crc32(raw) != int.from_bytes(crc, "little"):
        raise CodecError("its checksum is wrong")
    return raw


def page_digest(key: int, raw: bytes) -> int:
    """Compute the share of one page in the digest of a paged table, a number of 256 bits.

    The digest is the sum of all shares modulo 2**256, so that pages may come in any order, from any
    thread (AdHash: Bellare and Micciancio, Eurocrypt 1997).
    """
    hashed = blake2b(key.to_bytes(8, "little"), digest_size=32)
    hashed.update(raw)
    return int.from_bytes(hashed.digest(), "big")


def sum_digest(total: int) -> str:
    """Write the digest of a paged table: the sum of its shares as 64 hexadecimal digits."""
    return f"{total % DIGEST_MODULUS:064x}"


def dense_digest(dense: bytes | bytearray | memoryview) -> str:
    """Write the digest of a small table: the BLAKE2b of its dense array (3**squares bytes)."""
    return blake2b(dense, digest_size=32).hexdigest()


class _Zstandard(threading.local):
    """Zstandard's contexts, a pair for each thread, because threads can't share one."""

    def __init__(self) -> None:
        import zstandard  # here, because it takes a while to load and a small table never needs it

        self._near = zstandard.ZstdCompressor(level=COMPRESSION_LEVEL)
        far = zstandard.ZstdCompressionParameters.from_level(
            COMPRESSION_LEVEL, window_log=_MOST_BACK, enable_ldm=True, ldm_min_match=_LONG_MATCH
        )
        self._far = zstandard.ZstdCompressor(compression_params=far)
        self.decompress = zstandard.ZstdDecompressor().decompress
        self.content_size = zstandard.frame_content_size
        self.error = zstandard.ZstdError

    def compress(self, raw: bytes) -> bytes:
        """Compress a page."""
        return (self._near if len(raw) <= LONG_BYTES else self._far).compress(raw)


class _StandardLibrary:
    """The same by Python 3.14 and later themselves."""

    def __init__(self) -> None:
        zstd: Any = import_module("compression.zstd")
        self.compress = partial(zstd.compress, level=COMPRESSION_LEVEL)
        self.decompress = lambda frame, size: zstd.ZstdDecompressor().decompress(frame, size)
        self.content_size = lambda frame: zstd.get_frame_info(frame).decompressed_size
        self.error = zstd.ZstdError


@cache
def _zstandard() -> _Zstandard | _StandardLibrary:
    """Find what compresses: the package `zstandard`, which is faster; in a browser what Python has."""
    if sys.platform == "emscripten" and sys.version_info >= (3, 14):
        return _StandardLibrary()
    return _Zstandard()


def _decompress(frame: bytes, raw_bytes: int) -> bytes:
    zstandard = _zstandard()
    try:
        promised = zstandard.content_size(frame)
        if promised != raw_bytes:
            raise CodecError(f"it promises {promised} bytes instead of {raw_bytes}")
        return zstandard.decompress(frame, raw_bytes)
    except zstandard.error as error:
        raise CodecError("it can't be decompressed") from error
