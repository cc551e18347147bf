"""Word operations as machine instructions: what numba itself lacks, for the functions of `streams`."""

from llvmlite import binding, ir
from numba import types
from numba.core import cgutils, config
from numba.extending import intrinsic, overload

from simlib import state, streams
from simlib.streams import U64

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
def ask_python(_, address, number, rules, table, view, values):
    """Call the Python function at an address (see `simlib.own`); a tuple of values is handed over as int64 in a row."""

    def emit(context, builder, signature, args):
        leaves = list(_leaves(builder, signature.args[5], args[5]))
        row = cgutils.alloca_once(builder, WORD, size=max(1, len(leaves)))
        for at, (kind, leaf) in enumerate(leaves):
            whole = context.cast(builder, leaf, kind, types.int64)
            builder.store(whole, builder.gep(row, [ir.Constant(WORD, at)]))
        kind = ir.FunctionType(WORD, [WORD, *[cgutils.voidptr_t] * 4, WORD])
        function = builder.inttoptr(args[0], kind.as_pointer())
        pointers = [builder.bitcast(each, cgutils.voidptr_t) for each in (*args[2:5], row)]
        return builder.call(function, [args[1], *pointers, ir.Constant(WORD, len(leaves))])

    return types.int64(types.uint64, types.int64, rules, table, view, values), emit


def _leaves(builder, kind, value):
    """Yield the numbers of nested tuples with their types, in order."""
    if not isinstance(kind, types.BaseTuple):
        yield kind, value
        return
    for at, part in enumerate(kind):
        yield from _leaves(builder, part, builder.extract_value(value, at))


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


@intrinsic
def _deposit(_, word, mask):
    def emit(_, builder, __, args):
        kind = ir.FunctionType(WORD, [WORD, WORD])
        return builder.call(builder.module.declare_intrinsic("llvm.x86.bmi.pdep.64", (), kind), args)

    return types.uint64(types.uint64, types.uint64), emit


@intrinsic
def _copy_record(_, target, source):
    def emit(context, builder, __, arguments):
        cgutils.raw_memcpy(builder, *arguments, context.get_constant(types.intp, target.size), 1)

    return types.void(target, source), emit


def _deposits() -> bool:
    """Tell whether kernels are compiled for this very processor and it can deposit bits (BMI2)."""
    plain = config.CPU_NAME in (None, "host") and not config.CPU_FEATURES
    return plain and bool(binding.get_host_cpu_features().get("bmi2"))


def _nth_bit_by_deposit(word, number):
    return _lowest_bit(_deposit(U64(1) << number, word))


def _nth_bit_by_steps(word, number):
    while number:
        word &= word - U64(1)
        number -= U64(1)
    return _lowest_bit(word)


overload(state.copy_record)(lambda target, source: lambda target, source: _copy_record(target, source))
overload(streams.multiply_high)(lambda a, b: lambda a, b: _multiply_high(a, b))
overload(streams.popcount)(lambda word: lambda word: _popcount(word))
overload(streams.lowest_bit)(lambda word: lambda word: _lowest_bit(word))
overload(streams.nth_bit)(lambda word, number: _nth_bit_by_deposit if _deposits() else _nth_bit_by_steps)
