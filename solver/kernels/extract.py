"""Extract the marked bits of a word, in their order, to its low end; deposit low bits at marked places.

Processors of the x86 family since 2013 have one instruction for either (PEXT and PDEP, of the extension BMI2);
elsewhere, and in plain Python, six steps with masks do the same.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, cast

import numpy as np

from solver.kernels.jit import HAS_NUMBA, jit, numba
from solver.kernels.words import LAYER, NEIGHBOURS, ONE, WORD_BITS

if HAS_NUMBA:
    import llvmlite.binding
    from llvmlite import ir
    from numba import extending

Index = int | np.uint64


def _stages_of(mask: Any, out: np.ndarray) -> None:
    """Fill `out` (uint64[6]; does nothing if it is empty) with the places that move in each of six steps.

    Outside kernels `mask` may be an array, and `out` has a row of its shape for each step.

    Hacker's Delight, section 7-4: a marked bit moves down by the number of unmarked places below it, by 2**t in step t
    if that number has the binary digit t.
    """
    counted = ~mask << ONE
    for t in range(out.shape[0]):
        parity = counted  # of the unmarked places below, their number divided by 2**t
        for step in range(6):
            parity = parity ^ (parity << np.uint64(1 << step))
        moving = parity & mask
        mask = (mask ^ moving) | (moving >> np.uint64(1 << t))
        out[t] = moving
        counted = counted & ~parity


stages_of = jit(_stages_of)


MASKS = np.concatenate([LAYER, NEIGHBOURS])
"""uint64[15]: the places of a layer in a word are one of these masks, or the low end of one, or empty."""


def _mask_stages() -> np.ndarray:
    """uint64[15, 6]: the result of `stages_of` for each of MASKS."""
    stages = np.zeros((len(MASKS), WORD_BITS), dtype=np.uint64)
    for mask, row in zip(MASKS, stages, strict=True):
        _stages_of(mask, row)
    return stages


_STAGES = _mask_stages()


@jit
def extract_layer_by_stages(word: np.uint64, number: int, mask: np.uint64) -> np.uint64:
    """Extract the bits at `mask`, which is MASKS[number], or the low end of it, or empty."""
    word = word & mask
    for t in range(6):
        moving = word & _STAGES[number, t]
        word = (word ^ moving) | (moving >> np.uint64(1 << t))
    return word


@jit
def deposit_layer_by_stages(bits: np.uint64, number: int, mask: np.uint64) -> np.uint64:
    """Deposit the low bits at `mask`, which is MASKS[number], or the low end of it, or empty."""
    for t in range(5, -1, -1):
        arriving = _STAGES[number, t]
        bits = (bits & ~arriving) | ((bits << np.uint64(1 << t)) & arriving)
    return bits & mask


@jit
def deposit_by_stages(bits: np.uint64, mask: np.uint64, stages: np.ndarray, i: int, w: Index) -> np.uint64:
    """Deposit the low bits at any `mask`; `stages[i, w]` is what `stages_of` fills in for it."""
    for t in range(5, -1, -1):
        arriving = stages[i, w, t]
        bits = (bits & ~arriving) | ((bits << np.uint64(1 << t)) & arriving)
    return bits & mask


@jit
def extract_by_stages(word: np.uint64, mask: np.uint64, stages: np.ndarray, i: int, w: Index) -> np.uint64:
    """Extract the bits at any `mask`; `stages[i, w]` is what `stages_of` fills in for it."""
    word = word & mask
    for t in range(6):
        moving = word & stages[i, w, t]
        word = (word ^ moving) | (moving >> np.uint64(1 << t))
    return word


def _compiles() -> bool:
    """Return whether kernels are machine code, not plain Python."""
    return HAS_NUMBA and not getattr(numba.config, "DISABLE_JIT", False)


def _has_bmi2() -> bool:
    """Return whether the processor that Numba compiles for has the instructions."""
    if not _compiles() or numba.config.CPU_NAME or numba.config.CPU_FEATURES:
        return False
    return bool(llvmlite.binding.get_host_cpu_features().get("bmi2"))


def _intrinsic(describe: Callable[..., Any]) -> Any:
    """Return a function for compiled kernels, given a description of its machine code; plain Python never calls it."""
    return extending.intrinsic(describe) if HAS_NUMBA else describe


def _instruction(name: str) -> Callable[[np.uint64, np.uint64], np.uint64]:
    """Return the LLVM intrinsic of this name, a function of two words."""

    def describe(_typing: object, _word: object, _mask: object) -> tuple[object, Callable[..., Any]]:
        def generate(_context: object, builder: Any, _signature: object, arguments: Any) -> Any:
            word = ir.IntType(64)
            kind = ir.FunctionType(word, [word, word])
            return builder.call(builder.module.declare_intrinsic(name, (), kind), arguments)

        return numba.uint64(numba.uint64, numba.uint64), generate

    return cast(Callable[[np.uint64, np.uint64], np.uint64], _intrinsic(describe))


_pext = _instruction("llvm.x86.bmi.pext.64")
_pdep = _instruction("llvm.x86.bmi.pdep.64")


def place_stages(masks: np.ndarray) -> np.ndarray:
    """uint64[*masks.shape, STAGES]: the result of `stages_of` for all masks."""
    stages = np.zeros((STAGES, *masks.shape), dtype=np.uint64)
    _stages_of(masks, stages)
    return np.ascontiguousarray(np.moveaxis(stages, 0, -1))


@jit
def word_at(words: np.ndarray, at: Index) -> np.uint64:
    """Read 64 bits of a stream from bit `at` on; a further word must follow them."""
    word, shift = np.uint64(at) >> np.uint64(6), np.uint64(at) & np.uint64(63)
    # The next word adds nothing when the shift is 0.
    return (words[word] >> shift) | ((words[word + ONE] << ONE) << (np.uint64(63) - shift))


def _type_unaligned(_typing: object, words: Any, _byte: object) -> tuple[object, Callable[..., Any]]:
    """Return the signature of an intrinsic and the function that emits its code, for Numba."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        first = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        place = builder.gep(builder.bitcast(first, ir.IntType(8).as_pointer()), [arguments[1]])
        word = builder.load(builder.bitcast(place, ir.IntType(64).as_pointer()))
        word.align = 1
        return word

    return numba.uint64(words, numba.uint64), generate


