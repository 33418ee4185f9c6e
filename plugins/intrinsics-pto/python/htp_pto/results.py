"""What instructions compute of the values of tiles, where that is more than one operation of htp."""

from __future__ import annotations

from typing import Any

import numpy as np
from htp import HtpError, compare, convert, full, select, unary
from htp_pto import machine
from htp_pto.dtypes import CONVERSIONS


def mask_of(mask: Any, x: Any) -> Any:
    """A mask for a tile: the bits of a column lie in a row."""
    bits, shape = machine.read(mask), machine.read_tile("tsel", x).shape
    return bits.of(bits.data.reshape(shape), bits.depth) if bits.data.shape[::-1] == shape and 1 in shape else bits


WHOLE = {"RINT": "round", "TRUNC": "trunc", "FLOOR": "floor", "CEIL": "ceil"}
"""How a mode makes whole numbers of floats."""


def converted(source: Any, dtype: type[Any], mode: str) -> Any:
    """A tile's value in another dtype: a float that becomes an integer is rounded as the mode says."""
    value = machine.read(source)
    if dtype.name not in CONVERSIONS.get(value.name, "").split():
        raise HtpError(f"`tcvt` converts {value.name} to {CONVERSIONS.get(value.name, 'nothing')}, and not to {dtype.name}")
    if mode in WHOLE and dtype.element.kind in "iu" and value.element.kind == "f":
        value = unary(WHOLE[mode], value)
    elif mode not in ("NONE", "RINT"):
        raise HtpError(f"`tcvt` does not convert {value.name} to {dtype.name} by {mode!r}")
    return convert(value, dtype)


def positive(x: Any) -> Any:
    """Each element that is larger than 0, elsewhere 0."""
    zero = full(type(x), 0, ())
    return select(compare("gt", x, zero), x, zero)


def padded(instruction: str, target: Any, source: Any, grows: bool) -> Any:
    """A tile, and around it what the target is padded with."""
    to, of = machine.the_tile(instruction, target), machine.read_tile(instruction, source)
    if to.pad is None:
        raise HtpError(f"`{instruction}` needs to know what to fill with: the target's `pad=`, {', '.join(machine.PADS)}")
    fits = all(a >= b for a, b in zip(to.extents, of.extents)) if grows else to.extents == of.extents
    if type(target) is not type(source) or not fits or any(a < b for a, b in zip(to.shape, of.shape)):
        raise HtpError(f"`{instruction}` fills {machine.by(to.shape)} of {machine.by(to.extents)} {target.name} around {machine.by(of.shape)} of {machine.by(of.extents)} {source.name}")
    limits: Any = np.iinfo(target.element) if target.element.kind in "iu" else None
    number = 0 if to.pad == "zero" else ((limits.max if to.pad == "max" else limits.min) if limits else (np.inf if to.pad == "max" else -np.inf))
    data = np.full(to.shape, number, target.element)
    value = machine.read(source)
    data[tuple(slice(0, n) for n in of.shape)] = np.asarray(value.data).reshape(of.shape)
    return target.of(data, value.depth)


def transposed(x: Any) -> Any:
    """A tile's value with its rows as columns."""
    value, shape = machine.read(x), machine.read_tile("ttrans", x).shape
    return value.of(np.swapaxes(value.data.reshape(shape if len(shape) > 1 else (1, -1)), -1, -2), value.depth)


COMPARISONS = {"EQ": "eq", "NE": "ne", "LT": "lt", "LE": "le", "GT": "gt", "GE": "ge"}


def compare_values(instruction: str, mode: str, a: Any, b: Any) -> Any:
    """A comparison; of integers there is equality only."""
    if mode not in COMPARISONS:
        raise HtpError(f"`{instruction}` compares {', '.join(COMPARISONS)}, and {mode!r} is none")
    if a.name == "i32" and mode != "EQ":
        raise HtpError(f"`{instruction}` of i32 compares EQ, with any mode: compare as f32, or by `tmax` and `tsub`")
    return compare(COMPARISONS[mode], machine.read(a), machine.read(b))
