"""The portable intrinsics of the tile language: each declared once, as a typed function whose body is its meaning.

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
    begin        the same; a token
    wait         nothing
    create       the named dtype and extents
    buffer       the same, in memory
    index        an int or a truth value, of one element
    iota         the same; an integer dtype, and an axis of those extents
    reduce       the operand's type, with extent 1 at the axis
    locate       the same in i32
    scan         the operand's type
    argsort      the same in i32
    topk         the operand's extents, with k at the axis; of the operand's dtype, or i32
    gather       x's dtype; extents are equal or 1, at the axis the index's
    matmul       (…, m, k) and (…, k, n) give (…, m, n), with … equal or 1; acc has the result's type, of their dtype or a wider one
    transpose    the last two extents, swapped, or all in the order of the axes
    reshape      the operand's dtype, the named extents
"""

import htp
from htp import Bits, Element, Extent, Floating, Index, Integer, Layout, Number, Token, Value, bool_, i32


@htp.intrinsic(name="tile.load", rule="load", effects="read", spaces="", cost="size(result)", method="__getitem__")
def load(source: Element, *index: Index, outside: float | None = None) -> Element:
    """The tile of a tensor at an index for each dimension: a block, moved (`i + 1`) and spread (`i * 2`) or not, `whole`, an int (which
    gives extent 1), or a tile of integers, whose extents stand for the dimension. What is outside of the tensor is `outside`, or stops
    the program without it.

    >>> x_tile = load(x, i, whole)  # or x[i, :]
    """
    return htp.load(source, index, outside)


@htp.intrinsic(name="tile.store", rule="store", effects="write", spaces="", cost="size(value)", method="__setitem__")
def store(target: Element, value: Element | float, *index: Index) -> None:
    """Writes a tile to a tensor at an index for each dimension; extents of 1 repeat. Where a tile of integers names a place twice, the
    last one in row-major order stays.

    >>> store(y, e, i, whole)  # or y[i, :] = e
    """
    htp.store(target, value, index)


@htp.intrinsic(name="tile.copy_async", rule="begin", effects="write", spaces="", cost="size(value)")
def copy_async(target: Element, value: Element | float, *index: Index) -> Token:
    """Begins to write a tile to a tensor at an index for each dimension; extents of 1 repeat. It is there when the token was waited
    for; until then nothing touches that place.

    >>> coming = copy_async(h, x_tile, i, whole)  # or copy_async(h, x[i, :], i, whole)
    >>> wait(coming)
    """
    return htp.copy_async(target, value, index)


@htp.intrinsic(name="tile.wait", rule="wait", effects="", spaces="", cost="0")
def wait(token: Token) -> None:
    """Goes on when a copy that was begun has happened.

    >>> coming = copy_async(h, x_tile, i, whole)
    >>> wait(coming)
    """
    htp.wait(token)


@htp.intrinsic(name="tile.scatter_add", rule="store", effects="read write", spaces="", cost="2 * size(value)")
def scatter_add(target: Number, value: Number | float, *index: Index) -> None:
    """Adds a tile to a tensor at an index for each dimension; extents of 1 repeat. One element after the other, in row-major order, each
    sum rounded: what is named twice gets both.

    >>> scatter_add(counts, 1, bins)
    """
    htp.scatter_add(target, value, index)


@htp.intrinsic(name="tile.zeros", rule="create", effects="", spaces="", cost="size(result)")
def zeros(dtype: type[Element], *extents: Extent) -> Element:
    """A tile of zeros; an extent is an int, a dim or a block.

    >>> acc = zeros(f32, i, j)
    """
    return htp.full(dtype, 0, extents)


@htp.intrinsic(name="tile.full", rule="create", effects="", spaces="", cost="size(result)")
def full(dtype: type[Element], value: float | int, *extents: Extent) -> Element:
    """A tile that holds one value everywhere: a literal, or an int known at run time, which wraps around in an integer dtype.

    >>> acc = full(f32, 1.0, i, j)
    """
    return htp.full(dtype, value, extents)


