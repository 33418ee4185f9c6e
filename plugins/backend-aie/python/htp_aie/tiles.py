"""What a core computes on tiles: intrinsics that write their first operand.

The build reads this file and never runs it: keep a declaration to `@htp.intrinsic(...)` with literal arguments on a plain
function with annotated parameters.

The typing rules, by their names in `rule=`.

    buffer    a tile of the named dtype
    load      a tensor at an index, to a tile of its dtype
    store     a tile, to a tensor at an index
    binary    two tiles, or a tile and a number, to a tile of their dtype and of the extents that they have together
    unary     a tile, to one of its dtype and extents
    compare   two tiles, or a tile and a number, to a mask
    select    a mask, and two tiles or numbers
    transpose a tile, to one with the last two extents swapped
    fill      a number
    apart     a function that is compiled apart, and its tiles
    convert   a tile of another dtype
    product   two tiles of one dtype, to one of that or a wider one
    reduce    a tile and an axis, which has one element in the target
    object    a stream and a core, or a channel and a tile
"""

from collections.abc import Callable
from typing import Any, TypeVar

import htp
from htp import Element, Extent, Index, bf16, bool_, f32, i8, i16, i32
from htp_aie import machine

Arithmetic = TypeVar("Arithmetic", bf16, f32, i8, i16, i32)
"""What a core calculates with."""
Real = TypeVar("Real", bf16, f32)
"""What it divides, and computes functions of."""
Whole = TypeVar("Whole", i8, i16, i32)
"""What is shifted."""
Bits = TypeVar("Bits", bool_, i8, i16, i32)
"""What has bits: integers, and masks."""


@htp.intrinsic(name="aie.buffer", rule="buffer", effects="", spaces="core", cost="0")
def buffer(dtype: type[Element], *extents: Extent) -> Element:
    """Room for a tile in a core's memory. Nothing is in it yet.

    >>> row = buffer(f32, 8, 64)
    """
    return htp.alloc(dtype, extents)


@htp.intrinsic(name="aie.load", rule="load", effects="write", spaces="core", cost="size(target)")
def load(target: Element, source: Element, *index: Index, outside: float | None = None) -> None:
    """Loads a slice of a tensor: a block, `whole` or an int for each dimension; what is outside of the tensor is `outside`, if that is
    given. Before it is known which core does. A number, a scalar parameter, is loaded at 0.

    >>> load(row, x, i, whole)
    """
    machine.load(target, source, index, outside)


@htp.intrinsic(name="aie.store", rule="store", effects="write", spaces="core", cost="size(source)")
def store(target: Element, source: Element, *index: Index) -> None:
    """Stores a tile to a slice of a tensor. Before it is known which core does.

    >>> store(y, row, i, whole)
    """
    machine.store(target, source, index)


@htp.intrinsic(name="aie.fill", rule="fill", effects="write", spaces="core", cost="size(target)")
def fill(target: Element, value: float | int) -> None:
    """Fills a tile with a number.

    >>> fill(total, 0)
    """
    machine.write("fill", target, htp.full(type(target), value, target.shape))


@htp.intrinsic(name="aie.iota", rule="fill", effects="write", spaces="core", cost="size(target)")
def iota(target: Whole, *extents: Extent, axis: int) -> None:
    """Counts along an axis, the only one that is not 1: of a block the indices it stands for. Before it is known which core does.

    >>> iota(row, i, 1, axis=0)
    """
    machine.write("iota", target, htp.iota(type(target), axis, extents))


@htp.intrinsic(name="aie.copy", rule="unary", effects="write", spaces="core", cost="size(target)")
def copy(target: Element, source: Element) -> None:
    """Copies a tile; an extent of 1 counts for every index, and others of 1 come and go.

    >>> copy(out, row)
    """
    machine.write("copy", target, source, spread=True)


@htp.intrinsic(name="aie.call", rule="apart", effects="write", spaces="core", cost="size(target)")
def call(target: Element, function: Callable[..., Any], *operands: Element | float | int, result: int = 0) -> None:
    """What a function that is compiled apart makes of tiles and numbers, one of its results. Those that follow one another are one call.

    >>> call(y, scaled, x, by)
    """
    made = function(*operands)
    machine.write("call", target, made[result] if isinstance(made, tuple) else made)


@htp.intrinsic(name="aie.cast", rule="convert", effects="write", spaces="core", cost="size(target)")
def cast(target: Element, source: Element) -> None:
    """Converts a tile to the target's dtype, as `tile.cast` does.

    >>> cast(wide, narrow)
    """
    machine.write("cast", target, htp.convert(source, type(target)))