_unaligned = cast(Callable[[np.ndarray, np.uint64], np.uint64], _intrinsic(_type_unaligned))


@jit
def bits_by_bytes(words: np.ndarray, at: int) -> np.uint64:
    """Read at least 57 bits of a stream from bit `at` on, in one load, on a little-endian processor."""
    first = np.uint64(at)
    return _unaligned(words, first >> np.uint64(3)) >> (first & np.uint64(7))


@jit
def extract_layer_by_instruction(word: np.uint64, _number: int, mask: np.uint64) -> np.uint64:
    """Like `extract_layer_by_stages`, on a processor that has PEXT."""
    return _pext(word, mask)


@jit
def deposit_layer_by_instruction(bits: np.uint64, _number: int, mask: np.uint64) -> np.uint64:
    """Like `deposit_layer_by_stages`, on a processor that has PDEP."""
    return _pdep(bits, mask)


@jit
def deposit_by_instruction(bits: np.uint64, mask: np.uint64, _stages: np.ndarray, _i: int, _w: Index) -> np.uint64:
    """Like `deposit_by_stages`, on a processor that has PDEP."""
    return _pdep(bits, mask)


@jit
def extract_by_instruction(word: np.uint64, mask: np.uint64, _stages: np.ndarray, _i: int, _w: Index) -> np.uint64:
    """Like `extract_by_stages`, on a processor that has PEXT."""
    return _pext(word, mask)


extract_layer = extract_layer_by_instruction if _has_bmi2() else extract_layer_by_stages
deposit_layer = deposit_layer_by_instruction if _has_bmi2() else deposit_layer_by_stages
deposit_word = deposit_by_instruction if _has_bmi2() else deposit_by_stages
extract_word = extract_by_instruction if _has_bmi2() else extract_by_stages
STAGES = 0 if _has_bmi2() else 6  # the stages that `deposit_word` and `extract_word` need
bits_at = bits_by_bytes if _compiles() and sys.byteorder == "little" else word_at
