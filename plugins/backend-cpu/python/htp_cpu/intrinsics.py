"""The CPU's target set: what its emitter turns into C, and nothing else.

The elementwise words mean the same on tiles and on scalars (a value without extents). `load` to `full`, the reductions, `matmul` and
`transpose` work on tiles; `alloc`, `get`, `put` and `splat` are what loops over elements are made of.

The build reads this file and never runs it: keep a declaration to `@htp.intrinsic(...)` with literal arguments on a plain
function with annotated parameters.

The typing rules, by the words in `rule=`. Element, Number, Floating stand for one dtype each in a signature:

    elementwise  operands share the dtype (literals take it); extents are equal or 1; the result has the larger ones
    compare      as elementwise, the result is bool_
    select       as elementwise for a and b, and the condition's extents join in
    cast         the operand's extents, the named dtype
    relayout     the operand's type, with the named layout
    load         the tensor's dtype; extents from the index: a block, a dimension for `whole`, 1 for an int, a tile's own
    store        the value's extents are the index's, or 1
    create       the named dtype and extents
    buffer       the same, in memory
    reduce       the operand's type, with extent 1 at the axis
    locate       the same in i32
    scan         the operand's type
    argsort      the same in i32
    topk         the operand's extents, with k at the axis; of the operand's dtype, or i32
    gather       x's dtype; extents are equal or 1, at the axis the index's
    matmul       (m, k) and (k, n) give (m, n); acc has the result's type, of their dtype or a wider one
    transpose    two extents, swapped, or all in the order of the axes
    reshape      the operand's dtype, the named extents
    splat        a scalar of the named dtype
    get          a scalar of the source's dtype
    position     an int or a truth value, of one element
    order        two buffers of as many dimensions
    put          the value is a scalar of the target's dtype
    channel      as of csp: a channel, an array of them, or one of these
    slot         a tensor of the channel's dtype and the named extents
"""

from typing import Any

import htp
from htp import Bits, Element, Extent, Floating, Index, Integer, Layout, Number, Token, Value, bool_, i32


@htp.intrinsic(name="cpu.load", rule="load", effects="read", spaces="", cost="size(result)")
def load(source: Element, *index: Index, outside: float | None = None) -> Element:
    """The tile of a tensor at an index for each dimension: a block, moved (`i + 1`) and spread (`i * 2`) or not, `whole`, an int (which
    gives extent 1), or a tile of integers, whose extents stand for the dimension. What is outside of the tensor is `outside`, or stops
    the program without it.

    >>> x_tile = load(x, i, whole)
    """
    return htp.load(source, index, outside)


@htp.intrinsic(name="cpu.store", rule="store", effects="write", spaces="", cost="size(value)")
def store(target: Element, value: Element | float, *index: Index) -> None:
    """Writes a tile to a tensor at an index for each dimension; extents of 1 repeat. Where a tile of integers names a place twice, the
    last one in row-major order stays.

    >>> store(y, e, i, whole)
    """
    htp.store(target, value, index)


@htp.intrinsic(name="cpu.copy_async", rule="begin", effects="write", spaces="", cost="size(value)")
def copy_async(target: Element, value: Element | float, *index: Index) -> Token:
    """Begins to write a tile to a tensor at an index for each dimension; extents of 1 repeat.

    >>> coming = copy_async(h, x_tile, i, whole)
    >>> wait(coming)
    """
    return htp.copy_async(target, value, index)


@htp.intrinsic(name="cpu.wait", rule="wait", effects="", spaces="", cost="0")
def wait(token: Token) -> None:
    """Goes on when a copy that was begun has happened.

    >>> coming = copy_async(h, x_tile, i, whole)
    >>> wait(coming)
    """
    htp.wait(token)


@htp.intrinsic(name="cpu.scatter_add", rule="store", effects="read write", spaces="", cost="2 * size(value)")
def scatter_add(target: Number, value: Number | float, *index: Index) -> None:
    """Adds a tile to a tensor at an index for each dimension; extents of 1 repeat. One element after the other, in row-major order, each
    sum rounded: what is named twice gets both.

    >>> scatter_add(counts, 1, bins)
    """
    htp.scatter_add(target, value, index)


