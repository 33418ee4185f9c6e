"""Intrinsics of the tile language: what is computed element by element, and converted.

The build reads this file and never runs it: keep a declaration to `@htp.intrinsic(...)` with literal arguments on a plain function with
annotated parameters. The typing rules, by the names in `rule=`, where Element, Number, Floating stand for one dtype each in a signature:

    elementwise  operands share the dtype (literals take it); extents are equal or 1; the result has the larger ones
    compare      as elementwise, the result is bool_
    select       as elementwise for a and b, and the condition's extents join in
    cast         the operand's extents, the named dtype
"""

import htp
from htp import Bits, Element, Floating, Integer, Number, Value, bool_


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
