"""Machine instructions that Python has no operator for, with plain Python versions for kernels that aren't compiled."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, Final, TypeVar, cast

import numpy as np

from solver.kernels.jit import HAS_NUMBA, numba

if HAS_NUMBA:
    import llvmlite.binding
    from llvmlite import ir
    from numba import extending

_F = TypeVar("_F", bound=Callable[..., object])

_COMPILES: Final = HAS_NUMBA and not getattr(numba.config, "DISABLE_JIT", False)

READS_BYTES: Final = _COMPILES and sys.byteorder == "little"
"""Whether a word can be read from any byte, see `word_at_byte`."""


def can_use(feature: str) -> bool:
    """Return True if kernels are compiled for this processor, and the processor has the given LLVM feature."""
    if not _COMPILES or numba.config.CPU_NAME or numba.config.CPU_FEATURES:  # or compiled for another processor
        return False
    return bool(llvmlite.binding.get_host_cpu_features().get(feature))


HAS_BMI2: Final = can_use("bmi2")
"""Whether the processor has `pext` and `pdep`: those of the x86 family since 2013."""


def _instruction(plain: _F, describe: Callable[..., Any]) -> _F:
    """Return a function that compiled kernels can call, given the description of its machine code.

    Without a compiler, return the function `plain`.
    """
    return cast(_F, extending.intrinsic(describe)) if _COMPILES else plain


def _unavailable(_word: np.uint64, _mask: np.uint64) -> np.uint64:
    raise NotImplementedError("this instruction has no plain version: callers check READS_BYTES or HAS_BMI2")


def _popcount(word: np.uint64) -> int:
    return int(word).bit_count()


def _describe_popcount(_typing: object, _word: object) -> tuple[object, Callable[..., Any]]:
    def generate(_context: object, builder: Any, _signature: object, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return numba.int64(numba.uint64), generate


def _bit_length(word: np.uint64) -> int:
    return int(word).bit_length()


def _describe_bit_length(_typing: object, _word: object) -> tuple[object, Callable[..., Any]]:
    def generate(_context: object, builder: Any, _signature: object, arguments: Any) -> Any:
        zeros = builder.ctlz(arguments[0], ir.Constant(ir.IntType(1), 0))
        return builder.sub(ir.Constant(ir.IntType(64), 64), zeros)

    return numba.int64(numba.uint64), generate


def _prefetch(_words: np.ndarray, _at: np.uint64) -> None:
    return


def _describe_prefetch(_typing: object, words: Any, _at: object) -> tuple[object, Callable[..., Any]]:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        byte, number = ir.IntType(8).as_pointer(), ir.IntType(32)
        first = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        place = builder.bitcast(builder.gep(first, [arguments[1]]), byte)
        kind = ir.FunctionType(ir.VoidType(), [byte, number, number, number])
        instruction = builder.module.declare_intrinsic("llvm.prefetch", [byte], kind)
        builder.call(instruction, [place, *(ir.Constant(number, each) for each in (0, 3, 1))])
        return context.get_dummy_value()

    return numba.void(words, numba.uint64), generate


def _describe_word_at_byte(_typing: object, words: Any, _byte: object) -> tuple[object, Callable[..., Any]]:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        first = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        place = builder.gep(builder.bitcast(first, ir.IntType(8).as_pointer()), [arguments[1]])
        word = builder.load(builder.bitcast(place, ir.IntType(64).as_pointer()))
        word.align = 1
        return word

    return numba.uint64(words, numba.uint64), generate


def _describe_bmi2(name: str) -> Callable[..., Any]:
    """Return the description of a BMI2 instruction that takes two words."""

    def describe(_typing: object, _word: object, _mask: object) -> tuple[object, Callable[..., Any]]:
        def generate(_context: object, builder: Any, _signature: object, arguments: Any) -> Any:
            word = ir.IntType(64)
            kind = ir.FunctionType(word, [word, word])
            return builder.call(builder.module.declare_intrinsic(f"llvm.x86.bmi.{name}.64", (), kind), arguments)

        return numba.uint64(numba.uint64, numba.uint64), generate

    return describe


popcount = _instruction(_popcount, _describe_popcount)
"""Return the number of bits that are set in a word."""

bit_length = _instruction(_bit_length, _describe_bit_length)
"""Return the number of bits of a word without its leading zeros."""

prefetch = _instruction(_prefetch, _describe_prefetch)
"""Ask the processor to fetch an item of an array (uint64) before it is needed."""

word_at_byte = cast(Callable[[np.ndarray, np.uint64], np.uint64], _instruction(_unavailable, _describe_word_at_byte))
"""Read a word of an array (uint64) from a byte on, if READS_BYTES."""

pext = _instruction(_unavailable, _describe_bmi2("pext"))
"""Extract the bits at a mask, if HAS_BMI2."""

pdep = _instruction(_unavailable, _describe_bmi2("pdep"))
"""Deposit the low bits of a word at a mask, if HAS_BMI2."""