@htp.intrinsic(name="cpu.zeros", rule="create", effects="", spaces="", cost="size(result)")
def zeros(dtype: type[Element], *extents: Extent) -> Element:
    """A tile of zeros; an extent is an int, a dim or a block.

    >>> acc = zeros(f32, i, j)
    """
    return htp.full(dtype, 0, extents)


@htp.intrinsic(name="cpu.full", rule="create", effects="", spaces="", cost="size(result)")
def full(dtype: type[Element], value: float | int, *extents: Extent) -> Element:
    """A tile that holds one value everywhere: a literal, or an int known at run time, which wraps around in an integer dtype.

    >>> acc = full(f32, 1.0, i, j)
    """
    return htp.full(dtype, value, extents)


@htp.intrinsic(name="cpu.buffer", rule="buffer", effects="", spaces="", cost="0")
def buffer(dtype: type[Element], *extents: Extent) -> Element:
    """A tensor of the kernel's own, which holds nothing yet; where an extent is a block, the dimension has that block's indices.

    >>> h = buffer(f32, i, K)
    """
    return htp.buffer(dtype, extents)


@htp.intrinsic(name="cpu.fma", rule="elementwise", effects="", spaces="", cost="size(result)")
def fma(a: Floating | float, b: Floating | float, c: Floating | float) -> Floating:
    """a * b + c, rounded once.

    >>> acc = fma(a, b, acc)
    """
    return htp.fma(a, b, c)


@htp.intrinsic(name="cpu.index", rule="splat", effects="", spaces="", cost="1")
def index(dtype: type[Integer], value: int) -> Integer:
    """A scalar that holds an index; it wraps around.

    >>> row: i32 = index(i32, i_at + p)
    """
    return htp.index(dtype, value)


@htp.intrinsic(name="cpu.splat", rule="splat", effects="", spaces="", cost="1")
def splat(dtype: type[Element], value: float | int) -> Element:
    """A scalar of a dtype; an int known at run time wraps around in an integer dtype.

    >>> acc: f32 = splat(f32, 0)
    """
    return htp.full(dtype, value, ())


@htp.intrinsic(name="cpu.alloc", rule="create", effects="", spaces="", cost="0")
def alloc(dtype: type[Element], *extents: Extent) -> Element:
    """A buffer whose elements hold nothing yet (poison: NaN for floats).

    >>> e: Tile[f32, 8, N] = alloc(f32, 8, N)
    """
    return htp.alloc(dtype, extents)


@htp.intrinsic(name="cpu.get", rule="get", effects="read", spaces="", cost="1")
def get(source: Element, *index: int, outside: float | None = None) -> Element:
    """One element of a tensor or buffer, as a scalar; an int for each dimension. Where it is outside: `outside`, if that is given.

    >>> v: f32 = get(x, i_at + p, q)
    """
    return htp.get(source, index, outside)


@htp.intrinsic(name="cpu.position", rule="position", effects="", spaces="", cost="1")
def position(x: Integer, extent: int | None = None) -> int:
    """The one element of an integer value as an int, to index with; with an extent one that is outside stops the program.

    >>> page = position(table_tile)
    """
    return htp.position(x, extent)


@htp.intrinsic(name="cpu.holds", rule="position", effects="", spaces="", cost="1")
def holds(x: bool_) -> bool:
    """Whether the one element of a mask holds.

    >>> done = holds(mask_tile)
    """
    return htp.holds(x)


@htp.intrinsic(name="cpu.put", rule="put", effects="write", spaces="", cost="1")
def put(target: Element, value: Element | float, *index: int) -> None:
    """Writes a scalar to one element of a tensor or buffer.

    >>> put(y, v, i_at + p, q)
    """
    htp.put(target, value, index)


@htp.intrinsic(name="cpu.order", rule="order", effects="read write", spaces="", cost="16 * count")
def order(target: i32, source: Number, count: int, first: int, *place: int, descending: bool = False) -> None:
    """Writes to a line of a buffer where the `first` first of a line of `count` elements stand, in order and equals as they stand. The
    lines run along the last dimension; an int for each dimension before it.

    >>> order(places, keys, N, N, p)
    """
    htp.order_line(target, source, count, first, place, descending)