@htp.intrinsic(name="tile.index", rule="index", effects="", spaces="", cost="1")
def index(x: Integer) -> int:
    """The one element of an integer tile as an int: to index with, to count to, to compare.

    >>> page = index(table_tile)  # or index(table[b, p])
    """
    return htp.position(x)


@htp.intrinsic(name="tile.holds", rule="index", effects="", spaces="", cost="1")
def holds(x: bool_) -> bool:
    """Whether the one element of a mask holds: to decide with, in `if` and `while`.

    >>> done = holds(reduce_all(x <= y, axis=0))
    """
    return htp.holds(x)


@htp.intrinsic(name="tile.buffer", rule="buffer", effects="", spaces="", cost="0")
def buffer(dtype: type[Element], *extents: Extent) -> Element:
    """A tensor of the kernel's own, for as long as the block runs that binds it; nothing is in it before it is stored.

    An extent is an int, a dim or a block. Where it is a block, the dimension has that block's indices: it is indexed by the block, by
    blocks cut from it, or by one of its ints.

    >>> h = buffer(f32, i, K)
    """
    return htp.buffer(dtype, extents)


@htp.intrinsic(name="tile.iota", rule="iota", effects="", spaces="", cost="size(result)")
def iota(dtype: type[Integer], *extents: Extent, axis: int) -> Integer:
    """A tile that counts along an axis: of a block the indices it stands for, of a dim or an int from 0 on.

    >>> row = iota(i32, i, 1, axis=0)
    """
    return htp.iota(dtype, axis, extents)


@htp.intrinsic(name="tile.add", rule="elementwise", effects="", spaces="", cost="size(result)", method="__add__")
def add(a: Number | float, b: Number | float) -> Number:
    """The sum, rounded once; integers wrap around.

    >>> y = add(a, b)  # or a + b
    """
    return htp.binary("add", a, b)


@htp.intrinsic(name="tile.sub", rule="elementwise", effects="", spaces="", cost="size(result)", method="__sub__")
def sub(a: Number | float, b: Number | float) -> Number:
    """The difference, rounded once; integers wrap around.

    >>> y = sub(a, b)  # or a - b
    """
    return htp.binary("sub", a, b)


@htp.intrinsic(name="tile.mul", rule="elementwise", effects="", spaces="", cost="size(result)", method="__mul__")
def mul(a: Number | float, b: Number | float) -> Number:
    """The product, rounded once; integers wrap around.

    >>> y = mul(a, b)  # or a * b
    """
    return htp.binary("mul", a, b)


@htp.intrinsic(name="tile.div", rule="elementwise", effects="", spaces="", cost="4 * size(result)", method="__truediv__")
def div(a: Number | float, b: Number | float) -> Number:
    """The quotient, rounded once. Integers truncate toward zero, wrap around (lowest / -1), and give 0 when divided by 0.

    >>> y = div(a, b)  # or a / b
    """
    return htp.binary("div", a, b)


@htp.intrinsic(name="tile.minimum", rule="elementwise", effects="", spaces="", cost="size(result)")
def minimum(a: Number | float, b: Number | float) -> Number:
    """The smaller; NaN if either is NaN; -0 is below +0.

    >>> y = minimum(a, b)
    """
    return htp.binary("minimum", a, b)


@htp.intrinsic(name="tile.maximum", rule="elementwise", effects="", spaces="", cost="size(result)")
def maximum(a: Number | float, b: Number | float) -> Number:
    """The larger; NaN if either is NaN; +0 is above -0.

    >>> y = maximum(a, b)
    """
    return htp.binary("maximum", a, b)


@htp.intrinsic(name="tile.neg", rule="elementwise", effects="", spaces="", cost="size(result)", method="__neg__")
def neg(x: Number) -> Number:
    """The negation: flips the sign bit of floats, wraps around for integers.

    >>> y = neg(x)
    """
    return htp.unary("neg", x)


