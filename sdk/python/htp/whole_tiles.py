"""Operations on whole tiles: along an axis, in order, of other extents, products. The bodies of intrinsics call these, like operations.py's."""

from __future__ import annotations

import math
import operator
from collections.abc import Sequence
from typing import Any

import numpy as np

from htp import semantics
from htp.dims import Extent, size_of
from htp.errors import HtpError
from htp.operations import V, _axis, _by, _tile, _undefined, _weak, binary, convert, gather
from htp.values import Value, bool_, f32, i32


def reduce(kind: str, x: V, axis: int | tuple[int, ...]) -> V:
    """The `kind` ("sum", "prod", "max", "min"; of bool_ "any", "all") of a tile along an axis, which stays with extent 1; along several one
    after the other."""
    op = f"reduce_{kind}"
    if isinstance(axis, tuple):
        if not axis:
            raise HtpError(f"`{op}` is given no axis")
        for one in axis:
            x = reduce(kind, x, one)
        return x
    data = _tile(op, x).data
    axis = _axis(op, axis, data.ndim)
    if kind in semantics.TRUTHS:
        if x.__class__ is not bool_:
            _undefined(op, x)
        return x.of(semantics.TRUTHS[kind](data, axis), x.depth)
    if "add" not in x.meanings:
        _undefined(op, x)
    result = x.convert(semantics.REDUCTIONS[kind](data, axis))
    return x.of(result, x.depth + (_roundings(x, data.shape[axis]) if kind in ("sum", "prod") else 0))


def mean(x: V, axis: int | tuple[int, ...]) -> V:
    """The sum of a tile along an axis divided by the extent, in f32 where x is narrower; along several axes one after the other."""
    if isinstance(axis, tuple):
        if not axis:
            raise HtpError("`reduce_mean` is given no axis")
        for one in axis:
            x = mean(x, one)
        return x
    data = _tile("reduce_mean", x).data
    if x.element.kind != "f" or "add" not in x.meanings:
        _undefined("reduce_mean", x)
    count = float(data.shape[_axis("reduce_mean", axis, data.ndim)])
    if x.unit <= f32.unit:
        return binary("div", reduce("sum", x, axis), count)
    return convert(binary("div", reduce("sum", convert(x, f32), axis), count), x.__class__)


def locate(kind: str, x: Value, axis: int) -> i32:
    """Where along an axis, which stays with extent 1, the `kind` ("argmax", "argmin") of a tile stands, counted from 0."""
    data = _tile(kind, x).data
    axis = _axis(kind, axis, data.ndim)
    if "add" not in x.meanings:
        _undefined(kind, x)
    return i32.of(semantics.ARGUMENTS[kind](data, axis), x.depth)


def order(op: str, x: Value, axis: int, descending: bool, count: int | None = None) -> i32:
    """The places of the `count` first elements (or of all) along an axis, counted from 0, in the order of their values."""
    data = _tile(op, x).data
    axis = _axis(op, axis, data.ndim)
    if "add" not in x.meanings:
        _undefined(op, x)
    if count is not None and not 0 < count <= data.shape[axis]:
        raise HtpError(f"`{op}` takes {count} of {data.shape[axis]} elements")
    places = semantics.order(data, axis, descending)
    return i32.of(np.take(places, np.arange(data.shape[axis] if count is None else count), axis), x.depth)


def ordered(op: str, x: V, axis: int, descending: bool, count: int | None = None) -> V:
    """The `count` first elements (or all) along an axis in the order of their values."""
    return gather(x, order(op, x, axis, descending, count), axis)


def order_line(target: i32, source: Value, count: int, first: int, place: Sequence[int], descending: bool) -> None:
    """Writes the places of the `first` first of a line's `count` elements to a line of another buffer; below 0 there are none."""
    first, count = max(first, 0), max(count, 0)
    if first > count:
        raise HtpError(f"{first} of {count} elements are wanted")
    line = source.data[tuple(map(operator.index, place))][:count]
    target.data[tuple(map(operator.index, place))][:first] = semantics.order(line, 0, descending)[:first]


def scan(kind: str, x: V, axis: int) -> V:
    """At each element of a tile the `kind` ("sum", "max", "min") of those up to it along an axis."""
    op = f"scan_{kind}"
    data = _tile(op, x).data
    axis = _axis(op, axis, data.ndim)
    if "add" not in x.meanings:
        _undefined(op, x)
    result = x.convert(semantics.SCANS[kind](data, axis))
    return x.of(result, x.depth + (_roundings(x, data.shape[axis]) if kind == "sum" else 0))


