"""The words of the AIE backend's stages: the target set of `aie`."""

from htp import whole
from htp_aie.intrinsics import (
    absolute,
    acquire,
    add,
    buffer,
    cast,
    collect,
    copy,
    div,
    exp,
    feed,
    fill,
    load,
    log,
    matmul,
    maximum,
    minimum,
    mmul,
    mul,
    neg,
    reduce_max,
    reduce_min,
    reduce_sum,
    release,
    rsqrt,
    sigmoid,
    sqrt,
    store,
    sub,
    tanh,
)
from htp_aie.machine import cores, device

__all__ = [
    "absolute", "acquire", "add", "buffer", "cast", "collect", "copy", "cores", "device", "div", "exp", "feed", "fill", "load", "log", "matmul", "maximum", "minimum", "mmul", "mul", "neg", "reduce_max", "reduce_min", "reduce_sum", "release", "rsqrt", "sigmoid", "sqrt", "store", "sub", "tanh", "whole",
]  # fmt: skip
