"""Machine instructions that Python has no operator for, with plain Python versions for kernels that aren't compiled."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numpy as np

from solver.kernels.jit import HAS_NUMBA, numba

if HAS_NUMBA:
    from llvmlite import ir
    from numba import extending

_F = TypeVar("_F", bound=Callable[..., object])


def _instruction(plain: _F, describe: Callable[..., Any]) -> _F:
    """Return a function for compiled kernels, given the description of its machine code, or return the plain one."""
    if not HAS_NUMBA or getattr(numba.config, "DISABLE_JIT", False):
        return plain
    return cast(_F, extending.intrinsic(describe))


def _count(word: np.uint64) -> int:
    return int(word).bit_count()


def _describe_count(_typing: object, _word: object) -> tuple[object, Callable[..., Any]]:
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
        first = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        byte, number = ir.IntType(8).as_pointer(), ir.IntType(32)
        place = builder.bitcast(builder.gep(first, [arguments[1]]), byte)
        kind = ir.FunctionType(ir.VoidType(), [byte, number, number, number])
        instruction = builder.module.declare_intrinsic("llvm.prefetch", [byte], kind)
        builder.call(instruction, [place, *(ir.Constant(number, each) for each in (0, 3, 1))])
        return context.get_dummy_value()

    return numba.void(words, numba.uint64), generate


count = _instruction(_count, _describe_count)
"""Return the number of bits that are set in a word."""

bit_length = _instruction(_bit_length, _describe_bit_length)
"""Return the number of bits of a word without its leading zeros."""

prefetch = _instruction(_prefetch, _describe_prefetch)
"""Ask the processor to fetch an item of an array (uint64) before it is needed."""