@htp.intrinsic(name="aie.add", rule="binary", effects="write", spaces="core", cost="size(target)")
def add(target: Arithmetic, a: Arithmetic | float | int, b: Arithmetic | float | int) -> None:
    """The sum, rounded once; integers wrap around.

    >>> add(y, a, b)
    """
    machine.write("add", target, machine.binary("add", target, a, b))


@htp.intrinsic(name="aie.sub", rule="binary", effects="write", spaces="core", cost="size(target)")
def sub(target: Arithmetic, a: Arithmetic | float | int, b: Arithmetic | float | int) -> None:
    """The difference, rounded once; integers wrap around.

    >>> sub(y, a, b)
    """
    machine.write("sub", target, machine.binary("sub", target, a, b))


@htp.intrinsic(name="aie.mul", rule="binary", effects="write", spaces="core", cost="size(target)")
def mul(target: Arithmetic, a: Arithmetic | float | int, b: Arithmetic | float | int) -> None:
    """The product, rounded once; integers wrap around.

    >>> mul(y, a, b)
    """
    machine.write("mul", target, machine.binary("mul", target, a, b))


@htp.intrinsic(name="aie.div", rule="binary", effects="write", spaces="core", cost="size(target)")
def div(target: Real, a: Real | float | int, b: Real | float | int) -> None:
    """The quotient, rounded once.

    >>> div(y, a, b)
    """
    machine.write("div", target, machine.binary("div", target, a, b))


@htp.intrinsic(name="aie.maximum", rule="binary", effects="write", spaces="core", cost="size(target)")
def maximum(target: Arithmetic, a: Arithmetic | float | int, b: Arithmetic | float | int) -> None:
    """The larger; NaN if either is NaN.

    >>> maximum(y, a, b)
    """
    machine.write("maximum", target, machine.binary("maximum", target, a, b))


@htp.intrinsic(name="aie.minimum", rule="binary", effects="write", spaces="core", cost="size(target)")
def minimum(target: Arithmetic, a: Arithmetic | float | int, b: Arithmetic | float | int) -> None:
    """The smaller; NaN if either is NaN.

    >>> minimum(y, a, b)
    """
    machine.write("minimum", target, machine.binary("minimum", target, a, b))


@htp.intrinsic(name="aie.neg", rule="unary", effects="write", spaces="core", cost="size(target)")
def neg(target: Arithmetic, source: Arithmetic) -> None:
    """The negative.

    >>> neg(y, x)
    """
    machine.write("neg", target, htp.unary("neg", source))


@htp.intrinsic(name="aie.absolute", rule="unary", effects="write", spaces="core", cost="size(target)")
def absolute(target: Arithmetic, source: Arithmetic) -> None:
    """The absolute value.

    >>> absolute(y, x)
    """
    machine.write("absolute", target, htp.unary("absolute", source))


@htp.intrinsic(name="aie.exp", rule="unary", effects="write", spaces="core", cost="size(target)")
def exp(target: Real, source: Real) -> None:
    """The exponential.

    >>> exp(y, x)
    """
    machine.write("exp", target, htp.unary("exp", source))


@htp.intrinsic(name="aie.log", rule="unary", effects="write", spaces="core", cost="size(target)")
def log(target: Real, source: Real) -> None:
    """The natural logarithm.

    >>> log(y, x)
    """
    machine.write("log", target, htp.unary("log", source))


@htp.intrinsic(name="aie.sqrt", rule="unary", effects="write", spaces="core", cost="size(target)")
def sqrt(target: Real, source: Real) -> None:
    """The square root.

    >>> sqrt(y, x)
    """
    machine.write("sqrt", target, htp.unary("sqrt", source))


@htp.intrinsic(name="aie.rsqrt", rule="unary", effects="write", spaces="core", cost="size(target)")
def rsqrt(target: Real, source: Real) -> None:
    """One by the square root.

    >>> rsqrt(y, x)
    """
    machine.write("rsqrt", target, htp.unary("rsqrt", source))


@htp.intrinsic(name="aie.tanh", rule="unary", effects="write", spaces="core", cost="size(target)")
def tanh(target: Real, source: Real) -> None:
    """The hyperbolic tangent.

    >>> tanh(y, x)
    """
    machine.write("tanh", target, htp.unary("tanh", source))


