"""The words of the AIE backend's stages: the target set of `aie`."""

from htp import whole
from htp_aie.intrinsics import (
    absolute,
    acquire,
    add,
    buffer,
    cast,
    channel,
    channels,
    collect,
    copy,
    div,
    drop,
    exp,
    feed,
    fifo,
    fill,
    get,
    lane,
    load,
    log,
    matmul,
    maximum,
    minimum,
    mmul,
    mul,
    neg,
    put,
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
from htp_aie.machine import Core, core, cores, device

__all__ = [
    "Core", "absolute", "acquire", "add", "buffer", "cast", "channel", "channels", "collect", "copy", "core", "cores", "device", "div", "drop", "exp", "feed", "fifo", "fill", "get", "lane", "load", "log", "matmul", "maximum", "minimum", "mmul", "mul", "neg", "put", "reduce_max", "reduce_min", "reduce_sum", "release", "rsqrt", "sigmoid", "sqrt", "store", "sub", "tanh", "whole",
]  # fmt: skip
