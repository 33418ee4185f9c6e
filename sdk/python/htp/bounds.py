"""How far two right computations of the same value may lie apart: the one place where the laws get their bound."""

from __future__ import annotations

from typing import Any

import numpy as np

from htp import semantics
from htp.semantics import Data
from htp.values import StorageFloat, Value, bf16


def error_bound(dtype: type[Value], reduction_length: int) -> float:
    """The largest difference, relative to the scale of the result, between two right computations of one value.

    `reduction_length` is the longest chain of roundings to the dtype behind the value (`Entry.run` counts it on the program as
    written): two orders of a sum of n terms differ by up to 2n roundings; 16 more are for functions that are not rounded
    correctly. Integers and truth values are exact.
    """
    return dtype.unit * (16 + 2 * reduction_length)


def differences(actual: Data, expected: Data, dtype: type[Value], reduction_length: int) -> list[str]:
    """Where two results (arrays of `dtype.storage`) are further apart than the bound, at most ten places, in words.

    The scale is the larger of the element and the root mean square of all finite elements: cancellation leaves an error of the
    size of the terms, not of their sum. NaN meets NaN, infinities meet themselves, ±0 are equal.
    """
    if actual.shape != expected.shape:
        return [f"shapes {actual.shape} and {expected.shape}"]
    a, e = dtype.decode(actual), dtype.decode(expected)
    if dtype.element.kind != "f":
        wrong = a != e
    else:
        wide: Any = semantics.wide(dtype.element)
        a, e = a.astype(wide), e.astype(wide)
        finite = np.isfinite(e)
        scale = np.sqrt(np.mean(np.square(e[finite]))) if finite.any() else wide(0)
        with np.errstate(all="ignore"):
            near = np.abs(a - e) <= error_bound(dtype, reduction_length) * np.maximum(np.abs(e), scale) + tiny(dtype)
        wrong = ~np.where(finite, near, (a == e) | (np.isnan(a) & np.isnan(e)))
    return [f"{list(map(int, place))}: {a[tuple(place)]!r}, expected {e[tuple(place)]!r}" for place in np.argwhere(wrong)[:10]]


def tiny(dtype: type[Value]) -> float:
    """A few of the smallest steps the dtype has: among denormals a relative bound says nothing."""
    if issubclass(dtype, StorageFloat):
        return 2.0 ** (dtype.lowest - dtype.fraction)
    step = 2.0**-133 if dtype is bf16 else float(np.finfo(dtype.element).smallest_subnormal)
    return 16 * step
