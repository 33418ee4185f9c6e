"""Indices as a program writes them: `...` stands for `:` of the dimensions that are left, and a negative constant counts from the end.

An int that turns out to be negative when the program runs, `p - 1`, does not: it is outside, as it is on every target. Which of the two it
is says the program's text, so that is asked where an index is negative, and only there.
"""

from __future__ import annotations

import ast
import functools
import linecache
import sys
from collections.abc import Sequence
from types import CodeType, FrameType
from typing import Any

from htp.dims import Index
from htp.errors import HtpError


def counted(index: Sequence[Index], shape: Sequence[int], origin: Sequence[int], name: object, from_end: bool = True) -> tuple[Any, ...]:
    """The index with one part for each dimension; negative constants as what they stand for, if they count from the end."""
    parts: list[Any] = list(index)
    dots = [at for at, part in enumerate(parts) if part is ...]
    if len(dots) > 1:
        raise HtpError(f"`...` stands once in an index of {name}")
    if dots:
        parts[dots[0] : dots[0] + 1] = [slice(None)] * (len(shape) - len(parts) + 1)
    if len(parts) != len(shape):
        raise HtpError(f"{name} has {len(shape)} dimensions, and {len(parts)} indices are given")
    if from_end and any(_negative(part) for part in parts):
        written = _written(len(index))
        if dots:
            written[dots[0] : dots[0] + 1] = [None] * (len(shape) - len(index) + 1)
        for at, (part, node) in enumerate(zip(parts, written)):
            if node is not None and _negative(part):
                parts[at] = _moved(part, node, origin[at] + shape[at])
    return tuple(parts)


def _negative(part: object) -> bool:
    if isinstance(part, slice):
        return _negative(part.start) or _negative(part.stop)
    return isinstance(part, int) and part < 0


def _moved(part: Any, written: Any, end: int) -> Any:
    """`written` says of an int whether it is a constant, of a slice whether each bound is."""
    if not isinstance(part, slice):
        return end + part if written is True else part
    if not isinstance(written, tuple):
        return part
    first, last = (end + bound if constant and _negative(bound) else bound for bound, constant in zip((part.start, part.stop), written))
    return slice(first, last, part.step)


def _written(count: int) -> list[Any]:
    """Of each part of the index that the program is at, which of it are constants; None where the text is not at hand."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and _is_ours(frame):
        frame = frame.f_back
    if frame is None:
        return [None] * count
    text = frame.f_globals.get("__htp_text__") or "".join(linecache.getlines(frame.f_code.co_filename, frame.f_globals))
    parts = _parts(frame.f_code, frame.f_lasti, count, text)
    if parts is None:
        return [None] * count
    code, names = frame.f_code, frame.f_globals

    def constant(node: ast.expr | None) -> bool:
        if isinstance(node, ast.Constant):
            return isinstance(node.value, int)
        if isinstance(node, ast.UnaryOp):
            return constant(node.operand)
        if isinstance(node, ast.BinOp):
            return constant(node.left) and constant(node.right)
        if isinstance(node, ast.Subscript):
            return isinstance(node.value, ast.Name) and isinstance(_of_module(node.value, code, names), tuple) and constant(node.slice)
        return isinstance(node, ast.Name) and isinstance(_of_module(node, code, names), int)

    def written(node: ast.expr) -> bool | tuple[bool, ...]:
        bounds = _bounds(node)
        return constant(node) if bounds is None else tuple(map(constant, bounds))

    return [written(node) for node in parts]


def _of_module(name: ast.Name, code: CodeType, names: dict[str, Any]) -> object:
    """What a name of the module stands for; nothing of the function's own."""
    own = name.id in code.co_varnames or name.id in code.co_cellvars or name.id in code.co_freevars
    return None if own else names.get(name.id)


def _bounds(node: ast.expr) -> tuple[ast.expr | None, ast.expr | None] | None:
    """Of `a:b`, or of `slice(a, b)` as stages write it."""
    if isinstance(node, ast.Slice):
        return node.lower, node.upper
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "slice" and node.args:
        return (node.args[0], node.args[1]) if len(node.args) > 1 else (None, node.args[0])
    return None


@functools.lru_cache(maxsize=4096)
def _parts(code: CodeType, instruction: int, count: int, text: str) -> list[ast.expr] | None:
    """The parts of the index that an instruction takes: of `x[a, b]`, or the last arguments of `load(x, a, b)`."""
    places = list(code.co_positions())
    node = _nodes(text).get(places[instruction // 2])
    if isinstance(node, ast.Subscript):
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    elif isinstance(node, ast.Call):
        parts = node.args[-count:]
    else:
        return None
    return parts if len(parts) == count and not any(isinstance(part, ast.Starred) for part in parts) else None


@functools.lru_cache(maxsize=64)
def _nodes(text: str) -> dict[tuple[int | None, int | None, int | None, int | None], ast.expr]:
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return {}
    nodes = (node for node in ast.walk(tree) if isinstance(node, (ast.Subscript, ast.Call)))
    return {(node.lineno, node.end_lineno, node.col_offset, node.end_col_offset): node for node in nodes}


def _is_ours(frame: FrameType) -> bool:
    """Whether a frame is of the engine, or of an intrinsic."""
    from htp.intrinsics import INTRINSICS

    return str(frame.f_globals.get("__name__")).partition(".")[0] == "htp" or frame.f_code in _codes(len(INTRINSICS))


@functools.lru_cache(maxsize=1)
def _codes(count: int) -> frozenset[CodeType]:
    from htp.intrinsics import INTRINSICS

    return frozenset(declared.function.__code__ for declared in INTRINSICS.values())
