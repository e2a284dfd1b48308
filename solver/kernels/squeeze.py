"""Squeezing: the bits of a word that stand for subsets of one size, moved together.

Processors of the x86 family since 2013 have one instruction for it (PEXT, of the extension BMI2); elsewhere, and in
plain Python, the same is done in six steps with masks.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import llvmlite.binding
import numba
import numpy as np
from llvmlite import ir
from numba.extending import intrinsic

from solver.kernels.jit import jit
from solver.kernels.words import LAYER, WORD_BITS


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


@jit
def squeeze_by_stages(word: np.uint64, q: int) -> np.uint64:
    """The places of LAYER[q], moved together to the low end in their order."""
    word = word & LAYER[q]
    for t in range(6):
        moving = word & _STAGES[q, t]
        word = (word ^ moving) | (moving >> np.uint64(1 << t))
    return word


def _has_pext() -> bool:
    """Whether the processor that Numba compiles for has the instruction."""
    chosen = [getattr(numba.config, name) for name in ("DISABLE_JIT", "CPU_NAME", "CPU_FEATURES")]
    return not any(chosen) and bool(llvmlite.binding.get_host_cpu_features().get("bmi2"))


def _type_pext(_typing: object, _word: object, _mask: object) -> tuple[object, Callable[..., Any]]:
    """What Numba asks of an intrinsic: its signature, and a function that writes its code."""

    def generate(_context: object, builder: Any, _signature: object, arguments: Any) -> Any:
        word = ir.IntType(64)
        kind = ir.FunctionType(word, [word, word])
        return builder.call(builder.module.declare_intrinsic("llvm.x86.bmi.pext.64", (), kind), arguments)

    return numba.uint64(numba.uint64, numba.uint64), generate


_pext = cast(Callable[[np.uint64, np.uint64], np.uint64], intrinsic(_type_pext))


@jit
def squeeze_by_instruction(word: np.uint64, q: int) -> np.uint64:
    """As `squeeze_by_stages`, on a processor that has PEXT."""
    return _pext(word, LAYER[q])


squeeze_word = squeeze_by_instruction if _has_pext() else squeeze_by_stages