@htp.intrinsic(name="tile.absolute", rule="elementwise", effects="", spaces="", cost="size(result)", method="__abs__")
def absolute(x: Number) -> Number:
    """The magnitude: clears the sign bit of floats; the lowest signed integer stays itself.

    >>> y = absolute(x)
    """
    return htp.unary("absolute", x)


@htp.intrinsic(name="tile.exp", rule="elementwise", effects="", spaces="", cost="8 * size(result)")
def exp(x: Floating) -> Floating:
    """e to the power of x.

    >>> y = exp(x)
    """
    return htp.unary("exp", x)


@htp.intrinsic(name="tile.log", rule="elementwise", effects="", spaces="", cost="8 * size(result)")
def log(x: Floating) -> Floating:
    """The natural logarithm; -inf at both zeros, NaN below.

    >>> y = log(x)
    """
    return htp.unary("log", x)


@htp.intrinsic(name="tile.pow", rule="elementwise", effects="", spaces="", cost="24 * size(result)", method="__pow__")
def pow(a: Floating | float, b: Floating | float) -> Floating:
    """a to the power of b: NaN where a is negative and b is no whole number, 1 where b is 0.

    >>> y = pow(a, b)  # or a ** b
    """
    return htp.binary("pow", a, b)


@htp.intrinsic(name="tile.sqrt", rule="elementwise", effects="", spaces="", cost="4 * size(result)")
def sqrt(x: Floating) -> Floating:
    """The square root, correctly rounded; NaN below zero, -0 at -0.

    >>> y = sqrt(x)
    """
    return htp.unary("sqrt", x)


@htp.intrinsic(name="tile.rsqrt", rule="elementwise", effects="", spaces="", cost="4 * size(result)")
def rsqrt(x: Floating) -> Floating:
    """1 / sqrt(x), rounded once; +inf at +0, -inf at -0.

    >>> y = rsqrt(x)
    """
    return htp.unary("rsqrt", x)


@htp.intrinsic(name="tile.tanh", rule="elementwise", effects="", spaces="", cost="16 * size(result)")
def tanh(x: Floating) -> Floating:
    """The hyperbolic tangent.

    >>> y = tanh(x)
    """
    return htp.unary("tanh", x)


@htp.intrinsic(name="tile.sigmoid", rule="elementwise", effects="", spaces="", cost="12 * size(result)")
def sigmoid(x: Floating) -> Floating:
    """1 / (1 + exp(-x)), rounded once.

    >>> y = sigmoid(x)
    """
    return htp.unary("sigmoid", x)


@htp.intrinsic(name="tile.sin", rule="elementwise", effects="", spaces="", cost="16 * size(result)")
def sin(x: Floating) -> Floating:
    """The sine of x in radians; NaN at infinities.

    >>> y = sin(x)
    """
    return htp.unary("sin", x)


@htp.intrinsic(name="tile.cos", rule="elementwise", effects="", spaces="", cost="16 * size(result)")
def cos(x: Floating) -> Floating:
    """The cosine of x in radians; NaN at infinities.

    >>> y = cos(x)
    """
    return htp.unary("cos", x)


@htp.intrinsic(name="tile.erf", rule="elementwise", effects="", spaces="", cost="16 * size(result)")
def erf(x: Floating) -> Floating:
    """The error function, 2 / sqrt(pi) times the integral of exp(-t * t) from 0 to x.

    >>> y = erf(x)
    """
    return htp.unary("erf", x)


@htp.intrinsic(name="tile.floor", rule="elementwise", effects="", spaces="", cost="size(result)")
def floor(x: Floating) -> Floating:
    """The largest whole number that is not above x; -0 stays -0.

    >>> y = floor(x)
    """
    return htp.unary("floor", x)


@htp.intrinsic(name="tile.ceil", rule="elementwise", effects="", spaces="", cost="size(result)")
def ceil(x: Floating) -> Floating:
    """The smallest whole number that is not below x; -0 stays -0.

    >>> y = ceil(x)
    """
    return htp.unary("ceil", x)


