"""What each operation means on each dtype: the one table (R7). Every backend is tested against it, at its edges (edges.py).

The functions take and give NumPy data of the dtype's own element type: arrays, or NumPy scalars for values without extents.

Floats (f16, bf16, f32, f64)
    Every operation rounds once to its dtype, to nearest even; denormals are kept. bf16 computes in f32 and rounds the result.
    `minimum`, `maximum` are IEEE 754-2019's: NaN if an operand is NaN, and -0 is below +0. Comparisons with NaN are false, `ne` true.
    `neg`, `absolute` change the sign bit only, of NaN too. The sign and payload of a NaN that an operation makes are not defined.
    `exp`, `log`, `pow`, `rsqrt`, `tanh`, `sigmoid`, `sin`, `cos`, `erf` are computed wider here and rounded; a backend may be off by a few
    units in the last place (`htp.error_bound`), but not at zeros, infinities and NaN. `add`, `sub`, `mul`, `div`, `sqrt`, `fma` are
    exact to the bit, and so are `floor`, `ceil`, `trunc` and `round` (halves to even), which keep the sign of zero.
Integers (i8 … i64, u8 … u64)
    `add`, `sub`, `mul`, `neg`, `absolute` wrap around (modulo 2**bits). `div` truncates toward zero; lowest / -1 is lowest;
    x / 0 is 0. `rem` is a - div(a, b) * b: it has the dividend's sign, and x rem 0 is x. `floordiv`, `mod` are Python's `//`, `%`: they
    round down, so that the rest has the divisor's sign; x // 0 is 0 and x % 0 is x.
    `shl`, `shr` take the count as unsigned: from the width on, `shl` gives 0 and `shr` 0, or -1 for a negative number; `shr` of a
    signed number keeps its sign.
    `bit_and`, `bit_or`, `bit_xor`, `bit_not` work on all bits of two's complement; on bool_ they are the logical operations.
Casts
    To a float: to nearest even, overflow to infinity, or NaN in f8e4m3, which has none. Float to integer: toward zero, saturating, NaN to 0.
    With a rounding ("nearest", "toward_zero", "down", "up") a float goes there instead, to an integer or to a narrower float; what is
    too large for that becomes the largest where it is rounded toward zero. Integer to integer:
    modulo 2**bits. bool_ to number: 0 or 1. Number to bool_: whether it is not zero (NaN is not).
Reductions, scans and `matmul`
    Order is free. f16 and bf16 accumulate in f32 or wider and round once (a scan: each of its results); integers wrap around. The
    sum of nothing is 0, the product 1, the largest of nothing the lowest value (-inf), the smallest the highest. Of nothing all hold
    and none does.
The order of values
    `above`, `argmax`, `sort` and their kin see floats in one order: -0 is below +0, and NaN is above all, whatever its sign and
    payload; only for `below` and `argmin` it is below all. So `argmax` and `argmin` find what `reduce_max` and `reduce_min` give;
    of equals the first one, and 0 of nothing. Sorting leaves equals as they stand, up or down.
"""

from __future__ import annotations

import math
import operator
import struct
from collections.abc import Callable
from fractions import Fraction
from typing import Any, Final, TypeAlias

import numpy as np

Data: TypeAlias = Any
"""A NumPy array or a NumPy scalar."""

Meaning: TypeAlias = Callable[..., Data]

_WIDE: Final[dict[np.dtype[Any], type[Any]]] = {
    np.dtype(np.float16): np.float64,
    np.dtype(np.float32): np.float64,
    np.dtype(np.float64): np.longdouble,
}


_BITS: Final = struct.Struct("<I")
_FLOAT: Final = struct.Struct("<f")
_WORD: Final = struct.Struct("<q")
_DOUBLE: Final = struct.Struct("<d")


def wide(element: np.dtype[Any]) -> Any:
    """The type in which sums and transcendentals of a float are computed before the one rounding; integers stay as they are."""
    return _WIDE.get(element, element)


