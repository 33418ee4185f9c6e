"""The target set. Each intrinsic is declared once, here: the hints are its signature, the body is its meaning. The build reads this file and
never runs it.

An intrinsic writes its first operand, a tile in the scratchpad, or, of `store`, a tensor in memory. The typing rule is `tile` for what gives a
tile, and `nothing` for what gives nothing."""

import htp
from htp import Bits, Element, Extent, Floating, Index, Integer, Number, Value, bool_
from htp_my_plugin import scratchpad
from htp_my_plugin.scratchpad import write


@htp.intrinsic(name="my_plugin.tile", rule="tile", effects="", spaces="scratchpad", cost="0")
def tile(dtype: type[Element], *extents: Extent) -> Element:
    """A tile that has no bytes yet. Nothing is in it.

    >>> row = tile(f32, i, N)
    """
    return htp.alloc(dtype, extents)


@htp.intrinsic(name="my_plugin.buffer", rule="tile", effects="", spaces="scratchpad", cost="0")
def buffer(dtype: type[Element], *extents: Extent, at: int, nbytes: int) -> Element:
    """A tile in the scratchpad, which has `nbytes` bytes from `at` on. What was there is gone.

    >>> row = buffer(f32, i, N, at=0, nbytes=4096)
    """
    return scratchpad.buffer(dtype, extents, at, nbytes)


@htp.intrinsic(name="my_plugin.limit", rule="nothing", effects="", spaces="", cost="0")
def limit(size: Extent, most: int) -> None:
    """Up to which size of a dim its tiles fit the scratchpad. A call with a larger one is refused.

    >>> limit(N, 1024)
    """
    scratchpad.limit(size, most)


@htp.intrinsic(name="my_plugin.load", rule="nothing", effects="write", spaces="scratchpad", cost="size(target)")
def load(target: Element, source: Element, *index: Index) -> None:
    """Copies a slice of a tensor to a tile.

    >>> load(row, x, i, whole)
    """
    write(target, htp.load(source, index))


@htp.intrinsic(name="my_plugin.store", rule="nothing", effects="write", spaces="scratchpad", cost="size(value)")
def store(target: Element, value: Element | float, *index: Index) -> None:
    """Copies a tile, or a number, to a slice of a tensor; extents of 1 repeat.

    >>> store(y, row, i, whole)
    """
    htp.store(target, value, index)


@htp.intrinsic(name="my_plugin.fill", rule="nothing", effects="write", spaces="scratchpad", cost="size(target)")
def fill(target: Element, value: float | int) -> None:
    """Fills a tile with a number; an int wraps around in an integer dtype.

    >>> fill(acc, 0)
    """
    write(target, htp.full(type(target), value, target.shape))


@htp.intrinsic(name="my_plugin.iota", rule="nothing", effects="write", spaces="scratchpad", cost="size(target)")
def iota(target: Integer, *extents: Extent, axis: int) -> None:
    """Counts along an axis: of a block the indices that it stands for.

    >>> iota(row, i, 1, axis=0)
    """
    write(target, htp.iota(type(target), axis, extents))


@htp.intrinsic(name="my_plugin.cast", rule="nothing", effects="write", spaces="scratchpad", cost="size(target)")
def cast(target: Element, x: Value) -> None:
    """Converts a tile to the target's dtype, rounded once.

    >>> cast(wide, narrow)
    """
    write(target, htp.convert(x, type(target)))


@htp.intrinsic(name="my_plugin.copy", rule="nothing", effects="write", spaces="scratchpad", cost="size(target)")
def copy(target: Element, x: Element) -> None:
    """Copies a tile.

    >>> copy(acc, first)
    """
    write(target, x)


@htp.intrinsic(name="my_plugin.add", rule="nothing", effects="write", spaces="scratchpad", cost="size(target)")
def add(target: Number, a: Number | float, b: Number | float) -> None:
    """The sum, rounded once; integers wrap around.

    >>> add(y, a, b)
    """
    write(target, htp.binary("add", a, b))


@htp.intrinsic(name="my_plugin.sub", rule="nothing", effects="write", spaces="scratchpad", cost="size(target)")
def sub(target: Number, a: Number | float, b: Number | float) -> None:
    """The difference, rounded once; integers wrap around.

    >>> sub(y, a, b)
    """
    write(target, htp.binary("sub", a, b))


