"""An array of AI Engines, as far as a program's meaning goes: streams between memory and cores, and parts of them that cores hold."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import htp
import numpy as np
from htp import HtpError, Value


@dataclass(frozen=True)
class Core:
    """A core of the array, by its column and its place in it."""

    column: int
    row: int


@dataclass
class Array:
    """What a program occupies of a device, and the streams of it."""

    columns: int
    rows: int
    streams: list[Stream] = field(default_factory=list)


@dataclass
class Stream:
    """Parts on their way between a tensor and the cores. Each core has a queue of its own."""

    tensor: Value
    padded: tuple[int, ...]
    part: tuple[int, ...]
    places: list[Any]  # of each column's transfer, the elements of the padded tensor
    share: str
    depth: int
    feeds: bool
    queues: dict[Core, deque[Value]]
    held: dict[Core, deque[Value]]


_array: Array | None = None


def _running() -> Array:
    if _array is None:
        raise HtpError("streams and cores are of a device: `with aie.device(...)`")
    return _array


@contextmanager
def device(name: str, columns: int, rows: int) -> Iterator[None]:
    """Columns of a device's array and so many cores in each. What the cores made is in the tensors when it ends."""
    global _array
    if _array is not None:
        raise HtpError("a program has one device")
    if columns < 1 or rows < 1:
        raise HtpError(f"{columns} columns of {rows} cores on {name}")
    _array = array = Array(columns, rows)
    try:
        yield
        for stream in array.streams:
            _finish(stream)
    finally:
        _array = None


def cores() -> Iterator[Core]:
    """Every core of the device's columns. They work at once; nothing but streams lies between them."""
    array = _running()
    return iter([Core(column, row) for column in range(array.columns) for row in range(array.rows)])


def binary(op: str, target: Any, a: Any, b: Any) -> Any:
    """An operation on two tiles, or a tile and a number; of extents 1 against others the one counts for all."""
    return htp.binary(op, a, b)


def write(word: str, target: Any, result: Any, spread: bool = False) -> None:
    """Writes a result to a tile that is there."""
    data = np.asarray(result.data)
    if spread and [n for n in data.shape if n != 1] == [n for n in target.shape if n != 1]:
        data = data.reshape(target.shape)
    if data.shape != target.shape and not spread:
        raise HtpError(f"`{word}` makes {_by(data.shape)} elements, and the tile has {_by(target.shape)}")
    target.data[...] = data
    target.depth = result.depth


def in_rows(tile: Any) -> Any:
    """A tile (…, m/r, n/c, r, c) in blocks, as (…, m, n)."""
    *before, m, n, r, c = tile.shape
    return tile.of(np.asarray(tile.data).swapaxes(-3, -2).reshape(*before, m * r, n * c), tile.depth)


def in_blocks(tile: Any, like: Any) -> Any:
    """A tile (…, m, n) in the blocks of another one."""
    *before, m, n, r, c = like.shape
    return tile.of(np.asarray(tile.data).reshape(*before, m, r, n, c).swapaxes(-3, -2), tile.depth)


def _stream(tensor: Any, padded: tuple[int, ...], part: tuple[int, ...], order: tuple[tuple[int, int], ...], apart: int, share: str, depth: int, feeds: bool) -> Stream:
    array = _running()
    if share not in ("each", "all") or depth < 1 or (share == "all" and not feeds):
        raise HtpError(f"a stream with share={share!r} and depth={depth}")
    if len(padded) != len(tensor.shape) or any(room < size for room, size in zip(padded, tensor.shape)):
        raise HtpError(f"{_by(tensor.shape)} elements do not fit {_by(padded)}")
    along = np.zeros((), np.int64)
    for size, stride in order:
        along = along[..., None] + np.arange(size, dtype=np.int64) * stride
    places = [along.reshape(-1) + column * apart for column in range(array.columns)]
    size = int(np.prod(part))
    whole = size * (array.rows if share == "each" else 1)
    if places[0].size % whole or places[-1].max() >= np.prod(padded):
        raise HtpError(f"transfers of {places[0].size} elements are not made of parts of {_by(part)} in {_by(padded)} elements")
    everyone = [Core(column, row) for column in range(array.columns) for row in range(array.rows)]
    stream = Stream(tensor, padded, part, places, share, depth, feeds, {core: deque() for core in everyone}, {core: deque() for core in everyone})
    array.streams.append(stream)
    return stream