def round_to_bf16(x: Data) -> Data:
    """f32 data rounded to nearest even to what bf16 can hold, still as f32."""
    if not x.shape and x == x:
        word: int = _BITS.unpack(_FLOAT.pack(x))[0]
        return np.float32(_FLOAT.unpack(_BITS.pack((word + 0x7FFF + (word >> 16 & 1)) & 0xFFFF0000))[0])
    bits = np.asarray(x, np.float32).view(np.uint32)
    rounded = (bits + (np.uint32(0x7FFF) + ((bits >> np.uint32(16)) & np.uint32(1)))) & np.uint32(0xFFFF0000)
    quiet = (bits | np.uint32(0x00400000)) & np.uint32(0xFFFF0000)
    return np.where(np.isnan(x), quiet, rounded).astype(np.uint32).view(np.float32)[()]


def bf16_from_bits(bits: Data) -> Data:
    """bf16 as it lies in memory (uint16) as f32."""
    return (np.asarray(bits).astype(np.uint32) << np.uint32(16)).view(np.float32)[()]


def bf16_to_bits(x: Data) -> Data:
    """f32 data that bf16 can hold as it lies in memory (uint16)."""
    return (np.asarray(x, np.float32).view(np.uint32) >> np.uint32(16)).astype(np.uint16)[()]


def round_to_fraction(x: Data, fraction: int, lowest: int, largest: float, beyond: float) -> Data:
    """Data rounded to nearest even to a float of so many fraction bits and this lowest exponent, as f32; `beyond` replaces what is larger."""
    wide = np.asarray(x, np.float64)
    finite = np.isfinite(wide)
    _, exponent = np.frexp(np.where(finite, wide, 0.0))
    unit = np.ldexp(1.0, np.maximum(exponent - 1, lowest) - fraction)
    rounded = np.where(finite, np.rint(np.where(finite, wide, 0.0) / unit) * unit, wide)
    return np.where(np.abs(rounded) > largest, np.copysign(beyond, wide), rounded).astype(np.float32)[()]


def float_from_bits(bits: Data, fraction: int, lowest: int, specials: dict[int, float]) -> Data:
    """A float of 8 bits as it lies in memory (uint8) as f32; `specials` are those of its patterns without a sign that are no numbers."""
    code = np.arange(128)
    field, part = code >> fraction, code & ((1 << fraction) - 1)
    table = np.where(field == 0, np.ldexp(part, lowest - fraction), np.ldexp(part + (1 << fraction), field - 1 + lowest - fraction))
    for pattern, value in specials.items():
        table[pattern] = value
    return np.concatenate([table, -table]).astype(np.float32)[bits]


def float_to_bits(x: Data, fraction: int, lowest: int, infinity: int | None, nan: int) -> Data:
    """f32 data that such a float can hold as it lies in memory (uint8)."""
    magnitude = np.abs(np.where(np.isfinite(x), x, 0.0)).astype(np.float64)
    exponent = np.where(magnitude == 0, lowest, np.maximum(np.frexp(magnitude)[1] - 1, lowest))
    part = np.ldexp(magnitude, fraction - exponent).astype(np.int64)  # with the leading 1 of a normal number
    code = ((exponent - lowest) << fraction) + part
    code = np.where(np.isnan(x), nan, np.where(np.isinf(x), nan if infinity is None else infinity, code))
    return (code | (np.signbit(x).astype(np.int64) << 7)).astype(np.uint8)[()]


# ── floats ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def _is_scalar(x: Data, y: Data) -> bool:
    return not (x.shape or y.shape)


def _maximum(x: Data, y: Data) -> Data:
    if _is_scalar(x, y):
        if x > y:
            return x
        if y > x:
            return y
        if x == y:
            return y if np.signbit(x) else x
        return y if x == x else x
    return np.where(x == y, np.where(np.signbit(x), y, x), np.maximum(x, y))


