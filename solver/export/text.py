"""Write CSV and JSON Lines, made from whole columns instead of row by row.

Every field becomes an array of fixed-width bytes padded with zero bytes; side by side they are one table of bytes,
and the rows are what is left of it without the padding. No field of ours can hold a zero byte, a quote or a comma.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from solver.export.positions import Chunk
from solver.game.arrays import boards, square_names
from solver.game.rules import MAX_SQUARES, Rules

__all__ = ["COLUMNS", "format_csv", "format_json"]

Bytes = npt.NDArray[np.bytes_]

COLUMNS = ("hash", "board", "ply", "to_move", "wdl", "distance", "best_moves", "terminal")


def format_csv(rules: Rules, chunk: Chunk) -> bytes:
    """Write a line for each position, its fields in the order of COLUMNS; an unknown distance is empty."""
    ply = f",{chunk.ply},{'XO'[chunk.ply % 2]},".encode()
    moves = _format_masks(chunk.best, lambda mask: " ".join(square_names(rules, mask)))
    terminal = chunk.terminal.astype(np.uint8).astype(np.bytes_)
    row = (
        *(_format_hashes(chunk), b",", boards(rules, chunk.hashes), ply, _format_wdl(chunk), b","),
        *(_format_distances(chunk, b""), b",", moves, b",", terminal, b"\n"),
    )
    return _join_fields(row, len(chunk.hashes))


def format_json(rules: Rules, chunk: Chunk) -> bytes:
    """Write a JSON object for each position, keyed by COLUMNS; the best moves are a list."""
    to_move = "XO"[chunk.ply % 2]
    ply = f'", "ply": {chunk.ply}, "to_move": "{to_move}", "wdl": '.encode()
    moves = _format_masks(chunk.best, lambda mask: json.dumps(square_names(rules, mask)))
    terminal = np.array([b"false", b"true"])[chunk.terminal.astype(np.int8)]
    row = (
        *(b'{"hash": ', _format_hashes(chunk), b', "board": "', boards(rules, chunk.hashes), ply, _format_wdl(chunk)),
        *(b', "distance": ', _format_distances(chunk, b"null"), b', "best_moves": ', moves),
        *(b', "terminal": ', terminal, b"}\n"),
    )
    return _join_fields(row, len(chunk.hashes))


def _format_masks(masks: npt.NDArray[np.int64], text: Callable[[int], str]) -> Bytes:
    """Write a text for each mask, made once for those that are alike."""
    distinct, place = np.unique(masks, return_inverse=True)
    return np.array([text(mask).encode() for mask in distinct.tolist()], np.bytes_)[place]


def _format_hashes(chunk: Chunk) -> Bytes:
    width = len(str(chunk.hashes.max()))
    return chunk.hashes.astype(f"S{width}")


def _format_wdl(chunk: Chunk) -> Bytes:
    return np.array([b"0", b"1", b"-1"])[chunk.wdl]  # -1 is the last of them


def _format_distances(chunk: Chunk, unknown: bytes) -> Bytes:
    texts = np.array([b"%d" % distance for distance in range(MAX_SQUARES + 1)] + [unknown])
    return texts[chunk.distance]  # -1, which is not known, is the last of them


def _join_fields(fields: Sequence[bytes | Bytes], count: int) -> bytes:
    """Join fields side by side into lines: the same bytes in every row, or an array with a field a row."""
    columns = [
        np.broadcast_to(np.frombuffer(field, np.uint8), (count, len(field)))
        if isinstance(field, bytes)
        else np.ascontiguousarray(field).view(np.uint8).reshape(count, -1)
        for field in fields
    ]
    return np.concatenate(columns, axis=1).tobytes().translate(None, b"\0")