@htp.intrinsic(name="aie.sigmoid", rule="unary", effects="write", spaces="core", cost="size(target)")
def sigmoid(target: Real, source: Real) -> None:
    """1 / (1 + exp(-x)).

    >>> sigmoid(y, x)
    """
    machine.write("sigmoid", target, htp.unary("sigmoid", source))


@htp.intrinsic(name="aie.floor", rule="unary", effects="write", spaces="core", cost="size(target)")
def floor(target: Real, source: Real) -> None:
    """The whole number below: toward -inf, with the sign of x at 0.

    >>> floor(y, x)
    """
    machine.write("floor", target, htp.unary("floor", source))


@htp.intrinsic(name="aie.ceil", rule="unary", effects="write", spaces="core", cost="size(target)")
def ceil(target: Real, source: Real) -> None:
    """The whole number above: toward +inf; -0 between -1 and 0.

    >>> ceil(y, x)
    """
    machine.write("ceil", target, htp.unary("ceil", source))


@htp.intrinsic(name="aie.round", rule="unary", effects="write", spaces="core", cost="size(target)")
def round(target: Real, source: Real) -> None:
    """The nearest whole number, halves to even, with the sign of x.

    >>> round(y, x)
    """
    machine.write("round", target, htp.unary("round", source))


@htp.intrinsic(name="aie.trunc", rule="unary", effects="write", spaces="core", cost="size(target)")
def trunc(target: Real, source: Real) -> None:
    """The integer: toward zero, with the sign of x.

    >>> trunc(y, x)
    """
    machine.write("trunc", target, htp.unary("trunc", source))


@htp.intrinsic(name="aie.lt", rule="compare", effects="write", spaces="core", cost="size(target)")
def lt(target: bool_, a: Arithmetic | float | int, b: Arithmetic | float | int) -> None:
    """Whether a < b; false when either is NaN.

    >>> lt(mask, a, b)
    """
    machine.write("lt", target, htp.compare("lt", a, b))


@htp.intrinsic(name="aie.le", rule="compare", effects="write", spaces="core", cost="size(target)")
def le(target: bool_, a: Arithmetic | float | int, b: Arithmetic | float | int) -> None:
    """Whether a <= b; false when either is NaN.

    >>> le(mask, a, b)
    """
    machine.write("le", target, htp.compare("le", a, b))


@htp.intrinsic(name="aie.gt", rule="compare", effects="write", spaces="core", cost="size(target)")
def gt(target: bool_, a: Arithmetic | float | int, b: Arithmetic | float | int) -> None:
    """Whether a > b; false when either is NaN.

    >>> gt(mask, a, b)
    """
    machine.write("gt", target, htp.compare("gt", a, b))


@htp.intrinsic(name="aie.ge", rule="compare", effects="write", spaces="core", cost="size(target)")
def ge(target: bool_, a: Arithmetic | float | int, b: Arithmetic | float | int) -> None:
    """Whether a >= b; false when either is NaN.

    >>> ge(mask, a, b)
    """
    machine.write("ge", target, htp.compare("ge", a, b))


@htp.intrinsic(name="aie.eq", rule="compare", effects="write", spaces="core", cost="size(target)")
def eq(target: bool_, a: Arithmetic | float | int, b: Arithmetic | float | int) -> None:
    """Whether a == b; false when either is NaN.

    >>> eq(mask, a, b)
    """
    machine.write("eq", target, htp.compare("eq", a, b))


@htp.intrinsic(name="aie.ne", rule="compare", effects="write", spaces="core", cost="size(target)")
def ne(target: bool_, a: Arithmetic | float | int, b: Arithmetic | float | int) -> None:
    """Whether a != b; true when either is NaN.

    >>> ne(mask, a, b)
    """
    machine.write("ne", target, htp.compare("ne", a, b))


@htp.intrinsic(name="aie.where", rule="select", effects="write", spaces="core", cost="size(target)")
def where(target: Arithmetic, condition: bool_, a: Arithmetic | float | int, b: Arithmetic | float | int) -> None:
    """a where the condition holds, b elsewhere.

    >>> where(y, mask, a, b)
    """
    machine.write("where", target, htp.select(condition, a, b))


@htp.intrinsic(name="aie.transpose", rule="transpose", effects="write", spaces="core", cost="size(target)")
def transpose(target: Element, source: Element) -> None:
    """The last two dimensions swapped.

    >>> transpose(y, x)
    """
    machine.write("transpose", target, htp.transpose(source, None))


