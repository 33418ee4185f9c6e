"""What it means to move between the memories of a core, where sums are rounded and rows become biases and scales, and to multiply there."""

from __future__ import annotations

from typing import Any

import numpy as np
from htp import HtpError, convert, f32, i32, matmul
from htp_pto import machine


def move(instruction: str, target: Any, source: Any, row: int = 0, column: int = 0) -> None:
    """An instruction that moves a tile, or the slice from an index on that is as large as what is valid of the target."""
    way = (machine.space_of(instruction, source), machine.space_of(instruction, target))
    if way not in machine.WAYS or (instruction == "textract" and machine.WAYS[way] != "MTE1"):
        raise HtpError(f"`{instruction}` does not move from {machine.SPACES[way[0]].title} to {machine.SPACES[way[1]].title}")
    result, to, of = machine.read(source), machine.the_tile(instruction, target), machine.read_tile(instruction, source)
    shape = to.shape
    if to.space in machine.ROWS:
        return machine.execute(machine.WAYS[way], instruction, target, _row(instruction, of, to, type(target), result), source)
    # Before it has its address, a tile has the extents of its block, which may be one row of many.
    if to.space == "left" and (to.extents[0] == 1) != (of.layout == "nd") and (to.region or of.layout == "nd"):
        raise HtpError(f"`{instruction}` moves a tile of layout \"nd\" to a tile of one row in {machine.SPACES['left'].title}, and no other there")
    if instruction == "textract":
        if row < 0 or column < 0 or any(first + count > size for first, count, size in zip((row, column), shape, result.data.shape)):
            raise HtpError(f"`{instruction}` takes {machine.by(shape)} from {row}, {column} on, of {machine.by(result.data.shape)}")
        if of.layout == "nd" and column * source.storage.itemsize % machine.SPACES["left"].line:
            raise HtpError(f"`{instruction}` takes of one row what begins at a multiple of {machine.SPACES['left'].line} bytes")
        result = result.of(result.data[row : row + shape[0], column : column + shape[1]], result.depth)
    machine.execute(machine.WAYS[way], instruction, target, _stored(instruction, result, type(target), way[0]), source)


def _row(instruction: str, of: machine.Tile, to: machine.Tile, dtype: type[Any], value: Any) -> Any:
    """A row on its way to the bias table, where f16 becomes f32, or to the scaling buffer."""
    if of.layout != "nd" or of.extents[0] != 1 or of.extents[1] != to.extents[1]:
        raise HtpError(f"`{instruction}` moves a tile of layout \"nd\" and one row to {machine.SPACES[to.space].title}, and both have capacity for as many columns")
    if to.space == "bias" and value.name == "f16" and dtype is f32:
        return convert(value, dtype)
    if not isinstance(value, dtype) or value.name not in (("f32", "i32") if to.space == "bias" else ("u64",)):
        raise HtpError(f"`{instruction}` does not move {value.name} as {dtype.name} to {machine.SPACES[to.space].title}")
    return value


def insert(instruction: str, target: Any, source: Any, row: int, column: int) -> None:
    """An accumulator, rounded, at an index of a tile in L1, whose other elements stay."""
    to, of = machine.the_tile(instruction, target), machine.the_tile(instruction, source)
    if (of.space, to.space) != ("acc", "mat") or to.layout not in ("", "nz"):
        raise HtpError(f"`{instruction}` puts a tile of {machine.SPACES['acc'].title} into one of layout \"nz\" in {machine.SPACES['mat'].title}")
    if row < 0 or column < 0 or column % 16 or row + of.extents[0] > to.extents[0] or column + of.extents[1] > to.extents[1]:
        raise HtpError(f"`{instruction}` puts {machine.by(of.extents)} at {row}, {column} of {machine.by(to.extents)}: a multiple of 16 columns, and all of it inside")
    value = _stored(instruction, machine.read(source), type(target), "acc")
    data = np.array(target.decode(to.buffer))
    part = value.data.reshape(of.shape)
    data[row : row + of.shape[0], column : column + of.shape[1]] = part
    machine.touch("FIX", instruction, source, target=target)
    to.buffer[...] = target.encode(data)
    target.depth = max(target.depth, value.depth)


def biased(instruction: str, target: Any, left: Any, right: Any, bias: Any) -> None:
    """An instruction of the cube: a product, to whose rows one is added."""
    if machine.space_of(instruction, bias) != "bias" or type(bias) is not type(target) or machine.the_tile(instruction, bias).shape[1] != machine.the_tile(instruction, target).shape[1]:
        raise HtpError(f"`{instruction}` adds a row in {machine.SPACES['bias'].title} of the sum's dtype and columns")
    rows = np.broadcast_to(np.asarray(machine.read(bias).data), np.shape(machine.read(target).data))
    multiply(instruction, target, left, right, target.of(rows, bias.depth), bias)


def one_row(instruction: str, left: Any) -> None:
    """A product of one row by a matrix takes it as one row."""
    if machine.space_of(instruction, left) != "left" or machine.the_tile(instruction, left).extents[0] != 1:
        raise HtpError(f"`{instruction}` multiplies a tile of one row: `tile(f16, 1, …, space=\"left\")`")


