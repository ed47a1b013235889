"""Bits of 64-bit words: single machine instructions when compiled, plain Python otherwise."""

from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from llvmlite.binding import get_host_cpu_features
from numba import types
from numba.extending import intrinsic

from tesuji.kernels import compiled_as


def popcount(word: Any) -> Any:
    """How many bits are set."""
    return int(word).bit_count()


def lowest(word: Any) -> Any:
    """The number of the lowest bit that is set; 64 if none is."""
    return (int(word) & -int(word)).bit_length() - 1 if word else 64


def highest(word: Any) -> Any:
    """The number of the highest bit that is set; -1 if none is."""
    return int(word).bit_length() - 1


def nth_bit(word: Any, n: Any) -> Any:
    """The number of the n-th bit that is set, counting from 0. There must be more than n."""
    for _ in range(n):
        word &= word - np.uint64(1)
    return lowest(word)


WORD = ir.IntType(64)
SIXTY_THREE = ir.Constant(WORD, 63)
DEFINED_AT_ZERO = ir.Constant(ir.IntType(1), 0)


def _instruction(emit: Callable[..., Any]) -> Any:
    """An LLVM instruction on a word as a function for compiled code."""

    @intrinsic  # type: ignore[untyped-decorator]
    def instruction(typing_context: Any, word: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return emit(builder, arguments[0])

        return types.int64(types.uint64), generate

    return instruction


_popcount = _instruction(lambda builder, word: builder.ctpop(word))
_lowest = _instruction(lambda builder, word: builder.cttz(word, DEFINED_AT_ZERO))
_highest = _instruction(
    lambda builder, word: builder.sub(SIXTY_THREE, builder.ctlz(word, DEFINED_AT_ZERO))
)


@intrinsic  # type: ignore[untyped-decorator]
def _deposit(typing_context: Any, bits: Any, mask: Any) -> Any:
    """x86's PDEP: put the low bits, one by one, where the mask has bits."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        function = builder.module.declare_intrinsic(
            "llvm.x86.bmi.pdep.64", fnty=ir.FunctionType(WORD, [WORD, WORD])
        )
        return builder.call(function, arguments)

    return types.uint64(types.uint64, types.uint64), generate


def _compiled(function: Any, implementation: Any) -> None:
    compiled_as(function, lambda *types_of_arguments: implementation)


_compiled(popcount, lambda word: _popcount(word))
_compiled(lowest, lambda word: _lowest(word))
_compiled(highest, lambda word: _highest(word))
if get_host_cpu_features().get("bmi2"):
    _compiled(nth_bit, lambda word, n: _lowest(_deposit(np.uint64(1) << np.uint64(n), word)))
else:
    _compiled(nth_bit, nth_bit)