@htp.intrinsic(name="tile.trunc", rule="elementwise", effects="", spaces="", cost="size(result)")
def trunc(x: Floating) -> Floating:
    """The whole part: toward zero, with the sign of x.

    >>> y = trunc(x)
    """
    return htp.unary("trunc", x)


@htp.intrinsic(name="tile.round", rule="elementwise", effects="", spaces="", cost="size(result)")
def round(x: Floating) -> Floating:
    """The nearest whole number, halves to even, with the sign of x.

    >>> y = round(x)
    """
    return htp.unary("round", x)


@htp.intrinsic(name="tile.rem", rule="elementwise", effects="", spaces="", cost="4 * size(result)")
def rem(a: Integer | int, b: Integer | int) -> Integer:
    """What is left of a divided by b, with the sign of a: a - div(a, b) * b; a where b is 0.

    >>> y = rem(a, b)
    """
    return htp.binary("rem", a, b)


@htp.intrinsic(name="tile.floordiv", rule="elementwise", effects="", spaces="", cost="6 * size(result)", method="__floordiv__")
def floordiv(a: Integer | int, b: Integer | int) -> Integer:
    """The quotient, rounded down as Python's `//`; 0 where b is 0, and lowest // -1 is lowest.

    >>> y = floordiv(a, b)  # or a // b
    """
    return htp.binary("floordiv", a, b)


@htp.intrinsic(name="tile.mod", rule="elementwise", effects="", spaces="", cost="6 * size(result)", method="__mod__")
def mod(a: Integer | int, b: Integer | int) -> Integer:
    """What is left of a when it is divided by b and rounded down, with the sign of b as Python's `%`; a where b is 0.

    >>> y = mod(a, b)  # or a % b
    """
    return htp.binary("mod", a, b)


@htp.intrinsic(name="tile.shl", rule="elementwise", effects="", spaces="", cost="size(result)", method="__lshift__")
def shl(a: Integer | int, b: Integer | int) -> Integer:
    """a with its bits moved up by b, read as unsigned; 0 from the width on.

    >>> y = shl(a, b)  # or a << b
    """
    return htp.binary("shl", a, b)


@htp.intrinsic(name="tile.shr", rule="elementwise", effects="", spaces="", cost="size(result)", method="__rshift__")
def shr(a: Integer | int, b: Integer | int) -> Integer:
    """a with its bits moved down by b, read as unsigned; keeps the sign; 0 or -1 from the width on.

    >>> y = shr(a, b)  # or a >> b
    """
    return htp.binary("shr", a, b)


@htp.intrinsic(name="tile.bit_and", rule="elementwise", effects="", spaces="", cost="size(result)", method="__and__")
def bit_and(a: Bits | int, b: Bits | int) -> Bits:
    """The bits that both have; of bool_ whether both hold.

    >>> y = bit_and(a, b)  # or a & b
    """
    return htp.binary("bit_and", a, b)


@htp.intrinsic(name="tile.bit_or", rule="elementwise", effects="", spaces="", cost="size(result)", method="__or__")
def bit_or(a: Bits | int, b: Bits | int) -> Bits:
    """The bits that either has; of bool_ whether one holds.

    >>> y = bit_or(a, b)  # or a | b
    """
    return htp.binary("bit_or", a, b)


@htp.intrinsic(name="tile.bit_xor", rule="elementwise", effects="", spaces="", cost="size(result)", method="__xor__")
def bit_xor(a: Bits | int, b: Bits | int) -> Bits:
    """The bits that one has and the other has not; of bool_ whether they differ.

    >>> y = bit_xor(a, b)  # or a ^ b
    """
    return htp.binary("bit_xor", a, b)


@htp.intrinsic(name="tile.bit_not", rule="elementwise", effects="", spaces="", cost="size(result)", method="__invert__")
def bit_not(x: Bits) -> Bits:
    """The other bits; of bool_ whether it does not hold.

    >>> y = bit_not(x)  # or ~x
    """
    return htp.unary("bit_not", x)