@htp.intrinsic(name="my_plugin.mul", rule="nothing", effects="write", spaces="scratchpad", cost="size(target)")
def mul(target: Number, a: Number | float, b: Number | float) -> None:
    """The product, rounded once; integers wrap around.

    >>> mul(y, a, b)
    """
    write(target, htp.binary("mul", a, b))


@htp.intrinsic(name="my_plugin.div", rule="nothing", effects="write", spaces="scratchpad", cost="size(target)")
def div(target: Number, a: Number | float, b: Number | float) -> None:
    """The quotient, rounded once; of integers toward zero, and 0 when divided by 0.

    >>> div(y, a, b)
    """
    write(target, htp.binary("div", a, b))


@htp.intrinsic(name="my_plugin.minimum", rule="nothing", effects="write", spaces="scratchpad", cost="size(target)")
def minimum(target: Number, a: Number | float, b: Number | float) -> None:
    """The smaller; NaN if either is NaN; -0 is below +0.

    >>> minimum(y, a, b)
    """
    write(target, htp.binary("minimum", a, b))


@htp.intrinsic(name="my_plugin.maximum", rule="nothing", effects="write", spaces="scratchpad", cost="size(target)")
def maximum(target: Number, a: Number | float, b: Number | float) -> None:
    """The larger; NaN if either is NaN; +0 is above -0.

    >>> maximum(y, a, b)
    """
    write(target, htp.binary("maximum", a, b))


@htp.intrinsic(name="my_plugin.bit_and", rule="nothing", effects="write", spaces="scratchpad", cost="size(target)")
def bit_and(target: Bits, a: Bits | int, b: Bits | int) -> None:
    """The bits that both have.

    >>> bit_and(y, a, b)
    """
    write(target, htp.binary("bit_and", a, b))


@htp.intrinsic(name="my_plugin.lt", rule="nothing", effects="write", spaces="scratchpad", cost="size(target)")
def lt(target: bool_, a: Element | float, b: Element | float) -> None:
    """Whether a is less than b.

    >>> lt(mask, a, b)
    """
    write(target, htp.compare("lt", a, b))


@htp.intrinsic(name="my_plugin.le", rule="nothing", effects="write", spaces="scratchpad", cost="size(target)")
def le(target: bool_, a: Element | float, b: Element | float) -> None:
    """Whether a is at most b.

    >>> le(mask, a, b)
    """
    write(target, htp.compare("le", a, b))


@htp.intrinsic(name="my_plugin.eq", rule="nothing", effects="write", spaces="scratchpad", cost="size(target)")
def eq(target: bool_, a: Element | float, b: Element | float) -> None:
    """Whether a is b.

    >>> eq(mask, a, b)
    """
    write(target, htp.compare("eq", a, b))


@htp.intrinsic(name="my_plugin.ne", rule="nothing", effects="write", spaces="scratchpad", cost="size(target)")
def ne(target: bool_, a: Element | float, b: Element | float) -> None:
    """Whether a is not b.

    >>> ne(mask, a, b)
    """
    write(target, htp.compare("ne", a, b))


@htp.intrinsic(name="my_plugin.where", rule="nothing", effects="write", spaces="scratchpad", cost="size(target)")
def where(target: Element, condition: bool_, a: Element | float, b: Element | float) -> None:
    """a where the condition holds, b elsewhere.

    >>> where(y, mask, a, b)
    """
    write(target, htp.select(condition, a, b))


@htp.intrinsic(name="my_plugin.neg", rule="nothing", effects="write", spaces="scratchpad", cost="size(target)")
def neg(target: Number, x: Number) -> None:
    """The value with the other sign.

    >>> neg(y, x)
    """
    write(target, htp.unary("neg", x))


@htp.intrinsic(name="my_plugin.absolute", rule="nothing", effects="write", spaces="scratchpad", cost="size(target)")
def absolute(target: Number, x: Number) -> None:
    """The value without its sign.

    >>> absolute(y, x)
    """
    write(target, htp.unary("absolute", x))


@htp.intrinsic(name="my_plugin.sqrt", rule="nothing", effects="write", spaces="scratchpad", cost="size(target)")
def sqrt(target: Floating, x: Floating) -> None:
    """The square root, rounded once; NaN below zero.

    >>> sqrt(y, x)
    """
    write(target, htp.unary("sqrt", x))


