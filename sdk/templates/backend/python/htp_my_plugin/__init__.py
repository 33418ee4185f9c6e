"""The target set: the intrinsics that the emitter turns into C."""

from htp import whole
from htp_my_plugin.intrinsics import (
    absolute, add, bit_and, bit_not, buffer, cast, copy, div, eq, exp, fill, iota, le, limit, load, lt, maximum, minimum, mmul, mul, ne,
    neg, reduce_any, reduce_max, reduce_mean, reduce_min, reduce_sum, reshape, sigmoid, sqrt, store, sub, tanh,
    tile, transpose, where,
)  # fmt: skip

__all__ = [
    "absolute", "add", "bit_and", "bit_not", "buffer", "cast", "copy", "div", "eq", "exp", "fill", "iota", "le", "limit", "load",
    "lt", "maximum", "minimum", "mmul", "mul", "ne", "neg", "reduce_any", "reduce_max", "reduce_mean", "reduce_min",
    "reduce_sum", "reshape", "sigmoid", "sqrt", "store", "sub", "tanh", "tile", "transpose", "where", "whole",
]  # fmt: skip