def _minimum(x: Data, y: Data) -> Data:
    if _is_scalar(x, y):
        if x < y:
            return x
        if y < x:
            return y
        if x == y:
            return x if np.signbit(x) else y
        return y if x == x else x
    return np.where(x == y, np.where(np.signbit(x), x, y), np.minimum(x, y))


def _in_wide(function: Callable[[Data], Data]) -> Meaning:
    def meaning(x: Data) -> Data:
        element = x.dtype
        wider = _WIDE[element]
        return function(x.astype(wider)).astype(element) if x.shape else element.type(function(wider(x)))

    return meaning


def _pow(x: Data, y: Data) -> Data:
    element = x.dtype
    wider = _WIDE[element]
    return np.power(x.astype(wider), y.astype(wider)).astype(element)[()]


def _to_odd(total: float, error: float) -> float:
    """`total + error` rounded to odd in f64, so that rounding it again to a narrower float rounds once."""
    if error == 0.0 or error != error or _WORD.unpack(_DOUBLE.pack(total))[0] & 1:
        return total
    return math.nextafter(total, math.inf if error > 0.0 else -math.inf)


def _fma_narrow(a: float, b: float, c: float) -> float:
    product = a * b  # exact: at most 48 bits
    total = product + c
    if not math.isfinite(total):
        return total
    rest = total - product
    return _to_odd(total, (product - (total - rest)) + (c - rest))


def _fma_f64(a: float, b: float, c: float) -> float:
    if not (math.isfinite(a) and math.isfinite(b) and math.isfinite(c)):
        return a * b + c
    exact = Fraction(a) * Fraction(b) + Fraction(c)
    if exact == 0:
        return a * b + c  # exact in f64 too, with the right sign
    try:
        return float(exact)
    except OverflowError:
        return math.inf if exact > 0 else -math.inf


_erf: Final = np.frompyfunc(math.erf, 1, 1)


def _error_function(x: Data) -> Data:
    return _erf(x.astype(np.float64)).astype(x.dtype) if x.shape else x.dtype.type(math.erf(float(x)))


_fma_narrow_arrays: Final = np.frompyfunc(_fma_narrow, 3, 1)
_fma_f64_arrays: Final = np.frompyfunc(_fma_f64, 3, 1)


def _fma(a: Data, b: Data, c: Data) -> Data:
    element = a.dtype
    narrow = element != np.float64
    if not (a.shape or b.shape or c.shape):
        return element.type((_fma_narrow if narrow else _fma_f64)(float(a), float(b), float(c)))
    arrays = _fma_narrow_arrays if narrow else _fma_f64_arrays
    return arrays(a.astype(np.float64), b.astype(np.float64), c.astype(np.float64)).astype(np.float64).astype(element)


def _above(x: Data, y: Data) -> Data:
    zero = (x == y) & (np.signbit(y) & ~np.signbit(x))
    return (x > y) | zero | ((x != x) & (y == y))


def _below(x: Data, y: Data) -> Data:
    zero = (x == y) & (np.signbit(x) & ~np.signbit(y))
    return (x < y) | zero | ((x != x) & (y == y))


COMPARISONS: Final[dict[str, Meaning]] = {
    "lt": operator.lt,
    "le": operator.le,
    "gt": operator.gt,
    "ge": operator.ge,
    "eq": operator.eq,
    "ne": operator.ne,
}

FLOAT: Final[dict[str, Meaning]] = {
    "add": lambda x, y: x + y,
    "sub": lambda x, y: x - y,
    "mul": lambda x, y: x * y,
    "div": lambda x, y: x / y,
    "fma": _fma,
    "minimum": _minimum,
    "maximum": _maximum,
    "neg": lambda x: -x,
    "absolute": abs,
    "exp": _in_wide(np.exp),
    "log": _in_wide(np.log),
    "pow": _pow,
    "sqrt": np.sqrt,
    "rsqrt": _in_wide(lambda x: 1 / np.sqrt(x)),
    "tanh": _in_wide(np.tanh),
    "sigmoid": _in_wide(lambda x: 1 / (1 + np.exp(-x))),
    "sin": _in_wide(np.sin),
    "cos": _in_wide(np.cos),
    "erf": _error_function,
    "floor": np.floor,
    "ceil": np.ceil,
    "trunc": np.trunc,
    "round": np.rint,
    "above": _above,
    "below": _below,
    **COMPARISONS,
}


