"""The edges of the table of meanings: for each operation and dtype, operands at which implementations differ, and what is right.

Backends are tested against these (`edge_cases()`); what they may differ in is said by `exact`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any, Final

import numpy as np

from htp import semantics
from htp.operations import convert
from htp.semantics import Data, Meaning
from htp.values import DTYPES, FloatValue, IntegerValue, StorageFloat, Value, bf16, bool_, f8e4m3, f8e5m2, f16, f32, i8, i32, u64

CORRECTLY_ROUNDED: Final = frozenset(
    ("add", "sub", "mul", "div", "rem", "floordiv", "mod", "shl", "shr", "fma", "minimum", "maximum", "neg", "absolute", "sqrt", "cast")
    + ("floor", "ceil", "trunc", "round", "above", "below")
).union(semantics.BITS, semantics.COMPARISONS)
"""Operations that have one right result; the others may be off by `htp.error_bound`."""


@dataclass(frozen=True)
class EdgeCase:
    """One operation on many operands at once."""

    op: str
    """A word of the table, "cast", or of one two-dimensional operand, along axis 1, "reduce_…", "scan_…", "argmax", "argmin", "sort" or
    "argsort"."""
    dtype: type[Value]
    operands: tuple[Data, ...]
    """Arrays as memory holds them (`dtype.storage`), of equal shape."""
    result: type[Value]
    expected: Data
    """An array as memory holds it (`result.storage`)."""
    exact: bool
    """Every bit must agree but a NaN's sign and payload; else `htp.differences` with a reduction length of 1 decides."""
    words: str = ""
    """Further arguments, as a program writes them."""


_UNARY: Final = frozenset(
    ("neg", "absolute", "exp", "log", "sqrt", "rsqrt", "tanh", "sigmoid", "sin", "cos", "erf", "floor", "ceil", "trunc", "round", "bit_not")
)


def edge_cases() -> Iterator[EdgeCase]:
    """Every edge of every operation on every dtype of the core."""
    for dtype in DTYPES:
        for op in sorted(dtype.meanings):
            yield _elementwise(op, dtype)
        for result in DTYPES:
            yield _cast(dtype, result)
        if issubclass(dtype, FloatValue):
            for rounding in semantics.ROUNDINGS:
                for result in (i8, i32, u64, f8e4m3, f8e5m2, f16, bf16, f32):
                    if result is not dtype:
                        yield _cast(dtype, result, rounding)
        if "add" in dtype.meanings:
            for kind, meaning in sorted(semantics.REDUCTIONS.items()):
                yield _along_axis(f"reduce_{kind}", meaning, dtype, dtype)
            for kind, meaning in sorted(semantics.SCANS.items()):
                yield _along_axis(f"scan_{kind}", meaning, dtype, dtype)
            for kind, meaning in sorted(semantics.ARGUMENTS.items()):
                yield _along_axis(kind, meaning, dtype, i32)
            yield _along_axis("sort", semantics.sort, dtype, dtype)
            yield _along_axis("argsort", lambda x, axis: semantics.order(x, axis, False), dtype, i32)
        elif dtype is bool_:
            for kind, meaning in sorted(semantics.TRUTHS.items()):
                yield _along_axis(f"reduce_{kind}", meaning, dtype, dtype)


def specials(dtype: type[Value]) -> list[Any]:
    """Values at which something may go wrong, as the dtype computes with them."""
    if issubclass(dtype, FloatValue):
        return _float_specials(dtype)
    if issubclass(dtype, IntegerValue):
        limits = np.iinfo(dtype.element)
        bits = limits.bits
        wanted = [0, 1, -1, 2, -2, 3, -3, 7, -7, bits - 1, bits, limits.min, limits.min + 1, limits.max, limits.max - 1]
        return [dtype.element.type(value) for value in dict.fromkeys(wanted) if limits.min <= value <= limits.max]
    return [np.bool_(False), np.bool_(True)]


def _float_specials(dtype: type[Value]) -> list[Any]:
    element = dtype.element.type
    if issubclass(dtype, StorageFloat):
        smallest, normal, step = 2.0 ** (dtype.lowest - dtype.fraction), 2.0**dtype.lowest, 2.0**-dtype.fraction
        largest = dtype.largest
    elif dtype is bf16:
        largest, smallest, normal, step = (2 - 2.0**-7) * 2.0**127, 2.0**-133, 2.0**-126, 2.0**-7
    else:
        limits = np.finfo(dtype.element)
        largest, smallest, normal, step = map(float, (limits.max, limits.smallest_subnormal, limits.smallest_normal, limits.eps))
    magnitudes = [0.0, smallest, smallest * 3, normal - smallest, normal, 0.5, 1.0 - step / 2, 1.0, 1.0 + step, 1.5, 2.5, 3.0, 88.0]
    magnitudes += [largest / 2, largest, np.inf]
    found = [element(sign * magnitude) for magnitude in magnitudes for sign in (1.0, -1.0)] + [element(np.nan)]
    return [dtype.convert(np.asarray(value)) for value in found] if issubclass(dtype, StorageFloat) else found


_CONVERTED: Final = (
    *(0.49, 0.99, 1.5, 2.5, 126.5, 127.0, 127.5, 128.0, 128.5, 255.0, 255.5, 256.0, 257.0, 32767.5, 32768.0, 65504.0, 65519.0, 65520.0),
    *(65535.5, 65536.0, 16777215.0, 16777216.0, 16777217.0, 2147483520.0, 2147483647.0, 2147483648.0, 4294967040.0, 4294967296.0),
    *(2.0**53 + 1, 2.0**62, 2.0**63 - 1024, 2.0**63, 2.0**64 - 2048, 2.0**64, 1e20, 1e38, 3.4e38, 3.5e38, 1e300),
)


def _elementwise(op: str, dtype: type[Value]) -> EdgeCase:
    meaning = dtype.meanings[op]
    count = 3 if op == "fma" else 1 if op in _UNARY else 2
    values = specials(dtype)
    if count == 3:
        values = values[::2] + values[1::6]
    columns = [np.array(column, dtype.element) for column in zip(*product(values, repeat=count))]
    with np.errstate(all="ignore"):
        expected = meaning(*columns)
    result = dtype
    if op in semantics.COMPARISONS or op in ("above", "below"):
        result = bool_
    return EdgeCase(op, dtype, tuple(map(dtype.encode, columns)), result, result.encode(expected), op in CORRECTLY_ROUNDED)


def _cast(dtype: type[Value], result: type[Value], rounding: str | None = None) -> EdgeCase:
    values = specials(dtype)
    with np.errstate(all="ignore"):
        if issubclass(dtype, FloatValue):
            values += [dtype.convert(np.float64(sign * value)) for value in _CONVERTED for sign in (1.0, -1.0)]
        data = np.array(values, dtype.element)
        expected = convert(dtype.of(data, 0), result, rounding).data
        words = f'rounding="{rounding}"' if rounding else ""
        return EdgeCase("cast", dtype, (dtype.encode(data),), result, result.encode(expected), True, words)


def _along_axis(op: str, meaning: Meaning, dtype: type[Value], result: type[Value]) -> EdgeCase:
    values = specials(dtype)
    adds = op.endswith(("_sum", "_prod"))
    neutral = dtype.element.type(op.endswith("_prod"))
    rows = [(a, b, neutral if adds else a) for a, b in product(values, repeat=2)]
    data = np.array(rows, dtype.element)
    with np.errstate(all="ignore"):
        expected = result.convert(meaning(data, 1))
    return EdgeCase(op, dtype, (dtype.encode(data),), result, result.encode(expected), not adds)