@htp.intrinsic(name="aie.bit_and", rule="binary", effects="write", spaces="core", cost="size(target)")
def bit_and(target: Bits, a: Bits | int, b: Bits | int) -> None:
    """The bits that are in both.

    >>> bit_and(y, a, b)
    """
    machine.write("bit_and", target, machine.binary("bit_and", target, a, b))


@htp.intrinsic(name="aie.bit_or", rule="binary", effects="write", spaces="core", cost="size(target)")
def bit_or(target: Bits, a: Bits | int, b: Bits | int) -> None:
    """The bits that are in either.

    >>> bit_or(y, a, b)
    """
    machine.write("bit_or", target, machine.binary("bit_or", target, a, b))


@htp.intrinsic(name="aie.bit_xor", rule="binary", effects="write", spaces="core", cost="size(target)")
def bit_xor(target: Bits, a: Bits | int, b: Bits | int) -> None:
    """The bits that are in one of them.

    >>> bit_xor(y, a, b)
    """
    machine.write("bit_xor", target, machine.binary("bit_xor", target, a, b))


@htp.intrinsic(name="aie.bit_not", rule="unary", effects="write", spaces="core", cost="size(target)")
def bit_not(target: Bits, source: Bits) -> None:
    """The bits that are not there; of a mask, where it does not hold.

    >>> bit_not(y, x)
    """
    machine.write("bit_not", target, htp.unary("bit_not", source))


@htp.intrinsic(name="aie.shl", rule="binary", effects="write", spaces="core", cost="size(target)")
def shl(target: Whole, source: Whole, by: int) -> None:
    """Bits moved up by fewer than there are; zeros come in.

    >>> shl(y, x, 4)
    """
    machine.write("shl", target, htp.binary("shl", source, by))


@htp.intrinsic(name="aie.shr", rule="binary", effects="write", spaces="core", cost="size(target)")
def shr(target: Whole, source: Whole, by: int) -> None:
    """Bits moved down by fewer than there are; the sign stays.

    >>> shr(y, x, 4)
    """
    machine.write("shr", target, htp.binary("shr", source, by))


@htp.intrinsic(name="aie.reduce_sum", rule="reduce", effects="write", spaces="core", cost="size(source)")
def reduce_sum(target: Arithmetic, source: Arithmetic, axis: int) -> None:
    """The sum along an axis, which has one element in the target.

    >>> reduce_sum(total, row, 1)
    """
    machine.write("reduce_sum", target, htp.reduce("sum", source, axis))


@htp.intrinsic(name="aie.reduce_max", rule="reduce", effects="write", spaces="core", cost="size(source)")
def reduce_max(target: Arithmetic, source: Arithmetic, axis: int) -> None:
    """The largest along an axis, which has one element in the target.

    >>> reduce_max(total, row, 1)
    """
    machine.write("reduce_max", target, htp.reduce("max", source, axis))


@htp.intrinsic(name="aie.reduce_min", rule="reduce", effects="write", spaces="core", cost="size(source)")
def reduce_min(target: Arithmetic, source: Arithmetic, axis: int) -> None:
    """The smallest along an axis, which has one element in the target.

    >>> reduce_min(total, row, 1)
    """
    machine.write("reduce_min", target, htp.reduce("min", source, axis))


@htp.intrinsic(name="aie.matmul", rule="product", effects="read write", spaces="core", cost="2 * size(target) * extent(a, 1)")
def matmul(target: Arithmetic, a: Arithmetic, b: Arithmetic) -> None:
    """The matrix product, added to the target, whose dtype may be wider.

    >>> matmul(acc, a_tile, b_tile)
    """
    machine.write("matmul", target, htp.matmul(a, b, target))


@htp.intrinsic(name="aie.mmul", rule="product", effects="read write", spaces="core", cost="2 * size(target) * extent(a, 1)")
def mmul(target: Arithmetic, a: Arithmetic, b: Arithmetic) -> None:
    """The matrix product of tiles that lie in blocks of the matrix units, added to the target: (…, m/r, n/c, r, c) is a tile (…, m, n) in
    blocks of r rows and c columns.

    >>> mmul(acc, a_tile, b_tile)
    """
    machine.write("mmul", target, machine.in_blocks(htp.matmul(machine.in_rows(a), machine.in_rows(b), machine.in_rows(target)), target))


@htp.intrinsic(name="aie.strip", rule="object", effects="", spaces="core", cost="0")
def strip(tile: Element, size: int, at: int) -> Element:
    """Part of a tile, as it lies there: so many of its first dimension, behind as many strips of that size as `at` says.

    >>> strip(acc, 2, row)
    """
    return machine.strip(tile, size, at)