def _rounded(meaning: Meaning) -> Meaning:
    return lambda *operands: round_to_bf16(meaning(*operands))


BF16: Final[dict[str, Meaning]] = {
    **{op: _rounded(meaning) for op, meaning in FLOAT.items()},
    "minimum": _minimum,
    "maximum": _maximum,
    "neg": FLOAT["neg"],
    "absolute": abs,
    "above": _above,
    "below": _below,
    **COMPARISONS,
}

# ── integers ────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def _div(x: Data, y: Data) -> Data:
    if _is_scalar(x, y):
        a, b = int(x), int(y)
        quotient = abs(a) // abs(b) if b else 0
        return -x if b == -1 else x.dtype.type(quotient if (a < 0) == (b < 0) else -quotient)
    quotient = x // y  # NumPy rounds down, and gives 0 for y = 0
    return quotient + ((x % y != 0) & ((x < 0) != (y < 0))).astype(x.dtype)


def _rem(x: Data, y: Data) -> Data:
    return x - _div(x, y) * y


def _floordiv(x: Data, y: Data) -> Data:
    quotient = _div(x, y)
    return quotient - (((x < 0) != (y < 0)) & (quotient * y != x) & (y != 0)).astype(x.dtype)


def _mod(x: Data, y: Data) -> Data:
    return x - _floordiv(x, y) * y


def _count(x: Data, by: Data) -> tuple[Data, Data]:
    """The shift count, 0 where it reaches the width, and whether it does."""
    bits = x.dtype.itemsize * 8
    beyond = (by < 0) | (by >= bits)
    return np.where(beyond, x.dtype.type(0), by)[()], beyond


def _shl(x: Data, by: Data) -> Data:
    count, beyond = _count(x, by)
    return np.where(beyond, x.dtype.type(0), x << count)[()]


def _shr(x: Data, by: Data) -> Data:
    count, beyond = _count(x, by)
    return np.where(beyond, np.where(x < 0, -1, 0).astype(x.dtype), x >> count)[()]


BITS: Final[dict[str, Meaning]] = {
    "bit_and": operator.and_,
    "bit_or": operator.or_,
    "bit_xor": operator.xor,
    "bit_not": np.invert,
}

INTEGER: Final[dict[str, Meaning]] = {
    "add": lambda x, y: x + y,
    "sub": lambda x, y: x - y,
    "mul": lambda x, y: x * y,
    "div": _div,
    "rem": _rem,
    "floordiv": _floordiv,
    "mod": _mod,
    "shl": _shl,
    "shr": _shr,
    "minimum": np.minimum,
    "maximum": np.maximum,
    "neg": lambda x: -x,
    "absolute": abs,
    "above": operator.gt,
    "below": operator.lt,
    **BITS,
    **COMPARISONS,
}

BOOL: Final[dict[str, Meaning]] = {**BITS, "eq": operator.eq, "ne": operator.ne}

# ── casts, reductions, products ─────────────────────────────────────────────────────────────────────────────────────────────


def cast(x: Data, to: np.dtype[Any]) -> Data:
    """x as elements of `to`. (bf16's rounding is its dtype's business.)"""
    if to.kind == "b":
        return (x != 0)[()]
    if x.dtype.kind == "f" and to.kind in "iu":
        limits = np.iinfo(to)
        toward_zero = np.trunc(np.asarray(x, np.float64))
        above, below = toward_zero >= float(limits.max) + (to.itemsize < 8), toward_zero < float(limits.min)
        inside = np.where(above | below | np.isnan(toward_zero), 0.0, toward_zero).astype(to)
        return np.where(above, to.type(limits.max), np.where(below, to.type(limits.min), inside))[()]
    return x.astype(to)


