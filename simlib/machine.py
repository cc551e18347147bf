"""Word operations as machine instructions: what numba itself lacks, for the functions of `streams`."""

from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload

from simlib import streams

WORD = ir.IntType(64)
DOUBLE_WORD = ir.IntType(128)


@intrinsic
def _multiply_high(_, a, b):
    def emit(_, builder, __, args):
        wide = [builder.zext(arg, DOUBLE_WORD) for arg in args]
        high = builder.lshr(builder.mul(*wide), ir.Constant(DOUBLE_WORD, 64))
        return builder.trunc(high, WORD)

    return types.uint64(types.uint64, types.uint64), emit


@intrinsic
def _popcount(_, word):
    def emit(_, builder, __, args):
        return builder.ctpop(args[0])

    return types.int64(types.uint64), emit


@intrinsic
def _lowest_bit(_, word):
    def emit(_, builder, __, args):
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

    return types.uint64(types.uint64), emit


overload(streams.multiply_high)(lambda a, b: lambda a, b: _multiply_high(a, b))
overload(streams.popcount)(lambda word: lambda word: _popcount(word))
overload(streams.lowest_bit)(lambda word: lambda word: _lowest_bit(word))
