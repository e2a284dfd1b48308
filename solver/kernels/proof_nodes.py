"""The state of a proof-number search (`proof_search`), and its table of nodes.

Symmetric positions share an entry: their key is the least of the hashes of all images, mixed again, because a least
hash is biased. A result can be lost, and two positions can share a key.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solver.kernels.jit import jit, jit_part
from solver.kernels.node_table import WAYS, find, first_place, mix
from solver.kernels.threat_lines import Board, Lines
from solver.kernels.threat_search import Forcing, make_forcing
from solver.kernels.threat_space import Space, make_space

INFINITE = 100_000_000  # the proof number of a node that is disproved

(
    DEPTH,
    NODES,
    ATTACKER,
    PLIES,
    STONES,
    WIDTH,
    QUIET,
    FORCE_NODES,
    THREAT_NODES,
    SPACE_NODES,
    TRIED,
    FOUND,
    ORDER,
    LEAN,
) = range(14)
"""Indices of `Proof.state`: depth of the stack, -1 at the end; nodes entered; side that is to win; plies of a game;
stones on the board; moves of the attacker that are tried; whether quiet ones are tried; nodes of a search for fours;
nodes of a search for continuous threats, 0 if there are none; nodes of each threat-space search; searches for
continuous threats so far, and those that found a win; which of the two orders is searched; whether a win after one
reply counts after all others that cannot disturb it."""

IS_AND, COUNT, PN_LIMIT, DN_LIMIT, EXPANDED, MOVE, COUNTERS = range(7)
"""Indices of a frame. COUNTERS: the number of replies that threaten something; they come first."""

_SECOND = np.uint64(0x94D049BB133111EA)  # keeps what the second order knows apart; even, as keys are odd


class Nodes(NamedTuple):
    """The table of nodes."""

    keys: np.ndarray  # uint64[T], 0 for an empty entry
    numbers: np.ndarray  # int32[T, 2]: proof and disproof numbers; 0 and INFINITE + n if n replies were open at first


class Proof(NamedTuple):
    """A search."""

    codes: np.ndarray  # uint64[2, S, G]: for each symmetry, the random number of a stone's image
    hashes: np.ndarray  # uint64[D, G]: at each depth, the hashes of all images of the position
    frames: np.ndarray  # int64[D, 7]
    keys: np.ndarray  # uint64[D]
    moves: np.ndarray  # int16[D, S]
    child_keys: np.ndarray  # uint64[D, S]
    guesses: np.ndarray  # int32[D, S]: the first proof number of each move
    nodes: Nodes
    open_keys: np.ndarray  # uint64[C]
    open_kinds: np.ndarray  # int8[C]
    open_squares: np.ndarray  # uint64[C, words]: bit sets of open replies
    zone: np.ndarray  # bool[S]
    state: np.ndarray  # int64[14]
    space: Space  # of the searches for wins by continuous threats
    space_work: Forcing


def make_proof(lines: Lines, images: np.ndarray, table_bits: int) -> Proof:
    """Return a search with 2**table_bits entries. images: int[G, S], the symmetries; the identity comes first."""
    squares, order = images.shape[1], len(images)
    codes = lines.codes[:, images].transpose(0, 2, 1).copy()  # [side, square, symmetry]
    depths, cached = squares + 2, 1 << min(table_bits, 18)
    return Proof(
        codes,
        np.zeros((depths, order), np.uint64),
        np.zeros((depths, 7), np.int64),
        np.zeros(depths, np.uint64),
        np.zeros((depths, squares), np.int16),
        np.zeros((depths, squares), np.uint64),
        np.zeros((depths, squares), np.int32),
        Nodes(np.zeros(1 << table_bits, np.uint64), np.zeros((1 << table_bits, 2), np.int32)),
        np.zeros(cached, np.uint64),
        np.zeros(cached, np.int8),
        np.zeros((cached, (squares + 63) // 64), np.uint64),
        np.zeros(squares, np.bool_),
        np.zeros(14, np.int64),
        make_space(squares, min(table_bits, 18), min(table_bits, 18)),
        make_forcing(squares),
    )


@jit
def make_key(hashes: np.ndarray, codes: np.ndarray, side: int, square: int, is_and: int) -> np.uint64:
    """Return the key of the position with these hashes (uint64[G]) and one more stone; without it if `side` is -1."""
    least = ~np.uint64(0)
    for g in range(hashes.size):
        least = min(least, hashes[g] if side < 0 else hashes[g] ^ codes[side, square, g])
    return mix(least + np.uint64(is_and))


@jit
def look_up(nodes: Nodes, order: int, key: np.uint64) -> int:
    """Return the index of a key's entry, or -1: of its proof, or of what an order knows about it."""
    at = find(nodes.keys, key)
    if order and (at < 0 or nodes.numbers[at, 0]):
        return find(nodes.keys, key ^ _SECOND)
    return at


@jit_part
def store(nodes: Nodes, order: int, key: np.uint64, pn: int, dn: int) -> None:
    """Store the numbers of a node. A new node replaces the one that is the least work to search again."""
    if pn and order:
        key ^= _SECOND
    start = first_place(key)
    worst, place = INFINITE + 1, -1
    for way in range(WAYS):
        at = (start + way) & (nodes.keys.size - 1)
        if nodes.keys[at] == key:
            place = at
            break
        worth = 0
        if nodes.keys[at]:
            worth = INFINITE if nodes.numbers[at, 0] == 0 else nodes.numbers[at, 0] + 1
        if worth < worst:
            worst, place = worth, at
    nodes.keys[place] = key
    nodes.numbers[place, 0], nodes.numbers[place, 1] = pn, dn


def numbers(proof: Proof, key: np.uint64) -> tuple[int, int]:
    """Return the proof and disproof numbers of a node; (1, 1) if it has none."""
    entry = look_up(proof.nodes, proof.state[ORDER], key)
    return (int(proof.nodes.numbers[entry, 0]), int(proof.nodes.numbers[entry, 1])) if entry >= 0 else (1, 1)


@jit
def restore(proof: Proof, keys: np.ndarray, table: np.ndarray) -> None:
    """Store nodes (uint64[N]) with their proof and disproof numbers (int32[N, 2]), for example of an earlier search."""
    for at in range(keys.size):
        store(proof.nodes, proof.state[ORDER], keys[at], table[at, 0], table[at, 1])


def root_hashes(board: Board, proof: Proof) -> np.ndarray:
    """Return the hashes of all images of the position on the board, uint64[G]."""
    squares = np.flatnonzero(board.cells)
    hashes: np.ndarray = np.bitwise_xor.reduce(proof.codes[board.cells[squares] - 1, squares], axis=0)
    return hashes