@htp.intrinsic(name="cpu.iota", rule="iota", effects="", spaces="", cost="size(result)")
def iota(dtype: type[Integer], *extents: Extent, axis: int) -> Integer:
    """A tile that counts along an axis: of a block the indices it stands for, of a dim or an int from 0 on.

    >>> row = iota(i32, i, 1, axis=0)
    """
    return htp.iota(dtype, axis, extents)


@htp.intrinsic(name="cpu.add", rule="elementwise", effects="", spaces="", cost="size(result)")
def add(a: Number | float, b: Number | float) -> Number:
    """The sum, rounded once; integers wrap around.

    >>> y = add(a, b)
    """
    return htp.binary("add", a, b)


@htp.intrinsic(name="cpu.sub", rule="elementwise", effects="", spaces="", cost="size(result)")
def sub(a: Number | float, b: Number | float) -> Number:
    """The difference, rounded once; integers wrap around.

    >>> y = sub(a, b)
    """
    return htp.binary("sub", a, b)


@htp.intrinsic(name="cpu.mul", rule="elementwise", effects="", spaces="", cost="size(result)")
def mul(a: Number | float, b: Number | float) -> Number:
    """The product, rounded once; integers wrap around.

    >>> y = mul(a, b)
    """
    return htp.binary("mul", a, b)


@htp.intrinsic(name="cpu.div", rule="elementwise", effects="", spaces="", cost="4 * size(result)")
def div(a: Number | float, b: Number | float) -> Number:
    """The quotient, rounded once. Integers truncate toward zero, wrap around (lowest / -1), and give 0 when divided by 0.

    >>> y = div(a, b)
    """
    return htp.binary("div", a, b)


@htp.intrinsic(name="cpu.minimum", rule="elementwise", effects="", spaces="", cost="size(result)")
def minimum(a: Number | float, b: Number | float) -> Number:
    """The smaller; NaN if either is NaN; -0 is below +0.

    >>> y = minimum(a, b)
    """
    return htp.binary("minimum", a, b)


@htp.intrinsic(name="cpu.maximum", rule="elementwise", effects="", spaces="", cost="size(result)")
def maximum(a: Number | float, b: Number | float) -> Number:
    """The larger; NaN if either is NaN; +0 is above -0.

    >>> y = maximum(a, b)
    """
    return htp.binary("maximum", a, b)


@htp.intrinsic(name="cpu.neg", rule="elementwise", effects="", spaces="", cost="size(result)")
def neg(x: Number) -> Number:
    """The negation: flips the sign bit of floats, wraps around for integers.

    >>> y = neg(x)
    """
    return htp.unary("neg", x)


@htp.intrinsic(name="cpu.absolute", rule="elementwise", effects="", spaces="", cost="size(result)")
def absolute(x: Number) -> Number:
    """The magnitude: clears the sign bit of floats; the lowest signed integer stays itself.

    >>> y = absolute(x)
    """
    return htp.unary("absolute", x)


@htp.intrinsic(name="cpu.exp", rule="elementwise", effects="", spaces="", cost="8 * size(result)")
def exp(x: Floating) -> Floating:
    """e to the power of x.

    >>> y = exp(x)
    """
    return htp.unary("exp", x)


@htp.intrinsic(name="cpu.log", rule="elementwise", effects="", spaces="", cost="8 * size(result)")
def log(x: Floating) -> Floating:
    """The natural logarithm; -inf at both zeros, NaN below.

    >>> y = log(x)
    """
    return htp.unary("log", x)


@htp.intrinsic(name="cpu.pow", rule="elementwise", effects="", spaces="", cost="24 * size(result)")
def pow(a: Floating | float, b: Floating | float) -> Floating:
    """a to the power of b: NaN where a is negative and b is no whole number, 1 where b is 0.

    >>> y = pow(a, b)
    """
    return htp.binary("pow", a, b)


@htp.intrinsic(name="cpu.sqrt", rule="elementwise", effects="", spaces="", cost="4 * size(result)")
def sqrt(x: Floating) -> Floating:
    """The square root, correctly rounded; NaN below zero, -0 at -0.

    >>> y = sqrt(x)
    """
    return htp.unary("sqrt", x)


