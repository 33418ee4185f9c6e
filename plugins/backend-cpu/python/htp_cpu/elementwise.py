"""Intrinsics of the CPU that compute element by element, of tiles and of scalars."""

import htp
from htp import Bits, Element, Floating, Integer, Number, Value, bool_


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
    """The integer part: toward zero, with the sign of x.

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