def feed(tensor: Any, padded: tuple[int, ...], part: tuple[int, ...], order: tuple[tuple[int, int], ...], apart: int, share: str, depth: int) -> Stream:
    """See `htp_aie.feed`."""
    stream = _stream(tensor, padded, part, order, apart, share, depth, True)
    rows = _running().rows
    room = np.zeros(padded, tensor.data.dtype)
    room[tuple(slice(0, size) for size in tensor.shape)] = tensor.data
    flat = room.reshape(-1)
    for column, places in enumerate(stream.places):
        for number, one in enumerate(flat[places].reshape(-1, *part)):
            for row in range(rows) if share == "all" else (number % rows,):
                stream.queues[Core(column, row)].append(tensor.of(tensor.decode(one.copy()), tensor.depth))
    return stream


def collect(tensor: Any, padded: tuple[int, ...], part: tuple[int, ...], order: tuple[tuple[int, int], ...], apart: int, share: str, depth: int) -> Stream:
    """See `htp_aie.collect`."""
    return _stream(tensor, padded, part, order, apart, share, depth, False)


def acquire(stream: Any, core: Core) -> Any:
    """See `htp_aie.acquire`."""
    held = stream.held[core]
    if len(held) == stream.depth:
        raise HtpError(f"a core holds {len(held)} parts of a stream of `{stream.tensor.tensor}` and wants another one, and there is room for {stream.depth}")
    if not stream.feeds:
        one = htp.alloc(type(stream.tensor), stream.part)
    elif not stream.queues[core]:
        raise HtpError(f"a core waits for a part of `{stream.tensor.tensor}` that never comes")
    else:
        one = stream.queues[core].popleft()
    held.append(one)
    return one


def release(stream: Any, core: Core) -> None:
    """See `htp_aie.release`."""
    if not stream.held[core]:
        raise HtpError(f"a core releases a part of `{stream.tensor.tensor}`, and holds none")
    one = stream.held[core].popleft()
    if not stream.feeds:
        stream.queues[core].append(one)


def _finish(stream: Stream) -> None:
    """A stream at the end: whatever was sent was taken, and whatever is collected is there."""
    array, tensor = _running(), stream.tensor
    if any(stream.held.values()):
        raise HtpError(f"a core still holds a part of `{tensor.tensor}`")
    if stream.feeds:
        if any(stream.queues.values()):
            raise HtpError(f"nobody takes what comes of `{tensor.tensor}`")
        return
    room = np.empty(stream.padded, tensor.data.dtype)
    room[tuple(slice(0, size) for size in tensor.shape)] = tensor.data
    flat = room.reshape(-1)
    for column, places in enumerate(stream.places):
        parts = places.reshape(-1, *stream.part)
        for number, place in enumerate(parts):
            queue = stream.queues[Core(column, number % array.rows)]
            if not queue:
                raise HtpError(f"a part of `{tensor.tensor}` never comes from the cores")
            one = queue.popleft()
            flat[place] = tensor.encode(one.data)
            tensor.depth = max(tensor.depth, one.depth)
    if any(stream.queues.values()):
        raise HtpError(f"the cores make more of `{tensor.tensor}` than is collected")
    tensor.data[...] = room[tuple(slice(0, size) for size in tensor.shape)]


def _by(extents: Any) -> str:
    return " by ".join(map(str, extents)) or "1"