ROUNDINGS: Final[dict[str, Callable[[Data], Data]]] = {"nearest": np.rint, "toward_zero": np.trunc, "down": np.floor, "up": np.ceil}
"""How a float becomes a whole number."""


def directed(x: Data, nearest: Data, rounding: str, encode: Callable[[Data], Data], decode: Callable[[Data], Data]) -> Data:
    """What x is, rounded in a direction to a dtype in which `nearest` is the nearest: that, or its neighbour on the other side of x."""
    bits = np.asarray(encode(nearest))
    exact, is_now = np.asarray(x).astype(np.longdouble), np.asarray(nearest).astype(np.longdouble)
    is_now = np.where(np.isnan(is_now) & ~np.isnan(exact), np.copysign(np.inf, exact), is_now)  # of what has no infinity
    size = 8 * bits.dtype.itemsize - 1
    word = bits.view(f"u{bits.dtype.itemsize}").astype(np.uint64)
    negative, magnitude = word >> np.uint64(size) != 0, word & np.uint64(2**size - 1)
    beyond = {"toward_zero": np.abs(is_now) > np.abs(exact), "down": is_now > exact, "up": is_now < exact}[rounding]
    away = beyond & ((magnitude == 0) | (negative if rounding == "down" else ~negative)) & (rounding != "toward_zero")
    negative = np.where(beyond & (magnitude == 0), rounding == "down", negative)
    magnitude = np.where(away, magnitude + np.uint64(1), np.where(beyond, magnitude - np.uint64(1), magnitude))
    word = magnitude | (negative.astype(np.uint64) << np.uint64(size))
    return np.where(beyond, decode(word.astype(f"u{bits.dtype.itemsize}").view(bits.dtype)), nearest).astype(np.asarray(nearest).dtype)[()]


def _keys(x: Data, nan_above: bool) -> Data:
    """Integers in the order of the values: of floats their bits, read as sign and magnitude; NaN is above or below all."""
    if x.dtype.kind != "f":
        return x
    bits = np.dtype(f"i{x.dtype.itemsize}")
    quiet = np.copysign(x.dtype.type(np.nan), x.dtype.type(1 if nan_above else -1))
    return _sign_magnitude(np.where(np.isnan(x), quiet, x).astype(x.dtype).view(bits))


def _from_keys(keys: Data, element: np.dtype[Any]) -> Data:
    return _sign_magnitude(keys).view(element) if element.kind == "f" else keys


def _sign_magnitude(bits: Data) -> Data:
    """Two's complement as sign and magnitude in order, and back."""
    return bits ^ ((bits >> (bits.dtype.itemsize * 8 - 1)) & np.iinfo(bits.dtype).max)


def _first_zero(x: Data, axis: int, extreme: Data, negative: bool) -> Data:
    """Among equal zeros `extreme` is the negative one if there is one (or the positive one): ±0 are ordered."""
    if x.dtype.kind != "f":
        return extreme
    wanted = ((x == 0) & (np.signbit(x) == negative)).any(axis=axis, keepdims=True)
    sign = -1.0 if negative else 1.0
    return np.where((extreme == 0) & wanted, np.copysign(np.zeros_like(extreme), sign), extreme)


def _lowest(element: np.dtype[Any]) -> Any:
    return -np.inf if element.kind == "f" else np.iinfo(element).min


def _highest(element: np.dtype[Any]) -> Any:
    return np.inf if element.kind == "f" else np.iinfo(element).max


def reduce_sum(x: Data, axis: int) -> Data:
    """The sum along an axis, which stays with extent 1; rounded once."""
    return x.sum(axis=axis, keepdims=True, dtype=wide(x.dtype)).astype(x.dtype)


