"""The CPU's target set: what its emitter turns into C, and nothing else.

The elementwise intrinsics mean the same on tiles and on scalars (a value without extents). `load` to `full`, the reductions, `matmul` and
`transpose` work on tiles; `alloc`, `get`, `put` and `splat` are what loops over elements are made of.

The build reads the files beside this one and never runs them: keep a declaration to `@htp.intrinsic(...)` with literal arguments on a plain
function with annotated parameters.

The typing rules, by the names in `rule=`. Element, Number, Floating stand for one dtype each in a signature:

    elementwise  operands share the dtype (literals take it); extents are equal or 1; the result has the larger ones
    compare      as elementwise, the result is bool_
    select       as elementwise for a and b, and the condition's extents join in
    cast         the operand's extents, the named dtype
    relayout     the operand's type, with the named layout
    extract      as load, of a tile
    load         the tensor's dtype; extents from the index: a block, a dimension for `whole`, 1 for an int, a tile's own
    store        the value's extents are the index's, or 1
    create       the named dtype and extents
    buffer       the same, in memory
    reduce       the operand's type, with extent 1 at the axis
    locate       the same in i32
    scan         the operand's type
    argsort      the same in i32
    topk         the operand's extents, with k at the axis; of the operand's dtype, or i32
    gather       x's dtype; extents are equal or 1, at the axis the index's
    matmul       (m, k) and (k, n) give (m, n); acc has the result's type, of their dtype or a wider one
    transpose    two extents, swapped, or all in the order of the axes
    reshape      the operand's dtype, the named extents
    splat        a scalar of the named dtype
    get          a scalar of the source's dtype
    position     an int or a truth value, of one element
    word         scalars of i8 or i32 give one of i32
    order        two buffers of the same number of dimensions
    put          the value is a scalar of the target's dtype
    channel      as of csp: a channel, an array of them, or one of these
    slot         a tensor of the channel's dtype and the named extents
"""

from htp import inf, whole
from htp_cpu.axes import (
    argmax,
    argmin,
    argsort,
    argtopk,
    gather,
    matmul,
    reduce_all,
    reduce_any,
    reduce_max,
    reduce_min,
    reduce_prod,
    reduce_sum,
    relayout,
    reshape,
    scan_max,
    scan_min,
    scan_sum,
    sort,
    topk,
    transpose,
)
from htp_cpu.channels import (
    channel,
    channels,
    claim,
    close,
    drop,
    event,
    front,
    lane,
    meet,
    more,
    publish,
    release,
    signal,
)
from htp_cpu.elementwise import (
    above,
    absolute,
    add,
    below,
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
from htp_cpu.memory import (
    alloc,
    barrier,
    buffer,
    copy_async,
    dot4,
    extract,
    fma,
    full,
    get,
    holds,
    index,
    iota,
    load,
    order,
    position,
    put,
    scatter_add,
    splat,
    store,
    wait,
    word,
    zeros,
)

__all__ = [
    "above", "absolute", "add", "alloc", "argmax", "argmin", "argsort", "argtopk", "barrier", "below", "bit_and", "bit_not",
    "bit_or", "bit_xor", "buffer", "cast", "ceil", "channel", "channels", "claim", "close", "copy_async", "cos", "div", "dot4", "drop",
    "eq", "erf", "event", "exp", "extract", "floor", "floordiv", "fma", "front", "full", "gather", "ge", "get", "gt", "holds",
    "index", "inf", "iota", "lane", "le", "load", "log", "lt", "matmul", "maximum", "meet", "minimum", "mod", "more", "mul",
    "ne", "neg", "order", "position", "pow", "publish", "put", "reduce_all", "reduce_any", "reduce_max", "reduce_min",
    "reduce_prod", "reduce_sum", "relayout", "release", "rem", "reshape", "round", "rsqrt", "scan_max", "scan_min",
    "scan_sum", "scatter_add", "shl", "shr", "sigmoid", "signal", "sin", "sort", "splat", "sqrt", "store", "sub",
    "tanh", "topk", "transpose", "trunc", "wait", "where", "whole", "word", "zeros",
]  # fmt: skip