@htp.intrinsic(name="cpu.rsqrt", rule="elementwise", effects="", spaces="", cost="4 * size(result)")
def rsqrt(x: Floating) -> Floating:
    """1 / sqrt(x), rounded once; +inf at +0, -inf at -0.

    >>> y = rsqrt(x)
    """
    return htp.unary("rsqrt", x)


@htp.intrinsic(name="cpu.tanh", rule="elementwise", effects="", spaces="", cost="16 * size(result)")
def tanh(x: Floating) -> Floating:
    """The hyperbolic tangent.

    >>> y = tanh(x)
    """
    return htp.unary("tanh", x)


@htp.intrinsic(name="cpu.sigmoid", rule="elementwise", effects="", spaces="", cost="12 * size(result)")
def sigmoid(x: Floating) -> Floating:
    """1 / (1 + exp(-x)), rounded once.

    >>> y = sigmoid(x)
    """
    return htp.unary("sigmoid", x)


@htp.intrinsic(name="cpu.sin", rule="elementwise", effects="", spaces="", cost="16 * size(result)")
def sin(x: Floating) -> Floating:
    """The sine of x in radians; NaN at infinities.

    >>> y = sin(x)
    """
    return htp.unary("sin", x)


@htp.intrinsic(name="cpu.cos", rule="elementwise", effects="", spaces="", cost="16 * size(result)")
def cos(x: Floating) -> Floating:
    """The cosine of x in radians; NaN at infinities.

    >>> y = cos(x)
    """
    return htp.unary("cos", x)


@htp.intrinsic(name="cpu.erf", rule="elementwise", effects="", spaces="", cost="16 * size(result)")
def erf(x: Floating) -> Floating:
    """The error function, 2 / sqrt(pi) times the integral of exp(-t * t) from 0 to x.

    >>> y = erf(x)
    """
    return htp.unary("erf", x)


@htp.intrinsic(name="cpu.floor", rule="elementwise", effects="", spaces="", cost="size(result)")
def floor(x: Floating) -> Floating:
    """The largest whole number that is not above x; -0 stays -0.

    >>> y = floor(x)
    """
    return htp.unary("floor", x)


@htp.intrinsic(name="cpu.ceil", rule="elementwise", effects="", spaces="", cost="size(result)")
def ceil(x: Floating) -> Floating:
    """The smallest whole number that is not below x; -0 stays -0.

    >>> y = ceil(x)
    """
    return htp.unary("ceil", x)


@htp.intrinsic(name="cpu.trunc", rule="elementwise", effects="", spaces="", cost="size(result)")
def trunc(x: Floating) -> Floating:
    """The whole part: toward zero, with the sign of x.

    >>> y = trunc(x)
    """
    return htp.unary("trunc", x)


@htp.intrinsic(name="cpu.round", rule="elementwise", effects="", spaces="", cost="size(result)")
def round(x: Floating) -> Floating:
    """The nearest whole number, halves to even, with the sign of x.

    >>> y = round(x)
    """
    return htp.unary("round", x)


@htp.intrinsic(name="cpu.rem", rule="elementwise", effects="", spaces="", cost="4 * size(result)")
def rem(a: Integer | int, b: Integer | int) -> Integer:
    """What is left of a divided by b, with the sign of a: a - div(a, b) * b; a where b is 0.

    >>> y = rem(a, b)
    """
    return htp.binary("rem", a, b)


@htp.intrinsic(name="cpu.floordiv", rule="elementwise", effects="", spaces="", cost="6 * size(result)")
def floordiv(a: Integer | int, b: Integer | int) -> Integer:
    """The quotient, rounded down as Python's `//`; 0 where b is 0, and lowest // -1 is lowest.

    >>> y = floordiv(a, b)
    """
    return htp.binary("floordiv", a, b)


@htp.intrinsic(name="cpu.mod", rule="elementwise", effects="", spaces="", cost="6 * size(result)")
def mod(a: Integer | int, b: Integer | int) -> Integer:
    """What is left of a when it is divided by b and rounded down, with the sign of b as Python's `%`; a where b is 0.

    >>> y = mod(a, b)
    """
    return htp.binary("mod", a, b)


