"""What the instructions mean that move elements by indices: gather, pick, sort and merge, put beside each other."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from htp import HtpError, binary
from htp_pto import machine

PATTERNS = {"P0101": (2, 0), "P1010": (2, 1), "P0001": (4, 0), "P0010": (4, 1), "P0100": (4, 2), "P1000": (4, 3)}
"""Of each so many columns, which one."""
SORTED = 32
"""How many columns `tsort32` sorts at a time."""
MERGED = 4
"""How many blocks `tmrgsort` merges to one."""


def gathered(instruction: str, target: Any, source: Any, index: Any) -> Any:
    """The elements at indices, which are counted through the rows of a tile with all of its memory."""
    if type(target) is not type(source):
        raise HtpError(f"`{instruction}` takes elements of {source.name} to {target.name}: both have one dtype")
    value, wanted = machine.read(source), machine.read(index).data
    columns = machine.capacity_of(instruction, source)[-1]
    data = np.asarray(value.data).reshape(-1, np.shape(value.data)[-1])
    rows, column = wanted // columns, wanted % columns
    if wanted.size and ((wanted < 0) | (rows >= data.shape[0]) | (column >= data.shape[1])).any():
        raise HtpError(f"`{instruction}` is given an index outside of what is valid of {' x '.join(map(str, data.shape))} elements")
    return value.of(data[rows, column], value.depth)


def scattered(instruction: str, target: Any, source: Any, index: Any) -> Any:
    """The elements at indices, which are counted through the rows of the target with all of its memory; zeros elsewhere."""
    wide = {1: 2}.get(source.storage.itemsize, source.storage.itemsize)
    if type(target) is not type(source) or index.storage.itemsize != wide or machine.shape_of(instruction, source) != machine.shape_of(instruction, index):
        raise HtpError(f"`{instruction}` puts {source.name} to indices of {8 * wide} bits, one for each element")
    value, wanted = machine.read(source), np.asarray(machine.read(index).data).reshape(-1)
    capacity = machine.capacity_of(instruction, target)
    if ((wanted < 0) | (wanted >= math.prod(capacity))).any():
        raise HtpError(f"`{instruction}` is given an index outside of a tile of capacity {' x '.join(map(str, capacity))}")
    data = np.zeros(math.prod(capacity), target.element)
    data[wanted] = np.asarray(value.data).reshape(-1)
    return target.of(data.reshape(capacity)[tuple(slice(0, n) for n in machine.shape_of(instruction, target))], value.depth)


BLOCK = 32
"""How many bytes `tgatherb` takes at a time, and eight times as many it writes."""


def gathered_blocks(instruction: str, target: Any, source: Any, offsets: Any) -> Any:
    """Each 32 bytes of the target from an offset of the source, in bytes."""
    (rows, columns), size = machine.shape_of(instruction, target), target.storage.itemsize
    if type(target) is not type(source) or size > 4 or columns * size % (8 * BLOCK) or machine.shape_of(instruction, offsets) != (rows, columns * size // BLOCK):
        raise HtpError(f"`{instruction}` fills rows of a multiple of {8 * BLOCK} bytes, and takes an offset for each {BLOCK} of them")
    value, at = machine.read(source), np.asarray(machine.read(offsets).data, np.int64)
    capacity = machine.capacity_of(instruction, source)
    if machine.shape_of(instruction, source) != capacity:
        raise HtpError(f"`{instruction}` takes bytes of a tile that is valid all over")
    if ((at % BLOCK != 0) | (at + BLOCK > math.prod(capacity) * size)).any():
        raise HtpError(f"the offsets of `{instruction}` are multiples of {BLOCK} within the {math.prod(capacity) * size} bytes of the tile")
    held = np.ascontiguousarray(np.asarray(source.encode(value.data)).reshape(capacity)).view(np.uint8).reshape(-1, BLOCK)
    bits = np.ascontiguousarray(held[at // BLOCK].reshape(rows, columns * size)).view(target.storage)
    return target.of(target.decode(bits), value.depth)


def picked(instruction: str, target: Any, source: Any, pattern: str) -> Any:
    """The columns that a pattern names, as the bits that they are."""
    if pattern not in PATTERNS:
        raise HtpError(f"the patterns of `{instruction}` are {', '.join(PATTERNS)}, and {pattern!r} is none")
    step, first = PATTERNS[pattern]
    value = machine.read(source)
    if target.storage.itemsize != source.storage.itemsize or target.storage.itemsize not in (2, 4):
        raise HtpError(f"`{instruction}` takes bits of {source.name} to {target.name}: both have 16 bits, or both 32")
    if machine.shape_of(instruction, target) != machine.capacity_of(instruction, target):
        raise HtpError(f"`{instruction}` fills its target: what is valid of it are all of its columns")
    bits = np.ascontiguousarray(np.asarray(source.encode(value.data))[..., first::step]).view(target.storage)
    return target.of(target.decode(bits), value.depth)


def spread(instruction: str, target: Any, source: Any, pattern: str) -> Any:
    """The columns that a pattern names, of a tile; zeros between them."""
    if pattern not in PATTERNS:
        raise HtpError(f"the patterns of `{instruction}` are {', '.join(PATTERNS)}, and {pattern!r} is none")
    step, first = PATTERNS[pattern]
    (rows, columns), (of_rows, of_columns) = machine.shape_of(instruction, target), machine.shape_of(instruction, source)
    if type(target) is not type(source) or rows != of_rows or columns != step * of_columns:
        raise HtpError(f"`{instruction}` spreads {of_rows} x {of_columns} {source.name} over {rows} x {columns} {target.name}: {step} times as many columns")
    value, data = machine.read(source), np.zeros((rows, columns), target.element)
    data[:, first::step] = np.asarray(value.data).reshape(of_rows, of_columns)
    return target.of(data, value.depth)


def _row(instruction: str, x: Any) -> Any:
    if math.prod(machine.shape_of(instruction, x)[:-1]) != 1:
        raise HtpError(f"`{instruction}` merges one row")
    return np.asarray(machine.read(x).data).reshape(-1)


def _pairs(value: Any) -> Any:
    """The bits of pairs of 8 bytes: value and index."""
    return np.ascontiguousarray(np.asarray(value.encode(value.data))).view(np.uint32).reshape(-1, 2)


def _values(pairs: Any, dtype: type[Any]) -> Any:
    return np.asarray(dtype.decode(np.ascontiguousarray(pairs[..., 0]).view(dtype.storage).reshape(*pairs.shape[:-1], -1)[..., 0]), np.float32)


def sorted_pairs(instruction: str, source: Any, index: Any) -> Any:
    """Pairs of a value and its index, in the bits of the source's dtype: of each 32 columns the largest first."""
    value = machine.read(source)
    data = np.asarray(value.data, np.float32)
    if np.shape(data) != np.shape(machine.read(index).data) or data.shape[-1] % SORTED:
        raise HtpError(f"`{instruction}` sorts {SORTED} columns at a time, each with its index: there are {data.shape[-1]}")
    blocks = data.reshape(-1, SORTED)
    indices = np.asarray(machine.read(index).data, np.uint32).reshape(-1, SORTED)
    order = np.lexsort((indices, -blocks), axis=-1)
    pairs = np.zeros((*blocks.shape, 2), np.uint32)
    ordered = np.take_along_axis(np.asarray(source.encode(np.asarray(value.data))).reshape(-1, SORTED), order, -1)
    pairs[..., 0] = ordered.view(np.uint32 if source.storage.itemsize == 4 else np.uint16)
    pairs[..., 1] = np.take_along_axis(indices, order, -1)
    return value.of(value.decode(pairs.reshape(*data.shape[:-1], -1).view(source.storage)), value.depth)


