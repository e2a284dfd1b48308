"""Squeezing: the bits of a word that stand for subsets of one size, moved together; and back.

Processors of the x86 family since 2013 have one instruction for either (PEXT and PDEP, of the extension BMI2);
elsewhere, and in plain Python, the same is done in six steps with masks.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, cast

import llvmlite.binding
import numba
import numpy as np
from llvmlite import ir
from numba.extending import intrinsic

from solver.kernels.jit import jit
from solver.kernels.words import LAYER, ONE, WORD_BITS


def _compress_stages() -> np.ndarray:
    """uint64[7, 6]: for each layer the places that move by 2**t in stage t of `squeeze_by_stages`.

    Hacker's Delight, section 7-4, with the stages worked out once: an element moves right by the number of unmarked
    places below it, one binary digit of that number a stage.
    """
    stages = np.zeros((WORD_BITS + 1, WORD_BITS), dtype=np.uint64)
    for q in range(WORD_BITS + 1):
        places = [j for j in range(64) if int(LAYER[q]) >> j & 1]
        for rank, place in enumerate(places):
            distance, at = place - rank, place
            for t in range(WORD_BITS):
                if distance >> t & 1:
                    stages[q, t] |= np.uint64(1 << at)
                    at -= 1 << t
    return stages


_STAGES = _compress_stages()
_FIRST = np.array([(1 << int(layer).bit_count()) - 1 for layer in LAYER], dtype=np.uint64)  # where squeezed bits lie


@jit
def squeeze_by_stages(word: np.uint64, q: int, layer: np.uint64) -> np.uint64:
    """The places of `layer`, which is LAYER[q] or the low end of it or empty, moved together in their order."""
    word = word & layer
    for t in range(6):
        moving = word & _STAGES[q, t]
        word = (word ^ moving) | (moving >> np.uint64(1 << t))
    return word


@jit
def unsqueeze_by_stages(bits: np.uint64, q: int, layer: np.uint64) -> np.uint64:
    """The low bits, moved in their order to the places of `layer`, which is LAYER[q] or the low end of it or empty."""
    word = bits & _FIRST[q]
    for t in range(5, -1, -1):
        arrived = _STAGES[q, t] >> np.uint64(1 << t)
        moving = word & arrived
        word = (word ^ moving) | (moving << np.uint64(1 << t))
    return word & layer


def _has_bmi2() -> bool:
    """Whether the processor that Numba compiles for has the instructions."""
    chosen = [getattr(numba.config, name) for name in ("DISABLE_JIT", "CPU_NAME", "CPU_FEATURES")]
    return not any(chosen) and bool(llvmlite.binding.get_host_cpu_features().get("bmi2"))


def _instruction(name: str) -> Callable[[np.uint64, np.uint64], np.uint64]:
    """A function of two words that LLVM knows by this name."""

    def describe(_typing: object, _word: object, _mask: object) -> tuple[object, Callable[..., Any]]:
        def generate(_context: object, builder: Any, _signature: object, arguments: Any) -> Any:
            word = ir.IntType(64)
            kind = ir.FunctionType(word, [word, word])
            return builder.call(builder.module.declare_intrinsic(name, (), kind), arguments)

        return numba.uint64(numba.uint64, numba.uint64), generate

    return cast(Callable[[np.uint64, np.uint64], np.uint64], intrinsic(describe))


_pext = _instruction("llvm.x86.bmi.pext.64")
_pdep = _instruction("llvm.x86.bmi.pdep.64")


@jit
def bits_by_words(words: np.ndarray, at: int) -> np.uint64:
    """Bits of a stream from bit `at` on, at least 57 of them; a word more than they need must follow."""
    word, shift = np.uint64(at) >> np.uint64(6), np.uint64(at) & np.uint64(63)
    # The next word adds nothing when the shift is 0.
    return (words[word] >> shift) | ((words[word + ONE] << ONE) << (np.uint64(63) - shift))


def _type_unaligned(_typing: object, words: Any, _byte: object) -> tuple[object, Callable[..., Any]]:
    """What Numba asks of an intrinsic: its signature, and a function that writes its code."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        first = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        place = builder.gep(builder.bitcast(first, ir.IntType(8).as_pointer()), [arguments[1]])
        word = builder.load(builder.bitcast(place, ir.IntType(64).as_pointer()))
        word.align = 1
        return word

    return numba.uint64(words, numba.uint64), generate


_unaligned = cast(Callable[[np.ndarray, np.uint64], np.uint64], intrinsic(_type_unaligned))


@jit
def bits_by_bytes(words: np.ndarray, at: int) -> np.uint64:
    """As `bits_by_words` in one load; words lie in memory with the lowest byte first."""
    first = np.uint64(at)
    return _unaligned(words, first >> np.uint64(3)) >> (first & np.uint64(7))


@jit
def squeeze_by_instruction(word: np.uint64, _q: int, layer: np.uint64) -> np.uint64:
    """As `squeeze_by_stages`, on a processor that has PEXT."""
    return _pext(word, layer)


@jit
def unsqueeze_by_instruction(bits: np.uint64, _q: int, layer: np.uint64) -> np.uint64:
    """As `unsqueeze_by_stages`, on a processor that has PDEP."""
    return _pdep(bits, layer)


squeeze_word = squeeze_by_instruction if _has_bmi2() else squeeze_by_stages
unsqueeze_word = unsqueeze_by_instruction if _has_bmi2() else unsqueeze_by_stages
bits_at = bits_by_words if getattr(numba.config, "DISABLE_JIT", False) or sys.byteorder == "big" else bits_by_bytes
