"""HTP's authoring package: the words programs and their stages are written in. Every program runs under plain Python.

Dtypes and types: `f32` and the like, `Tensor`, `Tile`, `In`, `Out`, `InOut`, `dim`, `layout`, `space`.
Loop forms: `parallel`, `vectorized`, `unrolled`, `pipelined`. A stage's header: `stage`.
`choice`: a constant with alternatives, for `htp-host tune`. `text`: a file beside the program, as a string.
Declaring intrinsics: `intrinsic`, and the operations their bodies are made of.
The compiler from Python: `compile_program`, `bind`.
"""

from math import inf, nan

from htp.bounds import differences, error_bound
from htp.asynchronous import Token, barrier, timing, wait
from htp.choices import choice
from htp.dims import Block, Dim, Extent, Index, cut, dim, size_of, whole
from htp.edges import EdgeCase, edge_cases
from htp.entry import Entry, Parameter, Run, Signature
from htp.errors import CompileError, Diagnosed, HtpError, PackageError, RunError
from htp import introspect
from htp.intrinsics import INTRINSICS, Intrinsic, intrinsic
from htp.jit import Compiled, Timing, jit
from htp.layouts import Layout, Space, layout, space
from htp.loops import parallel, pipelined, unrolled, vectorized
from htp.native import Package, Routine, bind, compile_program
from htp.operations import (
    alloc,
    binary,
    buffer,
    compare,
    convert,
    copy_async,
    extract,
    dot4,
    fma,
    full,
    gather,
    get,
    holds,
    index,
    iota,
    load,
    position,
    put,
    scatter_add,
    select,
    store,
    unary,
    word,
)
from htp.stages import Stage, stage
from htp.texts import text
from htp.tensors import In, InOut, Out, ParameterType, ShapedType, Tensor, Tile, form
from htp.values import (
    DTYPES,
    Element,
    Bits,
    Floating,
    Integer,
    Number,
    Value,
    bf16,
    bool_,
    f8e4m3,
    f8e5m2,
    f16,
    f32,
    f64,
    i8,
    i16,
    i32,
    i64,
    u8,
    u16,
    u32,
    u64,
)
from htp.compound import einsum, pad, roll
from htp.whole_tiles import locate, matmul, mean, order, order_line, ordered, reduce, reshape, scan, transpose

__all__ = [
    "DTYPES", "INTRINSICS", "Bits", "Block", "CompileError", "Compiled", "Diagnosed", "Dim", "EdgeCase", "Element", "Entry", "Extent", "Floating", "HtpError", "In", "InOut",
    "Index", "Integer", "Intrinsic", "Layout", "Number", "Out", "Package", "PackageError", "Parameter", "ParameterType", "Routine", "Run", "RunError",
    "ShapedType", "Signature", "Space", "Stage", "Tensor", "Tile", "Timing", "Token", "Value", "alloc", "barrier", "bf16", "binary", "bind", "bool_", "buffer", "choice", "compare",
    "compile_program", "convert", "copy_async", "cut", "differences", "dim", "dot4", "edge_cases", "einsum", "error_bound", "extract", "f16", "f32", "f64", "f8e4m3", "f8e5m2", "fma", "form", "full", "gather", "get", "holds", "i16",
    "i32", "i64", "i8", "index", "inf", "intrinsic", "iota", "jit", "layout", "load", "locate", "matmul", "mean", "nan", "order", "order_line", "ordered", "pad", "parallel", "pipelined", "position", "put", "reduce", "reshape", "roll", "scan", "scatter_add", "select", "size_of",
    "space", "stage", "store", "text", "timing", "transpose", "u16", "u32", "u64", "u8", "unary", "unrolled", "vectorized", "wait", "whole", "word",
]  # fmt: skip