@htp.intrinsic(name="tile.lt", rule="compare", effects="", spaces="", cost="size(result)", method="__lt__")
def lt(a: Number | float, b: Number | float) -> bool_:
    """Whether a < b; false when either is NaN.

    >>> mask = lt(a, b)  # or a < b
    """
    return htp.compare("lt", a, b)


@htp.intrinsic(name="tile.le", rule="compare", effects="", spaces="", cost="size(result)", method="__le__")
def le(a: Number | float, b: Number | float) -> bool_:
    """Whether a <= b; false when either is NaN.

    >>> mask = le(a, b)  # or a <= b
    """
    return htp.compare("le", a, b)


@htp.intrinsic(name="tile.gt", rule="compare", effects="", spaces="", cost="size(result)", method="__gt__")
def gt(a: Number | float, b: Number | float) -> bool_:
    """Whether a > b; false when either is NaN.

    >>> mask = gt(a, b)  # or a > b
    """
    return htp.compare("gt", a, b)


@htp.intrinsic(name="tile.ge", rule="compare", effects="", spaces="", cost="size(result)", method="__ge__")
def ge(a: Number | float, b: Number | float) -> bool_:
    """Whether a >= b; false when either is NaN.

    >>> mask = ge(a, b)  # or a >= b
    """
    return htp.compare("ge", a, b)


@htp.intrinsic(name="tile.eq", rule="compare", effects="", spaces="", cost="size(result)", method="__eq__")
def eq(a: Element | float, b: Element | float) -> bool_:
    """Whether a == b; false when either is NaN; -0 equals +0.

    >>> mask = eq(a, b)  # or a == b
    """
    return htp.compare("eq", a, b)


@htp.intrinsic(name="tile.ne", rule="compare", effects="", spaces="", cost="size(result)", method="__ne__")
def ne(a: Element | float, b: Element | float) -> bool_:
    """Whether a != b; true when either is NaN.

    >>> mask = ne(a, b)  # or a != b
    """
    return htp.compare("ne", a, b)


@htp.intrinsic(name="tile.where", rule="select", effects="", spaces="", cost="size(result)")
def where(condition: bool_, a: Element | float, b: Element | float) -> Element:
    """a where the condition holds, b elsewhere; both are evaluated. Of two literals the result is i32, or f32 where one is a float.

    >>> y = where(x > 0, x, 0)
    """
    return htp.select(condition, a, b)


@htp.intrinsic(name="tile.cast", rule="cast", effects="", spaces="", cost="size(result)")
def cast(x: Value, dtype: type[Element], *, rounding: str | None = None) -> Element:
    """x as another dtype. To a narrower float: to nearest even. Float to integer: toward zero, saturating, NaN gives 0.
    Integer to integer: modulo 2**bits. To bool_: whether it is not zero. A rounding, "nearest" (halves to even), "toward_zero", "down" or
    "up", says otherwise where a float becomes an integer or another float.

    >>> h = cast(x, f16)
    """
    return htp.convert(x, dtype, rounding)


@htp.intrinsic(name="tile.relayout", rule="relayout", effects="", spaces="", cost="size(result)")
def relayout(x: Element, layout: Layout) -> Element:
    """The same values in another layout; what that takes follows from the two layouts.

    >>> y = relayout(x, htp.layouts.ordered((8, 64), (1, 0)))
    """
    return x


@htp.intrinsic(name="tile.reduce_sum", rule="reduce", effects="", spaces="", cost="size(x)")
def reduce_sum(x: Number, *, axis: int | tuple[int, ...]) -> Number:
    """The sum along an axis, or along one after the other, which stay with extent 1. f16 and bf16 add up in f32 or wider and round once
    an axis; 0 of nothing.

    >>> r = reduce_sum(x, axis=1)
    """
    return htp.reduce("sum", x, axis)