def reduce_max(x: Data, axis: int) -> Data:
    """The largest along an axis, which stays with extent 1."""
    return _first_zero(x, axis, x.max(axis=axis, keepdims=True, initial=_lowest(x.dtype)), negative=False)


def reduce_min(x: Data, axis: int) -> Data:
    """The smallest along an axis, which stays with extent 1."""
    return _first_zero(x, axis, x.min(axis=axis, keepdims=True, initial=_highest(x.dtype)), negative=True)


def reduce_prod(x: Data, axis: int) -> Data:
    """The product along an axis, which stays with extent 1; rounded once."""
    return x.prod(axis=axis, keepdims=True, dtype=wide(x.dtype)).astype(x.dtype)


REDUCTIONS: Final[dict[str, Meaning]] = {"sum": reduce_sum, "prod": reduce_prod, "max": reduce_max, "min": reduce_min}

TRUTHS: Final[dict[str, Meaning]] = {
    "any": lambda x, axis: x.any(axis=axis, keepdims=True),
    "all": lambda x, axis: x.all(axis=axis, keepdims=True),
}
"""The reductions of bool_."""


def argmax(x: Data, axis: int) -> Data:
    """Where along an axis, which stays with extent 1, the largest stands first."""
    return _argument(np.argmax, _keys(x, nan_above=True), axis)


def argmin(x: Data, axis: int) -> Data:
    """Where along an axis, which stays with extent 1, the smallest stands first."""
    return _argument(np.argmin, _keys(x, nan_above=False), axis)


def _argument(find: Callable[..., Data], keys: Data, axis: int) -> Data:
    if keys.shape[axis] == 0:
        return np.zeros([1 if d == axis else size for d, size in enumerate(keys.shape)], np.int32)
    return find(keys, axis=axis, keepdims=True).astype(np.int32)


ARGUMENTS: Final[dict[str, Meaning]] = {"argmax": argmax, "argmin": argmin}
"""Reductions to a place."""


def order(x: Data, axis: int, descending: bool) -> Data:
    """The places of the elements along an axis in the order of their values; equals as they stand."""
    keys = _keys(x, nan_above=True)
    return np.argsort(~keys if descending else keys, axis=axis, kind="stable").astype(np.int32)


def sort(x: Data, axis: int) -> Data:
    """The elements along an axis in the order of their values."""
    return np.take_along_axis(x, order(x, axis, False), axis)


def scan_sum(x: Data, axis: int) -> Data:
    """The sums from the first element along an axis to each one; each rounded once. A sum that leaves the range of what it is added up in, of
    narrow floats f32, does not come back."""
    with np.errstate(over="ignore", invalid="ignore"):
        sums: Data = np.cumsum(x, axis=axis, dtype=wide(x.dtype)).astype(x.dtype)
        if x.dtype.kind == "f":
            own = np.cumsum(x, axis=axis, dtype=np.float64 if x.dtype.itemsize == 8 else np.float32).astype(x.dtype)
            sums = np.where(np.isfinite(own), sums, own)
        return sums


def scan_max(x: Data, axis: int) -> Data:
    """The largest from the first element along an axis to each one."""
    return _from_keys(np.maximum.accumulate(_keys(x, nan_above=True), axis=axis), x.dtype)


def scan_min(x: Data, axis: int) -> Data:
    """The smallest from the first element along an axis to each one."""
    return _from_keys(np.minimum.accumulate(_keys(x, nan_above=False), axis=axis), x.dtype)


SCANS: Final[dict[str, Meaning]] = {"sum": scan_sum, "max": scan_max, "min": scan_min}


def matmul(a: Data, b: Data, acc: Data | None) -> Data:
    """a @ b, plus acc if there is one; rounded once."""
    accumulator = wide(a.dtype)
    product = np.matmul(a.astype(accumulator), b.astype(accumulator))
    if acc is not None:
        product = product + acc.astype(accumulator)
    return product.astype(a.dtype)
