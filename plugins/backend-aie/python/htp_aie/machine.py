"""An array of AI Engines, as far as a program's meaning goes: streams between memory and cores, and blocks of them that cores hold."""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, TypeVar

import htp
import numpy as np
from htp import HtpError, Value
from htp_aie.crew import Crew


V = TypeVar("V", bound=Value)


@dataclass(frozen=True)
class Core:
    """A core of the array, by its column and row; one with a body of its own has a name, and no tile of the array before it is placed."""

    column: int
    row: int
    name: str = ""


@dataclass
class Array:
    """What a program occupies of a device, and the streams of it."""

    columns: int
    rows: int
    streams: list[Stream] = field(default_factory=list)
    crew: Crew = field(default_factory=Crew)
    fifos: list[Fifo] = field(default_factory=list)
    channels: list[Channel] = field(default_factory=list)
    padded: list[Padded] = field(default_factory=list)
    links: dict[tuple[str, bool], int] = field(default_factory=dict)
    """How many blocks a stream of each has."""
    cut: dict[int, Value] = field(default_factory=dict)
    """Tiles that strips were cut from, by their memory."""

    @staticmethod
    def in_pipeline() -> bool:
        """Whether the device stands in a pipeline whose processes are declared."""
        scheduler = sys.modules.get("htp_csp.scheduler")
        return scheduler is not None and scheduler.Crew.gathering() is not None


@dataclass
class Stream:
    """Parts on their way between a tensor and the cores. Each core has a queue of its own."""

    tensor: Value
    padded: tuple[int, ...]
    pieces: tuple[int, ...]
    block: tuple[int, ...]
    indices: list[Any]  # of each column's transfer, the elements of the padded tensor
    share: str | tuple[str, ...]
    depth: int
    feeds: bool
    queues: dict[Core, deque[Value]]
    held: dict[Core, deque[Value]]

    def inside(self) -> tuple[Any, ...]:
        return _inside(self.tensor.shape, self.padded, self.pieces)

    def end(self, core: Core) -> Core:
        """Whose queue a core's blocks are in."""
        at = Core(-1, -1, core.name) if core.name else core
        if at not in self.queues:
            raise HtpError(f"`{core.name}` is at no end of a stream of `{self.tensor.tensor}`")
        return at


