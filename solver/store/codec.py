"""Compress pages for the file, with checksums that find damage.

    data = payload + CRC-32 of the raw page (4 bytes, little-endian)

The payload is one Zstandard frame, or the raw page if the frame would not be smaller. A reader recognizes a raw page by
its length, which follows from the rules and the key (`layout`). The length is never read from the file, so a damaged
file cannot make a reader allocate too much memory.
"""

import threading
import zlib
from array import array
from collections.abc import Sequence
from functools import cache, partial
from importlib import import_module
from importlib.util import find_spec
from itertools import chain, repeat
from typing import Any

COMPRESSION_LEVEL = 1
_MATCH = 7  # bytes of the shortest repetition: in planes, shorter ones save no bytes, and looking for them takes time

LONG_BYTES = 1 << 19
"""The window of Zstandard at this level. For longer pages, which occur with gravity, long-distance matching is enabled:
planes repeat at greater distances. It takes up to twice the time and saves up to two thirds of the bytes."""

_WINDOW_LOG = 27  # log2 of the window for long pages, the largest that all decoders accept
_LONG_MATCH = 64  # bytes
CRC_BYTES = 4


class CodecError(ValueError):
    """Raised if bytes are not a page with the expected length and checksum; the message gives the reason."""


def pack_page(raw: bytes) -> bytes:
    """Return the stored form of a raw page. Thread-safe."""
    frame = _zstandard().compress(raw)
    payload = frame if len(frame) < len(raw) else raw
    return payload + zlib.crc32(raw).to_bytes(CRC_BYTES, "little")


def pack_rows(pages: Sequence[memoryview]) -> tuple[bytes, list[int]]:
    """Return the stored forms of pages of the same length, one after another, and the lengths of these forms.

    The pages are consecutive parts of one buffer.
    """
    frames = _zstandard().compress_rows(pages)
    payloads = [frame if len(frame) < len(page) else page for frame, page in zip(frames, pages, strict=True)]
    checksums = [zlib.crc32(page).to_bytes(CRC_BYTES, "little") for page in pages]
    stored = b"".join(chain.from_iterable(zip(payloads, checksums, strict=True)))
    return stored, [len(payload) + CRC_BYTES for payload in payloads]


def unpack_page(data: bytes, raw_bytes: int) -> bytes:
    """Unpack a stored page to `raw_bytes` bytes. Raises CodecError if its length or checksum is wrong."""
    payload, crc = data[:-CRC_BYTES], data[-CRC_BYTES:]
    if len(payload) == raw_bytes:
        raw = payload
    else:
        zstandard = _zstandard()
        try:
            promised = zstandard.content_size(payload)
            if promised != raw_bytes:
                raise CodecError(f"it promises {promised} bytes instead of {raw_bytes}")
            raw = zstandard.decompress(payload, raw_bytes)
        except zstandard.error as error:
            raise CodecError("it can't be decompressed") from error
    if zlib.crc32(raw) != int.from_bytes(crc, "little"):
        raise CodecError("its checksum is wrong")
    return raw


def dense_checksum(dense: bytes | bytearray | memoryview) -> str:
    """Return the checksum of a table of positions: the CRC-32 of its dense array, as 8 hexadecimal digits."""
    return f"{zlib.crc32(dense):08x}"


class _Zstandard(threading.local):
    """The contexts of the package `zstandard`: two for each thread, because threads cannot share one."""

    def __init__(self) -> None:
        import zstandard  # slow to import, and small tables never need it

        parameters = partial(zstandard.ZstdCompressionParameters.from_level, COMPRESSION_LEVEL, min_match=_MATCH)
        far = parameters(window_log=_WINDOW_LOG, enable_ldm=True, ldm_min_match=_LONG_MATCH)
        self._near, self._far = (zstandard.ZstdCompressor(compression_params=given) for given in (parameters(), far))
        self._segments = zstandard.BufferWithSegments if "buffer_types" in zstandard.backend_features else None
        self.decompress = zstandard.ZstdDecompressor().decompress
        self.content_size = zstandard.frame_content_size
        self.error = zstandard.ZstdError

    def compress(self, raw: bytes | memoryview) -> bytes:
        """Compress a page to a Zstandard frame."""
        return (self._near if len(raw) <= LONG_BYTES else self._far).compress(raw)

    def compress_rows(self, pages: Sequence[memoryview]) -> Any:
        """Return a frame for each page; see `pack_rows`. Compress them in one call if possible."""
        if self._segments is None or not pages or len(pages[0]) > LONG_BYTES:
            return map(self.compress, pages)
        size = len(pages[0])
        places = array("Q", chain.from_iterable(zip(range(0, len(pages) * size, size), repeat(size))))
        buffer: Any = pages[0].obj
        return self._near.multi_compress_to_buffer(self._segments(buffer, memoryview(places)))


class _StandardLibrary:
    """A substitute for `_Zstandard`, made from Python 3.14's standard library or its backport."""

    def __init__(self) -> None:
        zstd: Any = import_module("compression.zstd" if find_spec("compression") else "backports.zstd")
        self.compress = partial(zstd.compress, level=COMPRESSION_LEVEL)
        self.decompress = lambda frame, size: zstd.ZstdDecompressor().decompress(frame, size)
        self.content_size = lambda frame: zstd.get_frame_info(frame).decompressed_size
        self.error = zstd.ZstdError

    def compress_rows(self, pages: Sequence[memoryview]) -> Any:
        return map(self.compress, pages)


@cache
def _zstandard() -> _Zstandard | _StandardLibrary:
    """Return the compressor: the package `zstandard` of the extra `build` (faster), or else the standard library."""
    try:
        return _Zstandard()
    except ModuleNotFoundError:
        return _StandardLibrary()