@htp.intrinsic(name="my_plugin.exp", rule="nothing", effects="write", spaces="scratchpad", cost="size(target)")
def exp(target: Floating, x: Floating) -> None:
    """e to the power x.

    >>> exp(y, x)
    """
    write(target, htp.unary("exp", x))


@htp.intrinsic(name="my_plugin.tanh", rule="nothing", effects="write", spaces="scratchpad", cost="size(target)")
def tanh(target: Floating, x: Floating) -> None:
    """The hyperbolic tangent.

    >>> tanh(y, x)
    """
    write(target, htp.unary("tanh", x))


@htp.intrinsic(name="my_plugin.sigmoid", rule="nothing", effects="write", spaces="scratchpad", cost="size(target)")
def sigmoid(target: Floating, x: Floating) -> None:
    """1 / (1 + exp(-x)).

    >>> sigmoid(y, x)
    """
    write(target, htp.unary("sigmoid", x))


@htp.intrinsic(name="my_plugin.bit_not", rule="nothing", effects="write", spaces="scratchpad", cost="size(target)")
def bit_not(target: Bits, x: Bits) -> None:
    """The other bits; of a mask, what does not hold.

    >>> bit_not(y, x)
    """
    write(target, htp.unary("bit_not", x))


@htp.intrinsic(name="my_plugin.reduce_sum", rule="nothing", effects="write", spaces="scratchpad", cost="size(x)")
def reduce_sum(target: Number, x: Number, *, axis: int | tuple[int, ...]) -> None:
    """The sum along an axis, or several.

    >>> reduce_sum(total, x, axis=1)
    """
    write(target, htp.reduce("sum", x, axis))


@htp.intrinsic(name="my_plugin.reduce_max", rule="nothing", effects="write", spaces="scratchpad", cost="size(x)")
def reduce_max(target: Number, x: Number, *, axis: int | tuple[int, ...]) -> None:
    """The largest along an axis, or several; NaN if one is NaN.

    >>> reduce_max(total, x, axis=1)
    """
    write(target, htp.reduce("max", x, axis))


@htp.intrinsic(name="my_plugin.reduce_min", rule="nothing", effects="write", spaces="scratchpad", cost="size(x)")
def reduce_min(target: Number, x: Number, *, axis: int | tuple[int, ...]) -> None:
    """The smallest along an axis, or several; NaN if one is NaN.

    >>> reduce_min(total, x, axis=1)
    """
    write(target, htp.reduce("min", x, axis))


@htp.intrinsic(name="my_plugin.reduce_any", rule="nothing", effects="write", spaces="scratchpad", cost="size(x)")
def reduce_any(target: bool_, x: bool_, *, axis: int | tuple[int, ...]) -> None:
    """Whether one holds along an axis, or several.

    >>> reduce_any(total, x, axis=1)
    """
    write(target, htp.reduce("any", x, axis))


@htp.intrinsic(name="my_plugin.reduce_mean", rule="nothing", effects="write", spaces="scratchpad", cost="size(x)")
def reduce_mean(target: Floating, x: Floating, *, axis: int | tuple[int, ...]) -> None:
    """The mean along an axis, or several.

    >>> reduce_mean(mu, x, axis=1)
    """
    write(target, htp.mean(x, axis))


@htp.intrinsic(name="my_plugin.transpose", rule="nothing", effects="write", spaces="scratchpad", cost="size(target)")
def transpose(target: Element, x: Element, axes: tuple[int, ...] | None = None) -> None:
    """The last two dimensions swapped, or all in the order of the axes.

    >>> transpose(y, x)
    """
    write(target, htp.transpose(x, axes))


@htp.intrinsic(name="my_plugin.reshape", rule="nothing", effects="write", spaces="scratchpad", cost="size(target)")
def reshape(target: Element, x: Element) -> None:
    """The same elements in row-major order.

    >>> reshape(y, x)
    """
    write(target, htp.reshape(x, target.shape))


@htp.intrinsic(name="my_plugin.mmul", rule="nothing", effects="write", spaces="scratchpad", cost="2 * size(target)")
def mmul(target: Number, a: Value, b: Value) -> None:
    """Adds the matrix product of two tiles to the target; dimensions before the last two are equal or 1.

    >>> mmul(acc, a, b)
    """
    write(target, htp.matmul(a, b, target))