@htp.intrinsic(name="tile.reduce_mean", rule="reduce", effects="", spaces="", cost="size(x) + 4 * size(result)")
def reduce_mean(x: Floating, *, axis: int | tuple[int, ...]) -> Floating:
    """The sum along an axis, which stays with extent 1, divided by the extent. Of f16 and bf16 both are in f32; NaN of nothing.

    >>> mu = reduce_mean(x, axis=1)
    """
    return htp.mean(x, axis)


@htp.intrinsic(name="tile.reduce_max", rule="reduce", effects="", spaces="", cost="size(x)")
def reduce_max(x: Number, *, axis: int | tuple[int, ...]) -> Number:
    """The largest along an axis, which stays with extent 1; NaN if one is NaN; +0 is above -0.

    >>> r = reduce_max(x, axis=1)
    """
    return htp.reduce("max", x, axis)


@htp.intrinsic(name="tile.reduce_min", rule="reduce", effects="", spaces="", cost="size(x)")
def reduce_min(x: Number, *, axis: int | tuple[int, ...]) -> Number:
    """The smallest along an axis, which stays with extent 1; NaN if one is NaN; -0 is below +0.

    >>> r = reduce_min(x, axis=1)
    """
    return htp.reduce("min", x, axis)


@htp.intrinsic(name="tile.reduce_prod", rule="reduce", effects="", spaces="", cost="size(x)")
def reduce_prod(x: Number, *, axis: int | tuple[int, ...]) -> Number:
    """The product along an axis, which stays with extent 1. f16 and bf16 multiply in f32 or wider and round once; 1 of nothing.

    >>> r = reduce_prod(x, axis=1)
    """
    return htp.reduce("prod", x, axis)


@htp.intrinsic(name="tile.reduce_any", rule="reduce", effects="", spaces="", cost="size(x)")
def reduce_any(x: bool_, *, axis: int | tuple[int, ...]) -> bool_:
    """Whether one holds along an axis, which stays with extent 1; of nothing none does.

    >>> r = reduce_any(mask, axis=1)
    """
    return htp.reduce("any", x, axis)


@htp.intrinsic(name="tile.reduce_all", rule="reduce", effects="", spaces="", cost="size(x)")
def reduce_all(x: bool_, *, axis: int | tuple[int, ...]) -> bool_:
    """Whether all hold along an axis, which stays with extent 1; of nothing all do.

    >>> r = reduce_all(mask, axis=1)
    """
    return htp.reduce("all", x, axis)


@htp.intrinsic(name="tile.argmax", rule="locate", effects="", spaces="", cost="2 * size(x)")
def argmax(x: Number, *, axis: int) -> i32:
    """Where along an axis, which stays with extent 1, the largest stands: counted from 0 within the tile, the first of equals, the
    first NaN if there is one; +0 is above -0.

    >>> place = argmax(x, axis=1)
    """
    return htp.locate("argmax", x, axis)


@htp.intrinsic(name="tile.argmin", rule="locate", effects="", spaces="", cost="2 * size(x)")
def argmin(x: Number, *, axis: int) -> i32:
    """Where along an axis, which stays with extent 1, the smallest stands: counted from 0 within the tile, the first of equals, the
    first NaN if there is one; -0 is below +0.

    >>> place = argmin(x, axis=1)
    """
    return htp.locate("argmin", x, axis)


@htp.intrinsic(name="tile.scan_sum", rule="scan", effects="", spaces="", cost="size(x)")
def scan_sum(x: Number, *, axis: int) -> Number:
    """At each element the sum of those up to it along an axis. f16 and bf16 add up in f32 or wider, and each result is rounded once.

    >>> s = scan_sum(x, axis=1)
    """
    return htp.scan("sum", x, axis)


@htp.intrinsic(name="tile.scan_max", rule="scan", effects="", spaces="", cost="size(x)")
def scan_max(x: Number, *, axis: int) -> Number:
    """At each element the largest of those up to it along an axis; NaN from the first NaN on; +0 is above -0.

    >>> s = scan_max(x, axis=1)
    """
    return htp.scan("max", x, axis)