@htp.intrinsic(name="cpu.shl", rule="elementwise", effects="", spaces="", cost="size(result)")
def shl(a: Integer | int, b: Integer | int) -> Integer:
    """a with its bits moved up by b, read as unsigned; 0 from the width on.

    >>> y = shl(a, b)
    """
    return htp.binary("shl", a, b)


@htp.intrinsic(name="cpu.shr", rule="elementwise", effects="", spaces="", cost="size(result)")
def shr(a: Integer | int, b: Integer | int) -> Integer:
    """a with its bits moved down by b, read as unsigned; keeps the sign; 0 or -1 from the width on.

    >>> y = shr(a, b)
    """
    return htp.binary("shr", a, b)


@htp.intrinsic(name="cpu.bit_and", rule="elementwise", effects="", spaces="", cost="size(result)")
def bit_and(a: Bits | int, b: Bits | int) -> Bits:
    """The bits that both have; of bool_ whether both hold.

    >>> y = bit_and(a, b)
    """
    return htp.binary("bit_and", a, b)


@htp.intrinsic(name="cpu.bit_or", rule="elementwise", effects="", spaces="", cost="size(result)")
def bit_or(a: Bits | int, b: Bits | int) -> Bits:
    """The bits that either has; of bool_ whether one holds.

    >>> y = bit_or(a, b)
    """
    return htp.binary("bit_or", a, b)


@htp.intrinsic(name="cpu.bit_xor", rule="elementwise", effects="", spaces="", cost="size(result)")
def bit_xor(a: Bits | int, b: Bits | int) -> Bits:
    """The bits that one has and the other has not; of bool_ whether they differ.

    >>> y = bit_xor(a, b)
    """
    return htp.binary("bit_xor", a, b)


@htp.intrinsic(name="cpu.bit_not", rule="elementwise", effects="", spaces="", cost="size(result)")
def bit_not(x: Bits) -> Bits:
    """The other bits; of bool_ whether it does not hold.

    >>> y = bit_not(x)
    """
    return htp.unary("bit_not", x)


@htp.intrinsic(name="cpu.lt", rule="compare", effects="", spaces="", cost="size(result)")
def lt(a: Number | float, b: Number | float) -> bool_:
    """Whether a < b; false when either is NaN.

    >>> mask = lt(a, b)
    """
    return htp.compare("lt", a, b)


@htp.intrinsic(name="cpu.le", rule="compare", effects="", spaces="", cost="size(result)")
def le(a: Number | float, b: Number | float) -> bool_:
    """Whether a <= b; false when either is NaN.

    >>> mask = le(a, b)
    """
    return htp.compare("le", a, b)


@htp.intrinsic(name="cpu.gt", rule="compare", effects="", spaces="", cost="size(result)")
def gt(a: Number | float, b: Number | float) -> bool_:
    """Whether a > b; false when either is NaN.

    >>> mask = gt(a, b)
    """
    return htp.compare("gt", a, b)


@htp.intrinsic(name="cpu.ge", rule="compare", effects="", spaces="", cost="size(result)")
def ge(a: Number | float, b: Number | float) -> bool_:
    """Whether a >= b; false when either is NaN.

    >>> mask = ge(a, b)
    """
    return htp.compare("ge", a, b)


@htp.intrinsic(name="cpu.eq", rule="compare", effects="", spaces="", cost="size(result)")
def eq(a: Element | float, b: Element | float) -> bool_:
    """Whether a == b; false when either is NaN; -0 equals +0.

    >>> mask = eq(a, b)
    """
    return htp.compare("eq", a, b)


@htp.intrinsic(name="cpu.ne", rule="compare", effects="", spaces="", cost="size(result)")
def ne(a: Element | float, b: Element | float) -> bool_:
    """Whether a != b; true when either is NaN.

    >>> mask = ne(a, b)
    """
    return htp.compare("ne", a, b)