def multiply(instruction: str, target: Any, left: Any, right: Any, onto: Any, bias: Any = None) -> None:
    """An instruction of the cube: the product of two tiles, added to a value or not. Of tiles that have no address yet it asks nothing."""
    if all(machine.is_free(x) for x in (target, left, right)):
        a, b = (x if isinstance(x, type(target)) else convert(x, type(target)) for x in (machine.read(left), machine.read(right)))
        return machine.execute("M", instruction, target, matmul(a, b, onto), left, right)
    for x, space in ((target, "acc"), (left, "left"), (right, "right")):
        if machine.space_of(instruction, x) != space:
            raise HtpError(f"`{instruction}` multiplies a tile in {machine.SPACES['left'].title} by one in {machine.SPACES['right'].title} to one in {machine.SPACES['acc'].title}")
    wide = {"i8": i32, "f16": f32, "bf16": f32, "f32": f32}.get(left.name)
    if wide is None or type(left) is not type(right) or type(target) is not wide:
        raise HtpError(f"`{instruction}` of {left.name} by {right.name} to {target.name}: f16, bf16 and f32 give f32, i8 gives i32")
    a, b = (x if isinstance(x, wide) else convert(x, wide) for x in (machine.read(left), machine.read(right)))
    one = machine.the_tile(instruction, left)
    if not instruction.startswith("tgemv") and one.extents[0] == 1 and one.region:
        raise HtpError(f"`{instruction}` multiplies tiles in boxes, and the left one is one row: use `tgemv`")
    machine.execute("M", instruction, target, matmul(a, b, onto), left, right, bias)


def load_turned(instruction: str, target: Any, loaded: Any) -> Any:
    """What a tile gets of what was loaded: of a tensor turned to boxes the other way, its columns are rows."""
    one = machine.the_tile(instruction, target)
    if not one.turned:
        return loaded
    rows, columns = one.shape
    data = np.asarray(loaded.data)
    if [n for n in data.shape if n != 1] != [n for n in (columns, rows) if n != 1]:
        raise HtpError(f"`{instruction}` turns {machine.by(data.shape)} elements, and the tile has {machine.by(one.shape)}")
    return loaded.of(data.reshape(columns, rows).T, loaded.depth)


def turned(loaded: Any) -> Any:
    """A slice of rows and columns with its columns as rows; its other extents are 1."""
    data = np.asarray(loaded.data)
    return loaded.of(data.reshape([n for n in data.shape if n != 1]).T, loaded.depth)


def store_value(instruction: str, source: Any, dtype: type[Any], rank: int, turns: bool = False) -> tuple[str, Any]:
    """The pipe that stores a tile, and what arrives: with more extents than the tensor has, of which those of 1 go. `turns`: its rows are columns there."""
    space = machine.space_of(instruction, source)
    if space not in machine.STORES:
        raise HtpError(f"`{instruction}` does not store from {machine.SPACES[space].title}")
    value = _stored(instruction, machine.read(source), dtype, space)
    data = np.asarray(value.data).T if turns else value.data
    return machine.STORES[space], value.of(data.reshape((1,) * (rank + 1) + data.shape), value.depth)


def quantized(instruction: str, source: Any, scales: Any, dtype: type[Any], rank: int) -> Any:
    """An accumulator, each column by its scale: what arrives, as `store_value` gives it."""
    if machine.space_of(instruction, source) != "acc" or machine.space_of(instruction, scales) != "scaling" or machine.the_tile(instruction, scales).shape[1] != machine.the_tile(instruction, source).shape[1]:
        raise HtpError(f"`{instruction}` stores a tile of {machine.SPACES['acc'].title}, with a number of {machine.SPACES['scaling'].title} for each of its columns")
    if dtype.name not in ("i8", "u8", "f16") or (dtype.name == "f16" and source.name != "i32"):
        raise HtpError(f"`{instruction}` does not convert {source.name} to {dtype.name}: f32 goes to i8 and u8, i32 to these and f16")
    value, bits = machine.read(source), np.asarray(machine.read(scales).data, np.uint64).reshape(1, -1)
    factor = (bits & np.uint64(0xFFFFE000)).astype(np.uint32).view(np.float32)
    scaled = np.asarray(value.data).astype(np.float32) * factor
    if dtype.name == "f16":
        data = np.clip(scaled, -65504, 65504).astype(dtype.element)
    else:
        signed = ((bits >> np.uint64(46)) & np.uint64(1)).astype(bool)
        if (signed != (dtype.name == "i8")).any():
            raise HtpError(f"`{instruction}` stores {dtype.name}, and bit 46 of a scale says the other one: it is set for i8")
        offset = ((bits >> np.uint64(37)) & np.uint64(0x1FF)).astype(np.float32)
        with np.errstate(invalid="ignore"):
            data = np.clip(np.rint(scaled + offset), np.where(signed, -128, 0), np.where(signed, 127, 255))
            data = np.nan_to_num(data).astype(dtype.element)
    return dtype.of(data.reshape((1,) * (rank + 1) + data.shape), value.depth + 2)


def _stored(instruction: str, value: Any, dtype: type[Any], space: str) -> Any:
    """A value on its way out of a space: an accumulator's is rounded to a narrower float."""
    if isinstance(value, dtype):
        return value
    if space == "acc" and value.name == "f32" and dtype.name in ("f16", "bf16"):
        return convert(value, dtype)
    raise HtpError(f"`{instruction}` does not convert {value.name} to {dtype.name}")