@htp.intrinsic(name="tile.scan_min", rule="scan", effects="", spaces="", cost="size(x)")
def scan_min(x: Number, *, axis: int) -> Number:
    """At each element the smallest of those up to it along an axis; NaN from the first NaN on; -0 is below +0.

    >>> s = scan_min(x, axis=1)
    """
    return htp.scan("min", x, axis)


@htp.intrinsic(name="tile.matmul", rule="matmul", effects="", spaces="", cost="2 * size(result) * extent(a, 1)", method="__matmul__")
def matmul(a: Number, b: Number, acc: Number | None = None) -> Number:
    """The matrix product of m x k and k x n tiles, added to acc if given; extents before those are equal or 1. f16 and bf16 add up in
    f32 or wider and round once. An acc of a wider dtype, which holds all that a and b do, is added up in, and is the result's.

    >>> acc = matmul(a[i, k], b[k, j], acc)  # or a[i, k] @ b[k, j]
    """
    return htp.matmul(a, b, acc)


@htp.intrinsic(name="tile.transpose", rule="transpose", effects="", spaces="", cost="size(result)")
def transpose(x: Element, axes: tuple[int, ...] | None = None) -> Element:
    """An m x n tile as n x m: the last two extents swapped; or with the axes of x in the order given.

    >>> y = transpose(x)  # or transpose(x, (1, 0, 2))
    """
    return htp.transpose(x, axes)


@htp.intrinsic(name="tile.reshape", rule="reshape", effects="", spaces="", cost="size(result)")
def reshape(x: Element, *extents: Extent) -> Element:
    """The same elements in row-major order under other extents: dimensions of extent 1 come and go, ints are split and merged.

    >>> y = reshape(x, i, 1, N)
    """
    return htp.reshape(x, extents)


@htp.intrinsic(name="tile.gather", rule="gather", effects="", spaces="", cost="size(result)")
def gather(x: Element, index: Integer, *, axis: int) -> Element:
    """At each element of `index` the element of x which that names along an axis; the other extents are equal or 1. An index outside
    of x stops the program.

    >>> chosen = gather(x, places, axis=1)
    """
    return htp.gather(x, index, axis)


@htp.intrinsic(name="tile.sort", rule="scan", effects="", spaces="", cost="16 * size(x)")
def sort(x: Number, *, axis: int, descending: bool = False) -> Number:
    """The elements along an axis in order, equals as they stand; -0 is below +0, NaN above all.

    >>> s = sort(x, axis=1)
    """
    return htp.ordered("sort", x, axis, descending)


@htp.intrinsic(name="tile.argsort", rule="argsort", effects="", spaces="", cost="16 * size(x)")
def argsort(x: Number, *, axis: int, descending: bool = False) -> i32:
    """Where along an axis the elements stand that come first, second and so on in order, counted from 0 within the tile; equals as they
    stand.

    >>> places = argsort(x, axis=1)
    """
    return htp.order("argsort", x, axis, descending)


@htp.intrinsic(name="tile.topk", rule="topk", effects="", spaces="", cost="8 * size(x)")
def topk(x: Number, k: int, *, axis: int) -> Number:
    """The k largest along an axis, the largest first; NaN is above all. Fewer than k elements stop the program.

    >>> best = topk(x, 8, axis=1)
    """
    return htp.ordered("topk", x, axis, True, k)


@htp.intrinsic(name="tile.argtopk", rule="topk", effects="", spaces="", cost="8 * size(x)")
def argtopk(x: Number, k: int, *, axis: int) -> i32:
    """Where along an axis the k largest stand, the largest first, of equals the first one first; counted from 0 within the tile. Fewer
    than k elements stop the program.

    >>> places = argtopk(x, 8, axis=1)
    """
    return htp.order("argtopk", x, axis, True, k)