@htp.intrinsic(name="cpu.above", rule="compare", effects="", spaces="", cost="size(result)")
def above(a: Number | float, b: Number | float) -> bool_:
    """Whether a is above b in the order of values: -0 below +0, NaN above all.

    >>> better = above(a, b)
    """
    return htp.compare("above", a, b)


@htp.intrinsic(name="cpu.below", rule="compare", effects="", spaces="", cost="size(result)")
def below(a: Number | float, b: Number | float) -> bool_:
    """Whether a is below b in the order of values: -0 below +0, NaN below all.

    >>> better = below(a, b)
    """
    return htp.compare("below", a, b)


@htp.intrinsic(name="cpu.where", rule="select", effects="", spaces="", cost="size(result)")
def where(condition: bool_, a: Element | float, b: Element | float) -> Element:
    """a where the condition holds, b elsewhere; both are evaluated.

    >>> y = where(mask, a, 0)
    """
    return htp.select(condition, a, b)


@htp.intrinsic(name="cpu.cast", rule="cast", effects="", spaces="", cost="size(result)")
def cast(x: Value, dtype: type[Element], *, rounding: str | None = None) -> Element:
    """x as another dtype. To a narrower float: to nearest even. Float to integer: toward zero, saturating, NaN gives 0.
    Integer to integer: modulo 2**bits. To bool_: whether it is not zero. A rounding, "nearest" (halves to even), "toward_zero", "down" or
    "up", says otherwise where a float becomes an integer or another float.

    >>> h = cast(x, f16)
    """
    return htp.convert(x, dtype, rounding)


@htp.intrinsic(name="cpu.reduce_sum", rule="reduce", effects="", spaces="", cost="size(x)")
def reduce_sum(x: Number, *, axis: int) -> Number:
    """The sum along an axis, which stays with extent 1. f16 and bf16 add up in f32 or wider and round once; 0 of nothing.

    >>> r = reduce_sum(x, axis=1)
    """
    return htp.reduce("sum", x, axis)


@htp.intrinsic(name="cpu.reduce_max", rule="reduce", effects="", spaces="", cost="size(x)")
def reduce_max(x: Number, *, axis: int) -> Number:
    """The largest along an axis, which stays with extent 1; NaN if one is NaN; +0 is above -0.

    >>> r = reduce_max(x, axis=1)
    """
    return htp.reduce("max", x, axis)


@htp.intrinsic(name="cpu.reduce_min", rule="reduce", effects="", spaces="", cost="size(x)")
def reduce_min(x: Number, *, axis: int) -> Number:
    """The smallest along an axis, which stays with extent 1; NaN if one is NaN; -0 is below +0.

    >>> r = reduce_min(x, axis=1)
    """
    return htp.reduce("min", x, axis)


@htp.intrinsic(name="cpu.reduce_prod", rule="reduce", effects="", spaces="", cost="size(x)")
def reduce_prod(x: Number, *, axis: int) -> Number:
    """The product along an axis, which stays with extent 1. f16 and bf16 multiply in f32 or wider and round once; 1 of nothing.

    >>> r = reduce_prod(x, axis=1)
    """
    return htp.reduce("prod", x, axis)


@htp.intrinsic(name="cpu.reduce_any", rule="reduce", effects="", spaces="", cost="size(x)")
def reduce_any(x: bool_, *, axis: int) -> bool_:
    """Whether one holds along an axis, which stays with extent 1; of nothing none does.

    >>> r = reduce_any(mask, axis=1)
    """
    return htp.reduce("any", x, axis)


@htp.intrinsic(name="cpu.reduce_all", rule="reduce", effects="", spaces="", cost="size(x)")
def reduce_all(x: bool_, *, axis: int) -> bool_:
    """Whether all hold along an axis, which stays with extent 1; of nothing all do.

    >>> r = reduce_all(mask, axis=1)
    """
    return htp.reduce("all", x, axis)


@htp.intrinsic(name="cpu.argmax", rule="locate", effects="", spaces="", cost="2 * size(x)")
def argmax(x: Number, *, axis: int) -> i32:
    """Where along an axis, which stays with extent 1, the largest stands: counted from 0 within the tile, the first of equals, the
    first NaN if there is one; +0 is above -0.

    >>> place = argmax(x, axis=1)
    """
    return htp.locate("argmax", x, axis)