def _inside(sizes: tuple[int, ...], padded: tuple[int, ...], pieces: tuple[int, ...]) -> tuple[Any, ...]:
    """Where a tensor's own elements are in the padded one."""
    if not pieces:
        return tuple(slice(0, size) for size in sizes)
    along = [np.arange(size) for size in sizes]
    return np.ix_(*(at // (size // n) * (extent // n) + at % (size // n) for at, size, extent, n in zip(along, sizes, padded, pieces)))


@dataclass
class Padded:
    """A tensor as it is padded. What is stored to it is in the tensor when the device ends; what falls into the padding is dropped."""

    tensor: Value
    value: Value
    inside: tuple[Any, ...]
    stored: bool = False

    def finish(self) -> None:
        if self.stored:
            self.tensor.data[...] = self.value.data[self.inside]
            self.tensor.depth = max(self.tensor.depth, self.value.depth)


def pad(tensor: Any, padded: tuple[int, ...], pieces: tuple[int, ...], fill: str) -> Value:
    """See `htp_aie.pad`."""
    if len(padded) != len(tensor.shape) or any(to < size for to, size in zip(padded, tensor.shape)):
        raise HtpError(f"{_by(tensor.shape)} elements are not padded to {_by(padded)}")
    if pieces and (len(pieces) != len(padded) or any(n < 1 or size % n or to % n for n, size, to in zip(pieces, tensor.shape, padded))):
        raise HtpError(f"{_by(tensor.shape)} elements are not cut into {_by(pieces)} pieces of {_by(padded)}")
    data = np.full(padded, _filling(tensor, fill), tensor.data.dtype)
    inside = _inside(tensor.shape, padded, pieces)
    data[inside] = tensor.data
    value: Value = type(tensor).in_memory(data, tensor.tensor)
    value.depth = tensor.depth
    _running().padded.append(Padded(tensor, value, inside))
    return value


def load(target: Any, source: Any, index: tuple[Any, ...], outside: float | None) -> None:
    """See `htp_aie.load`: a block of what the host packed has one dimension less than that."""
    block = source.tensor is None or len(target.shape) == len(source.shape) - 1
    write("load", target, htp.load(source, index, outside), spread=block)


def store(target: Any, source: Any, index: tuple[Any, ...]) -> None:
    """See `htp_aie.store`."""
    for padded in _array.padded if _array else ():
        padded.stored = padded.stored or padded.value is target
    htp.store(target, source, index)


_array: Array | None = None


def _running() -> Array:
    if _array is None:
        raise HtpError("streams and cores are of a device: `with aie.device(...)`")
    return _array


@contextmanager
def device(name: str, columns: int, rows: int, *, processes: int = 1, neighbours: bool = True, interleaved: bool = True, cores: int = 0, pad_rows: bool = False, align_loads: bool = False, sort_loads: bool = False, pack_loads: bool | tuple[tuple[str, ...], ...] = False, packs_apart: bool = False, slack: int = 0, depth: int = 0) -> Iterator[None]:
    """Columns of a device's array and so many cores in each. What the cores made is in the tensors when it ends.

    The rest is what was chosen for later passes, and changes no result: how many processes of a grid share a core, whether these are
    `neighbours` in it and `interleaved` in their loops; to how many `cores` a kernel's parallel loop is dealt out; that rows are padded,
    unaligned loads taken from longer ones, loads sorted, tensors packed, or the tiles of these names, each in a block of its own if they are
    `packs_apart`; how many blocks a FIFO holds beside its channel's items, and how many a core holds of a stream at most.
    """
    global _array
    if _array is not None:
        raise HtpError("a program has one device")
    if columns < 1 or rows < 1:
        raise HtpError(f"{columns} columns of {rows} cores on {name}")
    _array = array = Array(columns, rows)
    try:
        yield
        array.crew.run()
        for fifo in array.fifos:
            fifo.finish()
        for stream in array.streams:
            _finish(stream)
        for channel in array.channels:
            channel.finish()
        for padded in array.padded:
            padded.finish()
    finally:
        _array = None


def cores() -> Iterator[Core]:
    """Every core of the device's columns. They work at once; nothing but streams lies between them."""
    array = _running()
    return iter([Core(column, row) for column in range(array.columns) for row in range(array.rows)])


def core(column: int | None = None, row: int | None = None, *, on: str = "", interleaved: bool = True) -> Callable[[Callable[[Core], None]], Callable[[Core], None]]:
    """Makes a function what one core does, at a tile or at one that is not chosen yet. All of them begin when the device's body ends.

    With `on` it is to share the core of another one, and to alternate with that in the loops that both have, if they are `interleaved`.
    """
    array = _running()
    if (column is None) != (row is None) or (column is not None and row is not None and not (0 <= column < array.columns and 2 <= row < array.rows + 2)):
        raise HtpError(f"there is no core at column {column}, row {row} of {array.columns} columns of {array.rows} cores")

    def declare(body: Callable[[Core], None]) -> Callable[[Core], None]:
        at = Core(-1 if column is None else column, -1 if row is None else row, body.__name__)
        if any(other.name == at.name or (column is not None and (other.column, other.row) == (column, row)) for other in array.crew.cores()):
            raise HtpError(f"`{at.name}` and another core have the same name, or the same tile")
        array.crew.add(at, body)
        return body

    return declare


def dma() -> Callable[[Callable[[Core], None]], Callable[[Core], None]]:
    """Makes a function what DMA engines do, which needs no core: it moves tiles between tensors and channels."""
    return core()


def blocks(extent: int, size: int, first: int, count: int) -> Iterator[Any]:
    """So many of the blocks of `tiles(extent, size)`, from one on."""
    return islice(htp.cut(extent, size), first, first + count)


class Channel:
    """A channel between cores, before it is a FIFO: what is put comes out in order, for each of its readers."""

    def __init__(self, crew: Crew, dtype: type[Value], extents: tuple[int, ...], capacity: int, readers: int) -> None:
        self.crew, self.dtype, self.extents, self.capacity, self.readers = crew, dtype, extents, capacity, readers
        self.items: list[Value] = []
        self.got: dict[str, int] = {}

    def put(self, item: Any) -> None:
        if type(item) is not self.dtype or len(item.shape) != len(self.extents) or any(size > most for size, most in zip(item.shape, self.extents)):
            raise HtpError(f"a channel of {self.dtype.name} of {_by(self.extents)} is given {item.name} of {_by(item.shape)}")
        self.crew.wait("a core waits for capacity of a channel", lambda: len(self.items) - self.taken() < max(self.capacity, 1))
        self.items.append(item)
        if self.capacity == 0:
            self.crew.wait("a core waits for its item to be got", lambda: len(self.items) == self.taken())

    def taken(self) -> int:
        """How many items every reader has got."""
        return min(self.got.values()) if len(self.got) == self.readers else 0

    def get(self) -> Value:
        reader = self.crew.now()
        self.got.setdefault(reader, 0)
        if len(self.got) > self.readers:
            raise HtpError(f"`{reader}` gets from a channel that has {self.readers} readers already")
        self.crew.wait(f"`{reader}` waits for an item of a channel", lambda: self.got[reader] < len(self.items))
        self.got[reader] += 1
        return self.items[self.got[reader] - 1]

    def finish(self) -> None:
        if len(self.got) != self.readers or any(got != len(self.items) for got in self.got.values()):
            raise HtpError(f"items of a channel of {self.dtype.name} of {_by(self.extents)} are left over")


def channel(dtype: type[Value], extents: tuple[Any, ...], capacity: int, readers: int) -> Any:
    """See `htp_aie.channel`: of a pipeline, as long as it has processes."""
    if _array is None or _array.in_pipeline():
        from htp_csp.channels import new_channel

        return new_channel(dtype, extents, capacity, readers)
    made = Channel(_array.crew, dtype, tuple(map(htp.size_of, extents)), capacity, readers)
    _array.channels.append(made)
    return made


class Fifo:
    """Parts on their way from one core to others: each of these gets all of them, in order."""

    def __init__(self, crew: Crew, dtype: type[Value], block: tuple[int, ...], producer: str, consumers: tuple[str, ...], depth: int) -> None:
        if depth < 1 or not producer or not consumers or producer in consumers:
            raise HtpError(f"a fifo from {producer!r} to {', '.join(map(repr, consumers))} with depth={depth}")
        self.crew, self.dtype, self.block, self.producer, self.depth = crew, dtype, block, producer, depth
        self.blocks: list[Value] = []
        self.claimed: deque[Value] = deque()
        self.got = dict.fromkeys(consumers, 0)
        self.back = dict.fromkeys(consumers, 0)

    def acquire(self, core: Core) -> Value:
        who = f"`{core.name}` waits for"
        if core.name == self.producer:
            if len(self.claimed) == self.depth:
                raise HtpError(f"`{core.name}` holds {len(self.claimed)} blocks of a stream and wants another one, depth {self.depth}")
            self.crew.wait(f"{who} a free block of a stream to {', '.join(self.got)}", lambda: len(self.blocks) + len(self.claimed) - min(self.back.values()) < self.depth)
            one = htp.alloc(self.dtype, self.block)
            self.claimed.append(one)
            return one
        if core.name not in self.got:
            raise HtpError(f"`{core.name}` is at no end of the stream from {self.producer}")
        self.crew.wait(f"{who} a block of a stream from {self.producer}", lambda: self.got[core.name] < len(self.blocks))
        self.got[core.name] += 1
        return self.blocks[self.got[core.name] - 1]

    def release(self, core: Core) -> None:
        held = len(self.claimed) if core.name == self.producer else self.got.get(core.name, 0) - self.back.get(core.name, 0)
        if not held:
            raise HtpError(f"`{core.name}` releases a block of a stream, and holds none")
        if core.name == self.producer:
            self.blocks.append(self.claimed.popleft())
        else:
            self.back[core.name] += 1

    def finish(self) -> None:
        if self.claimed or any(back != len(self.blocks) for back in self.back.values()):
            raise HtpError(f"blocks of the stream from {self.producer} to {', '.join(self.got)} are left over")
        if not self.blocks:
            raise HtpError(f"nothing goes from {self.producer} to {', '.join(self.got)}")


def fifo(dtype: type[Value], block: tuple[int, ...], producer: str, consumer: str | tuple[str, ...], depth: int) -> Fifo:
    """See `htp_aie.fifo`."""
    array = _running()
    made = Fifo(array.crew, dtype, block, producer, consumer if isinstance(consumer, tuple) else (consumer,), depth)
    array.fifos.append(made)
    return made


def binary(op: str, target: Any, a: Any, b: Any) -> Any:
    """An operation on two tiles, or a tile and a number; of extents 1 against others the one counts for all."""
    return htp.binary(op, a, b)


def write(intrinsic: str, target: Any, result: Any, spread: bool = False) -> None:
    """Writes a result to a tile that is there."""
    data = np.asarray(result.data)
    if spread and [n for n in data.shape if n != 1] == [n for n in target.shape if n != 1]:
        data = data.reshape(target.shape)
    if data.shape != target.shape and not spread:
        raise HtpError(f"`{intrinsic}` makes {_by(data.shape)} elements, and the tile has {_by(target.shape)}")
    target.data[...] = data
    target.depth = result.depth
    whole = _array.cut.get(id(target.data.base)) if _array else None
    if whole is not None:
        whole.depth = max(whole.depth, result.depth)


def pack(dtype: type[Value], extents: tuple[int, ...], *tensors: tuple[Any, int, tuple[tuple[int, int, int, int], ...]]) -> Value:
    """See `htp_aie.pack`."""
    made = np.zeros(int(np.prod(extents)), dtype.storage)
    units = made.view(np.uint8).reshape(len(made), made.itemsize)
    taken = np.zeros(len(made), bool)
    for tensor, at, along in tensors:
        data = np.ascontiguousarray(tensor.data if tensor.tensor is not None else tensor.encode(tensor.data))
        ratio, rest = divmod(data.itemsize, made.itemsize)
        if rest:
            raise HtpError(f"elements of {data.itemsize} bytes of `{tensor.tensor}` among ones of {made.itemsize}")
        to = np.full((), at, np.int64)
        index = [np.zeros((), np.int64)] * data.ndim
        for size, dimension, step, stride in along:
            turns = np.arange(size, dtype=np.int64)
            to = to[..., None] + turns * stride
            index = [one[..., None] + turns * (step if dimension == number else 0) for number, one in enumerate(index)]
        inside = np.ones(to.shape, bool)
        for one, size in zip(index, data.shape):
            inside &= one < size
        to, index = to[inside], [one[inside] for one in index]
        reached = np.zeros(data.shape, bool)
        reached[tuple(index)] = True
        if not reached.all():
            raise HtpError(f"elements of `{tensor.tensor}` that are left behind")
        for unit in range(ratio):
            if to.max() + unit >= len(made) or taken[to + unit].any():
                raise HtpError(f"elements of `{tensor.tensor}` outside of the packed tensor")
            taken[to + unit] = True
            units[to + unit] = data.view(np.uint8).reshape(*data.shape, ratio, made.itemsize)[(*index, unit)]
    value = dtype.in_memory(made.reshape(extents), ", ".join(tensor.tensor or "a number" for tensor, *_ in tensors))
    value.depth = max(tensor.depth for tensor, *_ in tensors)
    return value


def counts(dtype: type[Value], extents: tuple[int, ...]) -> Value:
    """See `htp_aie.counts`."""
    return dtype.in_memory(np.arange(int(np.prod(extents))).astype(dtype.storage).reshape(extents), "what counts")


def unpack(target: Any, block: Any, first: int) -> None:
    """See `htp_aie.unpack`."""
    stored = np.ascontiguousarray(block.encode(block.data)).reshape(-1)
    ratio, rest = divmod(target.storage.itemsize, stored.itemsize)
    size = int(np.prod(target.shape)) * ratio
    if rest or first < 0 or first + size > len(stored):
        raise HtpError(f"`unpack` of {size} elements from {first} on, and the block has {len(stored)}")
    there = stored[first : first + size].view(target.storage).reshape(target.shape)
    write("unpack", target, target.of(target.decode(there), block.depth))


def strip(tile: V, size: int, at: int) -> V:
    """See `htp_aie.strip`."""
    if size < 1 or not 0 <= at < len(tile.data) // size:
        raise HtpError(f"there is no strip {at} of {size} rows in a tile of {_by(tile.shape)}")
    memory = tile.data if tile.data.base is None else tile.data.base
    _running().cut[id(memory)] = tile
    return tile.of(tile.data[at * size : (at + 1) * size], tile.depth)


def in_rows(tile: Any) -> Any:
    """A tile (…, m/r, n/c, r, c) in blocks, as (…, m, n)."""
    *before, m, n, r, c = tile.shape
    return tile.of(np.asarray(tile.data).swapaxes(-3, -2).reshape(*before, m * r, n * c), tile.depth)


def in_blocks(tile: Any, like: Any) -> Any:
    """A tile (…, m, n) in the blocks of another one."""
    *before, m, n, r, c = like.shape
    return tile.of(np.asarray(tile.data).reshape(*before, m, r, n, c).swapaxes(-3, -2), tile.depth)


def _stream(tensor: Any, padded: tuple[int, ...], block: tuple[int, ...], order: tuple[tuple[int, int], ...], apart: int, share: str | tuple[str, ...], depth: int, start: int, column: int, link: str, pieces: tuple[int, ...], feeds: bool) -> Stream:
    array = _running()
    if not share or depth < 1 or start < 0 or not 0 <= column < array.columns or (not feeds and (share in ("all", "rows") or isinstance(share, tuple))):
        raise HtpError(f"a stream with share={share!r} and depth={depth}")
    if len(padded) != len(tensor.shape) or any(extent < size for extent, size in zip(padded, tensor.shape)):
        raise HtpError(f"{_by(tensor.shape)} elements do not fit {_by(padded)}")
    if pieces and (len(pieces) != len(padded) or any(n < 1 or size % n or extent % n for n, size, extent in zip(pieces, tensor.shape, padded))):
        raise HtpError(f"{_by(tensor.shape)} elements are not cut into {_by(pieces)} pieces that {_by(padded)} elements hold")
    along = np.zeros((), np.int64)
    for size, stride in order:
        along = along[..., None] + np.arange(size, dtype=np.int64) * stride
    one = share not in ("each", "all", "rows")
    blocks = int(np.prod([extent for extent, _ in order])) // int(np.prod(block))
    if link and (not one or array.links.setdefault((link, feeds), blocks) != blocks):
        raise HtpError(f"streams of the link {link!r} that have different numbers of blocks")
    indices = [along.reshape(-1) + start + at * apart for at in range(1 if one else array.rows if share == "rows" else array.columns)]
    size = int(np.prod(block))
    whole = size * (array.rows if share == "each" else 1)
    if indices[0].size % whole or indices[-1].max() >= np.prod(padded):
        raise HtpError(f"transfers of {indices[0].size} elements are not made of blocks of {_by(block)} in {_by(padded)} elements")
    everyone = [Core(-1, -1, name) for name in (share if isinstance(share, tuple) else (share,))] if one else [Core(at, row) for at in range(array.columns) for row in range(array.rows)]
    stream = Stream(tensor, padded, pieces, block, indices, share, depth, feeds, {core: deque() for core in everyone}, {core: deque() for core in everyone})
    array.streams.append(stream)
    return stream


def _filling(tensor: Any, fill: str) -> Any:
    """What the padding of a tensor holds, as memory has it."""
    if fill == "zeros":
        return 0
    if fill not in ("least", "greatest"):
        raise HtpError(f"a tensor is filled up with zeros, the least or the greatest, and not {fill!r}")
    if np.issubdtype(tensor.element, np.floating):
        return tensor.encode(np.asarray(-np.inf if fill == "least" else np.inf, tensor.element))
    limits = np.iinfo(tensor.data.dtype)
    return limits.min if fill == "least" else limits.max


def feed(tensor: Any, padded: tuple[int, ...], block: tuple[int, ...], order: tuple[tuple[int, int], ...], apart: int, share: str | tuple[str, ...], depth: int, start: int = 0, column: int = 0, link: str = "", pieces: tuple[int, ...] = (), fill: str = "zeros") -> Stream:
    """See `htp_aie.feed`."""
    stream = _stream(tensor, padded, block, order, apart, share, depth, start, column, link, pieces, True)
    columns, rows = _running().columns, _running().rows
    memory = np.full(padded, _filling(tensor, fill), tensor.data.dtype)
    memory[stream.inside()] = tensor.data
    flat = memory.reshape(-1)
    for at, indices in enumerate(stream.indices):
        for number, one in enumerate(flat[indices].reshape(-1, *block)):
            if share == "rows":
                takers = [Core(column, at) for column in range(columns)]
            else:
                takers = list(stream.queues) if share not in ("each", "all") else [Core(at, row) for row in (range(rows) if share == "all" else (number % rows,))]
            for taker in takers:
                stream.queues[taker].append(tensor.of(tensor.decode(one.copy()), tensor.depth))
    return stream


def collect(tensor: Any, padded: tuple[int, ...], block: tuple[int, ...], order: tuple[tuple[int, int], ...], apart: int, share: str, depth: int, start: int = 0, column: int = 0, link: str = "", pieces: tuple[int, ...] = ()) -> Stream:
    """See `htp_aie.collect`."""
    return _stream(tensor, padded, block, order, apart, share, depth, start, column, link, pieces, False)


def acquire(stream: Any, core: Core) -> Any:
    """See `htp_aie.acquire`."""
    if isinstance(stream, Fifo):
        return stream.acquire(core)
    core = stream.end(core)
    held = stream.held[core]
    if len(held) == stream.depth:
        raise HtpError(f"a core holds {len(held)} blocks of a stream of `{stream.tensor.tensor}` and wants another one, depth {stream.depth}")
    if not stream.feeds:
        one = htp.alloc(type(stream.tensor), stream.block)
    elif not stream.queues[core]:
        raise HtpError(f"a core waits for a block of `{stream.tensor.tensor}` that never comes")
    else:
        one = stream.queues[core].popleft()
    held.append(one)
    return one


def release(stream: Any, core: Core) -> None:
    """See `htp_aie.release`."""
    if isinstance(stream, Fifo):
        return stream.release(core)
    core = stream.end(core)
    if not stream.held[core]:
        raise HtpError(f"a core releases a block of `{stream.tensor.tensor}`, and holds none")
    one = stream.held[core].popleft()
    if not stream.feeds:
        stream.queues[core].append(one)


def _finish(stream: Stream) -> None:
    """A stream at the end: whatever was sent was taken, and whatever is collected is there."""
    array, tensor = _running(), stream.tensor
    if any(stream.held.values()):
        raise HtpError(f"a core still holds a block of `{tensor.tensor}`")
    if stream.feeds:
        if any(stream.queues.values()):
            raise HtpError(f"nobody takes what comes of `{tensor.tensor}`")
        return
    memory = np.empty(stream.padded, tensor.data.dtype)
    memory[stream.inside()] = tensor.data
    flat = memory.reshape(-1)
    for column, indices in enumerate(stream.indices):
        blocks = indices.reshape(-1, *stream.block)
        for number, at in enumerate(blocks):
            queue = stream.queues[Core(column, number % array.rows) if stream.share == "each" else next(iter(stream.queues))]
            if not queue:
                raise HtpError(f"a block of `{tensor.tensor}` never comes from the cores")
            one = queue.popleft()
            flat[at] = tensor.encode(one.data)
            tensor.depth = max(tensor.depth, one.depth)
    if any(stream.queues.values()):
        raise HtpError(f"the cores make more of `{tensor.tensor}` than is collected")
    tensor.data[...] = memory[stream.inside()]


def _by(extents: Any) -> str:
    return " by ".join(map(str, extents)) or "1"