def merged(instruction: str, target: Any, source: Any, block: int) -> Any:
    """Each four blocks of pairs in one; of equals that of the earlier block is first."""
    columns, value = _row(instruction, source).size, machine.read(source)
    if block <= 0 or block % 64 or columns % (MERGED * block) or type(target) is not type(source):
        raise HtpError(f"`{instruction}` merges each {MERGED} blocks of {block} columns, a multiple of 64: there are {columns}")
    groups = _pairs(value).reshape(-1, MERGED * block * source.storage.itemsize // 8, 2)
    order = np.argsort(-_values(groups, type(source)), axis=-1, kind="stable")
    result = np.take_along_axis(groups, order[..., None], 1).reshape(-1).view(source.storage)
    return target.of(target.decode(result.reshape(machine.shape_of(instruction, source))), value.depth)


def partly(instruction: str, op: str, target: Any, a: Any, b: Any) -> Any:
    """A result where both tiles are valid, elsewhere the one that is."""
    shape, left, right = (machine.shape_of(instruction, x) for x in (target, a, b))
    if shape not in (left, right) or any(n > m for part in (left, right) for n, m in zip(part, shape)):
        raise HtpError(f"of the operands of `{instruction}` one is as large as the target, and the other no larger")
    larger, smaller = (a, b) if left == shape else (b, a)
    x, y = machine.read(larger), machine.read(smaller)
    part = tuple(slice(0, n) for n in machine.shape_of(instruction, smaller))
    both = x.of(np.asarray(x.data).reshape(shape)[part], x.depth)
    data = np.array(x.data).reshape(shape)
    met: Any = binary(op, both, y.of(np.asarray(y.data).reshape(np.shape(both.data)), y.depth))
    data[part] = met.data
    return x.of(data, met.depth)


def beside(instruction: str, target: Any, a: Any, b: Any) -> Any:
    """The columns of one tile behind those of another one."""
    shape, left, right = (machine.shape_of(instruction, x) for x in (target, a, b))
    if left[:-1] != shape[:-1] or right[:-1] != shape[:-1] or left[-1] + right[-1] != shape[-1] or not type(target) is type(a) is type(b):
        raise HtpError(f"`{instruction}` puts {left[-1]} and {right[-1]} columns of {a.name} and {b.name} into {shape[-1]} of {target.name}")
    x, y = machine.read(a), machine.read(b)
    return x.of(np.concatenate([np.asarray(x.data).reshape(left), np.asarray(y.data).reshape(right)], -1), max(x.depth, y.depth))


def counted(target: Any, start: int) -> Any:
    """A row that counts from a number on; integers wrap around."""
    shape = machine.the_tile("tci", target).shape
    if math.prod(shape[:-1]) != 1:
        raise HtpError(f"`tci` fills one row, and the tile has {machine.by(shape)}")
    return target.of((np.arange(shape[-1]) + start).astype(target.element).reshape(shape), 0)


def triangle(instruction: str, target: Any, diagonal: int, side: str) -> Any:
    """Ones on one side of a diagonal, which belongs to it, and zeros on the other."""
    if side not in ("lower", "upper"):
        raise HtpError(f"the sides of `{instruction}` are lower and upper, and {side!r} is none")
    rows, columns = machine.shape_of(instruction, target)
    ones = np.tril(np.ones((rows, columns)), diagonal) if side == "lower" else np.triu(np.ones((rows, columns)), diagonal)
    return target.of(ones.astype(target.element), 0)