@htp.intrinsic(name="cpu.argmin", rule="locate", effects="", spaces="", cost="2 * size(x)")
def argmin(x: Number, *, axis: int) -> i32:
    """Where along an axis, which stays with extent 1, the smallest stands: counted from 0 within the tile, the first of equals, the
    first NaN if there is one; -0 is below +0.

    >>> place = argmin(x, axis=1)
    """
    return htp.locate("argmin", x, axis)


@htp.intrinsic(name="cpu.scan_sum", rule="scan", effects="", spaces="", cost="size(x)")
def scan_sum(x: Number, *, axis: int) -> Number:
    """At each element the sum of those up to it along an axis. f16 and bf16 add up in f32 or wider, and each result is rounded once.

    >>> s = scan_sum(x, axis=1)
    """
    return htp.scan("sum", x, axis)


@htp.intrinsic(name="cpu.scan_max", rule="scan", effects="", spaces="", cost="size(x)")
def scan_max(x: Number, *, axis: int) -> Number:
    """At each element the largest of those up to it along an axis; NaN from the first NaN on; +0 is above -0.

    >>> s = scan_max(x, axis=1)
    """
    return htp.scan("max", x, axis)


@htp.intrinsic(name="cpu.scan_min", rule="scan", effects="", spaces="", cost="size(x)")
def scan_min(x: Number, *, axis: int) -> Number:
    """At each element the smallest of those up to it along an axis; NaN from the first NaN on; -0 is below +0.

    >>> s = scan_min(x, axis=1)
    """
    return htp.scan("min", x, axis)


@htp.intrinsic(name="cpu.matmul", rule="matmul", effects="", spaces="", cost="2 * size(result) * extent(a, 1)")
def matmul(a: Number, b: Number, acc: Number | None = None) -> Number:
    """The matrix product of m x k and k x n tiles, added to acc if given; extents before those are equal or 1. f16 and bf16 add up in
    f32 or wider and round once.

    >>> acc = matmul(a_tile, b_tile, acc)
    """
    return htp.matmul(a, b, acc)


@htp.intrinsic(name="cpu.transpose", rule="transpose", effects="", spaces="", cost="size(result)")
def transpose(x: Element, axes: tuple[int, ...] | None = None) -> Element:
    """An m x n tile as n x m: the last two extents swapped; or with the axes of x in the order given.

    >>> y = transpose(x)
    """
    return htp.transpose(x, axes)


@htp.intrinsic(name="cpu.relayout", rule="relayout", effects="", spaces="", cost="size(result)")
def relayout(x: Element, layout: Layout) -> Element:
    """The same values in another layout. Memory is flat here, so that it costs nothing.

    >>> y = relayout(x, htp.layouts.ordered((8, 64), (1, 0)))
    """
    return x


@htp.intrinsic(name="cpu.reshape", rule="reshape", effects="", spaces="", cost="size(result)")
def reshape(x: Element, *extents: Extent) -> Element:
    """The same elements in row-major order under other extents: dimensions of extent 1 come and go, ints are split and merged.

    >>> y = reshape(x, i, 1, N)
    """
    return htp.reshape(x, extents)


@htp.intrinsic(name="cpu.gather", rule="gather", effects="", spaces="", cost="size(result)")
def gather(x: Element, index: Integer, *, axis: int) -> Element:
    """At each element of `index` the element of x which that names along an axis; the other extents are equal or 1. An index outside
    of x stops the program.

    >>> chosen = gather(x, places, axis=1)
    """
    return htp.gather(x, index, axis)


@htp.intrinsic(name="cpu.sort", rule="scan", effects="", spaces="", cost="16 * size(x)")
def sort(x: Number, *, axis: int, descending: bool = False) -> Number:
    """The elements along an axis in order, equals as they stand; -0 is below +0, NaN above all.

    >>> s = sort(x, axis=1)
    """
    return htp.ordered("sort", x, axis, descending)