def reshape(x: V, extents: Sequence[Extent]) -> V:
    """The same elements in row-major order under other extents; one that is -1 is what is left."""
    data = _tile("reshape", x).data
    shape = [-1 if isinstance(extent, int) and extent == -1 else size_of(extent) for extent in extents]
    if shape.count(-1) == 1:
        shape[shape.index(-1)] = _rest(data.shape, [size for size in shape if size != -1])
    if math.prod(shape) != data.size or min(shape, default=0) < 0:
        raise HtpError(f"`reshape` keeps the number of elements: {_by(data.shape)} is not {_by(shape)}")
    return x.of(data.reshape(shape).copy(), x.depth)


def _rest(shape: Sequence[int], named: list[int]) -> int:
    """The extent that is left, also where there are no elements: what stands in both goes first."""
    left, by = list(shape), 1
    for size in named:
        if size in left:
            left.remove(size)
        else:
            by *= size
    return math.prod(left) // by if by else 0


def _roundings(x: Value, terms: int) -> int:
    """A sum's roundings, in units of its dtype: f16 and bf16 add up in f32, finer, and round once."""
    return 1 + math.ceil(terms * min(1.0, f32.unit / x.unit)) if x.unit else 0


def matmul(a: Any, b: Any, acc: V | None) -> V:
    """The matrix product of two tiles in their last two dimensions, added to `acc` if given; those before are equal or 1. An `acc` of a wider
    dtype is what is added up in."""
    tiles = [a, b] if acc is None else [a, b, acc]
    rank = len(_tile("matmul", a).data.shape)
    for x in tiles:
        if rank < 2 or len(_tile("matmul", x).data.shape) != rank:
            raise HtpError(f"`matmul` takes tiles of 2 dimensions or more, all of as many, not {len(x.data.shape)}")
    _weak("matmul", a, b)
    if acc is not None and acc.__class__ is not a.__class__ and _holds_all(acc.__class__, a.__class__):
        a, b = convert(a, acc.__class__), convert(b, acc.__class__)
    _weak("matmul", *tiles[2:], a)
    if "mul" not in a.meanings:
        _undefined("matmul", a)
    (*batch, m, k), (*batch_b, k_b, n) = a.data.shape, b.data.shape
    if k != k_b:
        raise HtpError(f"`matmul` takes m x k and k x n, but a is {m} x {k} and b is {k_b} x {n}")
    if any(p != q and 1 not in (p, q) for p, q in zip(batch, batch_b)):
        raise HtpError(f"`matmul` takes equal extents before the last two, or 1, not {_by(tuple(batch))} and {_by(tuple(batch_b))}")
    shape = (*(max(p, q) if 1 in (p, q) and 0 not in (p, q) else min(p, q) for p, q in zip(batch, batch_b)), m, n)
    if acc is not None and acc.data.shape != shape:
        raise HtpError(f"`matmul` gives {_by(shape)}, but acc is {_by(acc.data.shape)}")
    data = a.convert(semantics.matmul(a.data, b.data, None if acc is None else acc.data))
    result: V = a.of(data, max(max(a.depth, b.depth), acc.depth if acc is not None else 0) + _roundings(a, k))
    return result


def _holds_all(wide: type[Value], narrow: type[Value]) -> bool:
    """Whether each value of the one dtype is one of the other."""
    kinds = wide.element.kind, narrow.element.kind
    return wide.storage.itemsize > narrow.storage.itemsize and kinds in (("f", "f"), ("i", "i"), ("u", "u"), ("i", "u"))


def transpose(x: V, axes: tuple[int, ...] | None = None) -> V:
    """A tile with its last two dimensions swapped, or with all of them in the order given."""
    rank = len(_tile("transpose", x).data.shape)
    if rank < 2:
        raise HtpError(f"`transpose` takes a tile of 2 dimensions or more, not {rank}")
    if axes is None:
        return x.of(np.swapaxes(x.data, -1, -2).copy(), x.depth)
    if sorted(axis + rank if axis < 0 else axis for axis in axes) != list(range(rank)):
        raise HtpError(f"`transpose` of {rank} dimensions takes each of their axes once, not {axes!r}")
    return x.of(np.transpose(x.data, axes).copy(), x.depth)
