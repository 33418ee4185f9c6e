"""What divisions with a rest and powers mean, step by step as the vector unit takes them."""

from __future__ import annotations

from typing import Any

import numpy as np
from htp import binary, compare, full, select, unary

SIGNS = 64
"""Of how many columns `trems` looks at the signs."""


STEPS = 128
"""An exponential moves by as many roundings as its argument has units: at most 88, of f32."""


def columns_for(columns: int) -> int:
    """How many columns `trem` works in, of a tile that holds so many."""
    return columns + (columns + 63) // 64 * 2


def rest(whole: str, a: Any, b: Any) -> Any:
    """a - whole(a / b) * b; downwards with the sign of b."""
    divisor = full(type(a), b, a.shape) if isinstance(b, int | float) else b
    left: Any = binary("sub", a, binary("mul", unary(whole, binary("div", a, divisor)), divisor))
    if whole == "trunc":
        return left
    other = compare("lt", binary("mul", left, divisor), full(type(a), 0, a.shape))
    return select(other, binary("add", left, divisor), left)


def _of_integers(data: Any, exponents: Any) -> Any:
    base, exponent = (x.astype(np.int64).astype(np.uint64).astype(np.uint32).astype(np.int32).astype(np.int64) for x in (data, exponents))
    result: Any = np.ones_like(base, np.uint64)
    factor, left = base.astype(np.uint64), np.maximum(exponent, 0)
    mask = np.uint64(0xFFFFFFFF)
    for _ in range(32):
        result = np.where(left & 1, (result * factor) & mask, result)
        factor = ((factor & mask) * (factor & mask)) & mask
        left >>= 1
    known = np.select([exponent == 0, base == 1, base == -1], [np.ones_like(base), np.ones_like(base), np.where(exponent & 1, -1, 1)], 0)
    return np.where((exponent <= 0) | (base == 1) | (base == -1), known, result.astype(np.int64))


def raised(a: Any, b: Any) -> Any:
    """The powers of one tile by another one."""
    x, y = (np.broadcast_to(np.asarray(value.data), np.broadcast_shapes(np.shape(a.data), np.shape(b.data))) for value in (a, b))
    depth = max(a.depth, b.depth)
    if a.element.kind in "iu":
        return a.of(_of_integers(x, y).astype(np.uint64).astype(a.element) if a.element.kind == "u" else _of_integers(x, y).astype(a.element), depth)
    magnitude: Any = unary("exp", binary("mul", b, unary("log", unary("absolute", a))))
    plain: Any = unary("exp", binary("mul", b, unary("log", a)))
    with np.errstate(invalid="ignore"):
        whole = np.isfinite(y) & (np.trunc(y) == y)
        odd = whole & (np.abs(y) < 2**31) & (np.fmod(y, 2) != 0)
    data = np.select(
        [y == 0, x == 0, (x == -1) & np.isinf(y), whole],
        [np.ones_like(x), np.where(y > 0, 0, np.inf), np.ones_like(x), np.where(odd & (x < 0), -magnitude.data, magnitude.data)],
        plain.data,
    )
    return a.of(data.astype(a.element), max(depth, magnitude.depth) + STEPS)