@htp.intrinsic(name="cpu.argsort", rule="argsort", effects="", spaces="", cost="16 * size(x)")
def argsort(x: Number, *, axis: int, descending: bool = False) -> i32:
    """Where along an axis the elements stand that come first, second and so on in order, counted from 0 within the tile; equals as they
    stand.

    >>> places = argsort(x, axis=1)
    """
    return htp.order("argsort", x, axis, descending)


@htp.intrinsic(name="cpu.topk", rule="topk", effects="", spaces="", cost="8 * size(x)")
def topk(x: Number, k: int, *, axis: int) -> Number:
    """The k largest along an axis, the largest first; NaN is above all. Fewer than k elements stop the program.

    >>> best = topk(x, 8, axis=1)
    """
    return htp.ordered("topk", x, axis, True, k)


@htp.intrinsic(name="cpu.argtopk", rule="topk", effects="", spaces="", cost="8 * size(x)")
def argtopk(x: Number, k: int, *, axis: int) -> i32:
    """Where along an axis the k largest stand, the largest first, of equals the first one first; counted from 0 within the tile. Fewer
    than k elements stop the program.

    >>> places = argtopk(x, 8, axis=1)
    """
    return htp.order("argtopk", x, axis, True, k)


@htp.intrinsic(name="cpu.channel", rule="channel", effects="", spaces="", cost="0")
def channel(dtype: type[Element], *extents: Extent, capacity: int, readers: int = 1) -> Any:
    """A channel between processes that holds `capacity` tiles.

    >>> rows = channel(f32, 8, N, capacity=2)
    """
    from htp_csp.channels import new_channel

    return new_channel(dtype, extents, capacity, readers)


@htp.intrinsic(name="cpu.channels", rule="channel", effects="", spaces="", cost="0")
def channels(array: int | tuple[int, ...], dtype: type[Element], *extents: Extent, capacity: int) -> Any:
    """An array of such channels.

    >>> across = channels((4, 5), f32, 8, 8, capacity=2)
    """
    from htp_csp.channels import new_array

    return new_array(array, dtype, extents, capacity)


@htp.intrinsic(name="cpu.event", rule="channel", effects="", spaces="", cost="0")
def event(*, readers: int = 1) -> Any:
    """A rendezvous, whose slots hold nothing.

    >>> done = event()
    """
    from htp_csp.channels import new_event

    return new_event(readers)


@htp.intrinsic(name="cpu.lane", rule="channel", effects="", spaces="", cost="1")
def lane(array: Any, *place: Index) -> Any:
    """One channel of an array.

    >>> east = lane(across, i, j + 1)
    """
    return array[place]


@htp.intrinsic(name="cpu.claim", rule="slot", effects="put", spaces="", cost="1")
def claim(to: Any, *extents: Extent) -> Any:
    """The channel's next free slot, to be filled; waits while there is none.

    >>> slot = claim(rows, i, N)
    """
    return to.claim(extents)


@htp.intrinsic(name="cpu.publish", rule="put", effects="put", spaces="", cost="1")
def publish(to: Any) -> None:
    """Gives the slot that was claimed to the readers.

    >>> publish(rows)
    """
    to.publish()


@htp.intrinsic(name="cpu.front", rule="slot", effects="get", spaces="", cost="1")
def front(source: Any, *extents: Extent) -> Any:
    """The slot with the next item; waits while there is none.

    >>> slot = front(rows, i, N)
    """
    return source.front(extents)


@htp.intrinsic(name="cpu.release", rule="put", effects="get", spaces="", cost="1")
def release(source: Any) -> None:
    """The item at the front was used.

    >>> release(rows)
    """
    source.release()


@htp.intrinsic(name="cpu.drop", rule="put", effects="get", spaces="", cost="1")
def drop(source: Any) -> None:
    """Waits for the next item, which is not used.

    >>> drop(rows)
    """
    source.get()


@htp.intrinsic(name="cpu.signal", rule="put", effects="put", spaces="", cost="1")
def signal(to: Any) -> None:
    """Comes to a rendezvous; waits until the other side has come.

    >>> signal(done)
    """
    to.put()


@htp.intrinsic(name="cpu.meet", rule="put", effects="get", spaces="", cost="1")
def meet(source: Any) -> None:
    """Comes to a rendezvous from its other side.

    >>> meet(done)
    """
    source.get()
