"""Extract and deposit bits: gather the marked bits of a word, in order, at its low end, or do the reverse.

Since 2013, x86 processors have had one instruction for each task (PEXT and PDEP, of the extension BMI2). On other
processors, and in plain Python, six steps with masks do the same.
"""

from __future__ import annotations

import numpy as np

from solver.kernels.instructions import HAS_BMI2, READS_BYTES, pdep, pext, word_at_byte
from solver.kernels.jit import jit
from solver.kernels.words import LAYER, NEIGHBOURS, ONE

Index = int | np.uint64

STAGES = 0 if HAS_BMI2 else 6
"""The steps that `extract_word` and `deposit_word` need."""

MASKS = np.concatenate([LAYER, NEIGHBOURS])
"""uint64[15]: the places of a layer in a word are one of these masks, or the low end of one, or empty."""


def list_stages(masks: np.ndarray, steps: int = STAGES) -> np.ndarray:
    """For each mask, return the places of the bits that move in each step: uint64[*masks.shape, steps].

    A marked bit must move down by the number of unmarked places below it. It moves by 2**t places in step t if binary
    digit t of that number is 1 (Hacker's Delight, section 7-4).
    """
    stages = np.zeros((steps, *masks.shape), dtype=np.uint64)
    counted = ~masks << ONE
    for t in range(steps):
        parity = counted  # of the unmarked places below, their number divided by 2**t
        for step in range(6):
            parity = parity ^ (parity << np.uint64(1 << step))
        stages[t] = parity & masks
        masks = (masks ^ stages[t]) | (stages[t] >> np.uint64(1 << t))
        counted = counted & ~parity
    return np.ascontiguousarray(np.moveaxis(stages, 0, -1))


LAYER_STAGES = list_stages(MASKS[None])
"""uint64[1, 15, STAGES]: the stages of MASKS. They also serve the low part of each mask, and 0."""


@jit
def extract_by_stages(word: np.uint64, mask: np.uint64, stages: np.ndarray, i: int, w: Index) -> np.uint64:
    """Return the bits selected by `mask`, gathered at the low end.

    `stages[i, w]` is the result of `list_stages` for this mask.
    """
    word = word & mask
    for t in range(6):
        moving = word & stages[i, w, t]
        word = (word ^ moving) | (moving >> np.uint64(1 << t))
    return word


@jit
def deposit_by_stages(bits: np.uint64, mask: np.uint64, stages: np.ndarray, i: int, w: Index) -> np.uint64:
    """Return the low bits of `bits`, moved to the places of `mask`.

    `stages[i, w]` is the result of `list_stages` for this mask.
    """
    for t in range(5, -1, -1):
        arriving = stages[i, w, t]
        bits = (bits & ~arriving) | ((bits << np.uint64(1 << t)) & arriving)
    return bits & mask


@jit
def extract_by_instruction(word: np.uint64, mask: np.uint64, _stages: np.ndarray, _i: int, _w: Index) -> np.uint64:
    """Do the same as `extract_by_stages`, on a processor that has PEXT."""
    return pext(word, mask)


@jit
def deposit_by_instruction(bits: np.uint64, mask: np.uint64, _stages: np.ndarray, _i: int, _w: Index) -> np.uint64:
    """Do the same as `deposit_by_stages`, on a processor that has PDEP."""
    return pdep(bits, mask)


extract_word = extract_by_instruction if HAS_BMI2 else extract_by_stages
deposit_word = deposit_by_instruction if HAS_BMI2 else deposit_by_stages


@jit
def word_at(words: np.ndarray, at: Index) -> np.uint64:
    """Return the 64 bits of a stream that begin at bit `at`, which must not be in the stream's last word."""
    word, shift = np.uint64(at) >> np.uint64(6), np.uint64(at) & np.uint64(63)
    # The next word adds nothing when the shift is 0.
    return (words[word] >> shift) | ((words[word + ONE] << ONE) << (np.uint64(63) - shift))


@jit
def bits_by_bytes(words: np.ndarray, at: int) -> np.uint64:
    """Return at least 57 bits of a stream, beginning at bit `at`, with a single load."""
    first = np.uint64(at)
    return word_at_byte(words, first >> np.uint64(3)) >> (first & np.uint64(7))


bits_at = bits_by_bytes if READS_BYTES else word_at
