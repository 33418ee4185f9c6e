"""The tile language: kernels over tensors, written with tiles.

    @kernel
    def double(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
        for i in tiles(M, 8):
            y[i, :] = x[i, :] * 2.0
"""

from htp import Tensor, Tile, whole
from htp_tile.intrinsics import (
    absolute,
    add,
    argmax,
    argmin,
    bit_and,
    bit_not,
    bit_or,
    bit_xor,
    buffer,
    cast,
    ceil,
    cos,
    div,
    eq,
    erf,
    exp,
    floor,
    full,
    ge,
    gt,
    iota,
    le,
    load,
    log,
    lt,
    matmul,
    maximum,
    minimum,
    mul,
    ne,
    neg,
    reduce_all,
    reduce_any,
    reduce_max,
    reduce_min,
    reduce_prod,
    reduce_sum,
    rem,
    reshape,
    round,
    rsqrt,
    scan_max,
    scan_min,
    scan_sum,
    shl,
    shr,
    sigmoid,
    sin,
    sqrt,
    store,
    sub,
    tanh,
    transpose,
    trunc,
    where,
    zeros,
)
from htp_tile.kernels import Kernel, kernel, tiles

__all__ = [
    "Kernel", "Tensor", "Tile", "absolute", "add", "argmax", "argmin", "bit_and", "bit_not", "bit_or", "bit_xor",
    "buffer", "cast", "ceil", "cos", "div", "eq", "erf", "exp", "floor", "full", "ge", "gt", "iota", "kernel", "le", "load",
    "log", "lt", "matmul", "maximum", "minimum", "mul", "ne", "neg", "reduce_all", "reduce_any", "reduce_max",
    "reduce_min", "reduce_prod", "reduce_sum", "rem", "reshape", "round", "rsqrt", "scan_max", "scan_min",
    "scan_sum", "shl", "shr", "sigmoid", "sin", "sqrt", "store", "sub", "tanh", "tiles", "transpose", "trunc",
    "where", "whole", "zeros",
]  # fmt: skip
