"""The tile language: kernels over tensors, written with tiles.

    @kernel
    def double(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
        for i in tiles(M, 8):
            y[i, :] = x[i, :] * 2.0
"""

from typing import TYPE_CHECKING

from htp import Tensor, Tile, whole
from htp_tile.apart import call
from htp_tile.axes import (
    argmax,
    argmin,
    argsort,
    argtopk,
    einsum,
    gather,
    pad,
    reduce_all,
    reduce_any,
    reduce_max,
    reduce_mean,
    reduce_min,
    reduce_prod,
    reduce_sum,
    relayout,
    reshape,
    roll,
    scan_max,
    scan_min,
    scan_sum,
    sort,
    topk,
    transpose,
)
from htp_tile.elementwise import (
    absolute,
    add,
    bit_and,
    bit_not,
    bit_or,
    bit_xor,
    cast,
    ceil,
    cos,
    div,
    eq,
    erf,
    exp,
    floor,
    floordiv,
    ge,
    gt,
    le,
    log,
    lt,
    maximum,
    minimum,
    mod,
    mul,
    ne,
    neg,
    pow,
    rem,
    round,
    rsqrt,
    shl,
    shr,
    sigmoid,
    sin,
    sqrt,
    sub,
    tanh,
    trunc,
    where,
)
from htp_tile.kernels import Kernel, external, kernel, tiles
from htp_tile.memory import (
    barrier,
    buffer,
    copy_async,
    extract,
    full,
    holds,
    index,
    iota,
    load,
    scatter_add,
    store,
    wait,
    zeros,
)

from htp_tile.functions import complex_mul, philox, reduce_var, uniform  # isort: skip: they use what stands above

if TYPE_CHECKING:
    from htp_tile.typed import matmul
else:
    from htp_tile.axes import matmul

__all__ = [
    "Kernel", "Tensor", "Tile", "absolute", "add", "argmax", "argmin", "argsort", "argtopk", "barrier", "bit_and", "bit_not",
    "bit_or", "bit_xor", "buffer", "call", "cast", "ceil", "complex_mul", "copy_async", "cos", "div", "einsum", "eq", "erf", "exp", "external", "extract", "floor", "floordiv", "full", "gather",
    "ge", "gt", "holds", "index", "iota", "kernel", "le", "load", "log", "lt", "matmul", "maximum", "minimum", "mod", "mul", "ne",
    "neg", "pad", "philox", "pow", "reduce_all", "reduce_any", "reduce_max", "reduce_mean", "reduce_min", "reduce_prod", "reduce_sum", "reduce_var", "relayout", "rem", "reshape",
    "roll", "round", "rsqrt", "scan_max", "scan_min", "scan_sum", "scatter_add", "shl", "shr", "sigmoid", "sin", "sort",
    "sqrt", "store", "sub", "tanh", "tiles", "topk", "transpose", "trunc", "uniform", "wait", "where", "whole", "zeros",
]  # fmt: skip
