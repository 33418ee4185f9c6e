"""What a core does when a stage runs under plain Python: its buffer memory, and the order in which its pipes work.

Each instruction runs on a pipe. A pipe takes its instructions in order, and pipes wait for each other only where a flag or a barrier says so. Here
they run one after the other, and two that touch the same bytes, one of them writing, must be ordered by what the program says: so a stage that lacks
a flag raises, whatever this run happened to compute.
"""

from __future__ import annotations

import math
import operator
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from htp import Block, Extent, HtpError, Value, buffer, load, position
from htp_pto.extents import agree

PIPES = {"aiv": ("MTE2", "V", "MTE3", "S"), "aic": ("MTE2", "MTE1", "M", "FIX", "MTE3", "S")}
"""What loads, computes and stores on each kind of core; and what hands out the instructions."""
KINDS = {"aiv": "vector core", "aic": "cube core"}
ALIGNMENT = 32
EVENTS = 8


@dataclass(frozen=True)
class Space:
    """A memory of a core, and how tiles lie in it: in boxes of so many rows and columns, where "c" are the elements of 32 bytes; of layout "nd", row by row."""

    title: str
    kind: str
    bytes: int
    boxes: dict[str, tuple[int | str, int | str]]
    line: int = ALIGNMENT
    """What is one row there is a multiple of so many bytes."""


SPACES = {
    "ub": Space("the unified buffer", "aiv", 184 * 1024, {}),  # 8 KiB of the 192 are the instructions' own
    "mat": Space("L1", "aic", 512 * 1024, {"nz": (16, "c"), "zn": ("c", 16), "nd": (1, "c")}),
    "left": Space("L0A", "aic", 64 * 1024, {"nz": (16, "c")}, 512),
    "right": Space("L0B", "aic", 64 * 1024, {"zn": ("c", 16)}),
    "acc": Space("L0C", "aic", 128 * 1024, {"nz": (16, 16)}),
    "bias": Space("the bias table", "aic", 1024, {}, 64),
    "scaling": Space("the scaling buffer", "aic", 2048, {}, 128),
}
ROWS = ("bias", "scaling")
"""Spaces of single rows."""
WAYS = {
    ("ub", "ub"): "V",
    ("mat", "left"): "MTE1",
    ("mat", "right"): "MTE1",
    ("mat", "bias"): "MTE1",
    ("mat", "scaling"): "FIX",
    ("acc", "mat"): "FIX",
}
"""The pipe that moves a tile from one space to another."""
PADS = ("zero", "max", "min")
"""What `tfillpad` puts where nothing is: 0, or the dtype's largest or smallest number, of floats an infinity."""
STORES = {"ub": "MTE3", "mat": "MTE3", "acc": "FIX"}


@dataclass(frozen=True)
class Region:
    """Bytes of the buffer, or indices of a tensor in each dimension."""

    memory: str | int
    ranges: tuple[tuple[int, int], ...]

    def meets(self, other: Region) -> bool:
        """Whether both have an element in common."""
        return self.memory == other.memory and all(a < d and c < b for (a, b), (c, d) in zip(self.ranges, other.ranges))

    def covers(self, other: Region) -> bool:
        """Whether everything of the other is in this one."""
        return self.memory == other.memory and all(a <= c and d <= b for (a, b), (c, d) in zip(self.ranges, other.ranges))


@dataclass(frozen=True)
class Access:
    """That an instruction, the `number`-th of its pipe, touched something."""

    region: Region
    writes: bool
    pipe: str
    number: int
    instruction: str


@dataclass
class Tile:
    """A tile's address in a memory, and its elements as that holds them: of a mask a bit each, of others a row behind the other, whatever
    the layout, since no other tile sees what is in it."""

    value: Value
    buffer: Any
    shape: tuple[int, ...]
    """Of what is valid."""
    region: Region | None
    space: str
    turned: bool
    bits: bool
    extents: tuple[int, ...]
    """Of its buffer, valid or not."""
    layout: str = ""
    pad: str | None = None

    def get(self) -> Any:
        """The valid elements, as memory holds them."""
        held = np.unpackbits(self.buffer, axis=-1, bitorder="little").view(np.bool_) if self.bits else self.buffer
        return held[tuple(slice(0, count) for count in self.shape)]

    def put(self, data: Any) -> None:
        """Writes the valid elements; of a mask whole bytes."""
        if self.bits:
            data = np.packbits(data, axis=-1, bitorder="little")
        self.buffer[tuple(slice(0, count) for count in data.shape)] = data


@dataclass
class Core:
    """A core while a kernel runs."""

    kind: str
    memories: dict[str, Any] = field(default_factory=dict)
    tiles: dict[int, Tile] = field(default_factory=dict)
    kept: dict[tuple[Any, ...], Any] = field(default_factory=dict)
    """Tiles without addresses that keep what is in them, by dtype, space and blocks."""
    issued: dict[str, int] = field(default_factory=dict)
    known: dict[str, dict[str, int]] = field(default_factory=dict)
    """What each pipe knows of the others when it takes its next instruction: how many of theirs have ended."""
    flags: dict[tuple[str, str, int], dict[str, int]] = field(default_factory=dict)
    waits: dict[tuple[str, str, int], int] = field(default_factory=dict)
    accesses: list[Access] = field(default_factory=list)
    drained: bool = False
    one_by_one: bool = False
    """Whether each instruction begins when all earlier ones have ended, whatever pipes they are on."""

    def __post_init__(self) -> None:
        self.issued = dict.fromkeys(self.pipes, 0)
        self.known = {pipe: dict.fromkeys(self.pipes, 0) for pipe in self.pipes}

    @property
    def pipes(self) -> tuple[str, ...]:
        """Those that a core of this kind has."""
        return PIPES[self.kind]

    def memory(self, space: str) -> Any:
        """The bytes of a space; what was never written is all ones."""
        if space not in self.memories:
            self.memories[space] = np.full(SPACES[space].bytes, 0xFF, np.uint8)
        return self.memories[space]

    def take(self, pipe: str) -> int:
        """The number of the next instruction of a pipe."""
        self.issued[pipe] += 1
        self.drained = False
        return self.issued[pipe]

    def touch(self, pipe: str, instruction: str, touched: Iterable[tuple[Region, bool]]) -> None:
        """An instruction: what it touches must be ordered behind what touched the same."""
        if self.one_by_one:
            return
        number, known = self.take(pipe), self.known[pipe]
        fresh = [Access(region, writes, pipe, number, instruction) for region, writes in touched]
        for access in fresh:
            for earlier in self.accesses:
                if pipe == earlier.pipe and pipe == "M":
                    continue  # the cube adds up in order
                if (access.writes or earlier.writes) and known[earlier.pipe] < earlier.number and access.region.meets(earlier.region):
                    raise HtpError(
                        f"`{instruction}` on pipe {pipe} touches what `{earlier.instruction}` on pipe {earlier.pipe} may still be working on: "
                        + ("a barrier is missing" if pipe == earlier.pipe else "a flag from one to the other is missing")
                    )
        written = [access.region for access in fresh if access.writes]
        self.accesses = [old for old in self.accesses if not any(region.covers(old.region) for region in written)] + fresh

    def learn(self, pipe: str, news: dict[str, int]) -> None:
        """A pipe goes on when all this has ended."""
        known = self.known[pipe]
        for other, number in news.items():
            known[other] = max(known[other], number)


_core: Core | None = None


def core() -> Core | None:
    """The core that runs a kernel now; none in the stages before there are any."""
    return _core


@contextmanager
def aiv() -> Iterator[None]:
    """A kernel on a vector core: its flags are all waited for at its end, and nothing is on its way."""
    with _kernel("aiv"):
        yield


@contextmanager
def aic() -> Iterator[None]:
    """A kernel on a cube core, in the same way."""
    with _kernel("aic"):
        yield


@contextmanager
def one_by_one(kind: str = "aiv") -> Iterator[None]:
    """A kernel, of whose instructions each begins when the one before has ended: what comes before flags are."""
    if kind not in KINDS:
        raise HtpError(f"the kinds of cores are {', '.join(KINDS)}, and {kind!r} is none")
    with _core_running(Core(kind, one_by_one=True)):
        yield


def turns(steps: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Each step with 0 and 1 in turn: which of two buffers, and of two events, an iteration uses."""
    for number, step in enumerate(steps):
        yield number % 2, step


@contextmanager
def _kernel(kind: str) -> Iterator[None]:
    with _core_running(Core(kind)) as running:
        yield
    if running.flags:
        raise HtpError(f"at the end of a kernel nobody has waited for {', '.join(_flag(flag) for flag in running.flags)}")
    if not running.drained:
        raise HtpError("a kernel ends before what it stores has left: `drain` is its last instruction")


@contextmanager
def _core_running(running: Core) -> Iterator[Core]:
    global _core
    if _core is not None:
        raise HtpError("a kernel does not begin within another one")
    _core = running
    try:
        yield running
    finally:
        _core = None


def _flag(flag: tuple[str, str, int]) -> str:
    return f"flag {flag[2]} from {flag[0]} to {flag[1]}"


def _pipe(pipe: str) -> str:
    running = _running()
    if pipe not in running.pipes:
        raise HtpError(f"the pipes of a {KINDS[running.kind]} are {', '.join(running.pipes)}, and {pipe!r} is none")
    return pipe


def _event(source: str, destination: str, event: int) -> tuple[str, str, int]:
    if not 0 <= event < EVENTS or (event == EVENTS - 1 and destination == "S"):
        raise HtpError(f"the events from {source} to {destination} are 0 to {EVENTS - (2 if destination == 'S' else 1)}, and {event} is none")
    return _pipe(source), _pipe(destination), event


def _running() -> Core:
    if _core is None:
        raise HtpError("flags and barriers stand in a kernel: `with pto.aiv():`")
    return _core


def set_flag(source: str, destination: str, event: int) -> None:
    """Sets a flag when all earlier instructions of the source have ended."""
    running, flag = _running(), _event(source, destination, event)
    if flag in running.flags:
        raise HtpError(f"{_flag(flag)} is set, and nobody has waited for it since it was set before")
    if running.known[source][destination] < running.waits.get(flag, 0):
        raise HtpError(f"{_flag(flag)} is set again, and {destination} may still have to wait for it")
    number = running.take(source)
    running.flags[flag] = {**running.known[source], source: number}


def wait_flag(source: str, destination: str, event: int) -> None:
    """The destination goes on when the flag was set."""
    running, flag = _running(), _event(source, destination, event)
    if flag not in running.flags:
        raise HtpError(f"{destination} waits for {_flag(flag)}, which is not set: it never goes on")
    running.learn(destination, running.flags.pop(flag))
    running.waits[flag] = running.take(destination)


def pipe_barrier(pipe: str) -> None:
    """A pipe goes on when its earlier instructions have ended; "ALL" are all pipes, of all."""
    running = _running()
    for one in running.pipes if pipe == "ALL" else (_pipe(pipe),):
        running.learn(one, running.issued if pipe == "ALL" else {one: running.issued[one]})


def drain() -> None:
    """Goes on when everything has left that was stored."""
    running = _running()
    for pipe in sorted(set(STORES.values()) & set(running.pipes)):
        running.learn("S", {**running.known[pipe], pipe: running.issued[pipe]})
    running.drained = True


def tile(
    dtype: type[Any],
    extents: tuple[int, ...],
    valid: tuple[int, ...] | None,
    at: int | None,
    space: str = "ub",
    layout: str | None = None,
    pad: str | None = None,
    kept: bool = False,
    starts: tuple[int | None, ...] = (),
) -> Any:
    """A tile of capacity `extents`, of which `valid` count: somewhere, or at a byte of its space. `layout` is for a space that
    has several, `pad` for what is around what counts; `kept` is what was there before: at these bytes, or, somewhere, in the tile whose extents are the same
    blocks, which begin at `starts`."""
    counted = extents if valid is None else valid
    if len(counted) != len(extents) or any(not 0 < count <= extent for count, extent in zip(counted, extents)):
        raise HtpError(f"a tile of capacity {by(extents)} does not hold {by(counted)}")
    if space not in SPACES:
        raise HtpError(f"the spaces of tiles are {', '.join(SPACES)}, and {space!r} is none")
    where = SPACES[space]
    layouts = list(where.boxes)
    lines = space == "ub" and layout == "nd" and at is None and len(extents) == 2 and extents[1] == 1
    if layout is not None and not lines and (len(layouts) < 2 or layout not in layouts):
        raise HtpError(f"a tile in {where.title} " + (f"has the layouts {', '.join(layouts)}, not {layout!r}" if len(layouts) > 1 else "has no layout to choose"))
    if pad is not None and (pad not in PADS or space != "ub"):
        raise HtpError(f"a tile in {where.title} is padded with {pad!r}: there are {', '.join(PADS)}, in {SPACES['ub'].title}")
    if kept and at is None and not (_core and _core.one_by_one):
        raise HtpError("a tile that keeps what is there has an address: `at=0`")
    turned = layout == "zn"
    bits = dtype.name == "bool_"
    poison = dtype.encode(np.full(extents, dtype.poison, dtype.element))
    if at is None:
        key = (dtype.name, space, extents, starts)
        if kept and _core and key in _core.kept:
            return _core.kept[key]
        held = np.packbits(poison, axis=-1, bitorder="little") if bits else poison
        value = dtype.of(poison[tuple(slice(0, count) for count in counted)], 0)
        if kept and _core:
            _core.kept[key] = value
        return _made(Tile(value, held, tuple(counted), None, space, turned, bits, tuple(extents), layout or "", pad))
    running = _running()
    if where.kind != running.kind:
        raise HtpError(f"{where.title} is a {KINDS[where.kind]}'s, and this is a {KINDS[running.kind]}")
    size = dtype.storage.itemsize
    if len(extents) != 2 or at % ALIGNMENT:
        raise HtpError(f"a tile of {by(extents)} {dtype.name} at byte {at}: it has rows and columns, and begins at a multiple of {ALIGNMENT} bytes")
    if space in ROWS or (space == "left" and extents[0] == 1):
        if bits or extents[0] != 1 or extents[1] * size % where.line:
            raise HtpError(f"a tile of {by(extents)} {dtype.name} in {where.title} is not one row of a multiple of {where.line} bytes")
    elif where.boxes:
        box = [ALIGNMENT // size if part == "c" else int(part) for part in where.boxes[layout or next(iter(where.boxes))]]
        if bits or any(extent % part for extent, part in zip(extents, box)):
            raise HtpError(f"a tile of {by(extents)} {dtype.name} in {where.title} is not made of boxes of {by(box)}")
    elif (extents[0] if extents[-1] == 1 else extents[-1]) * size % (ALIGNMENT * (8 if bits else 1)):
        raise HtpError(f"a tile of {by(extents)} {dtype.name} at byte {at}: its lines end at multiples of {ALIGNMENT} bytes")
    width = math.prod(extents) * size // (8 if bits else 1)
    if not 0 <= at <= where.bytes - width:
        raise HtpError(f"a tile of {width} bytes at byte {at} is outside of {where.title}, which has {where.bytes}")
    memory = running.memory(space)[at : at + width]
    held = memory.reshape(extents[0], extents[1] // 8) if bits else memory.view(dtype.storage).reshape(extents)
    if not kept:
        held[...] = 0xFF if bits else poison
    value = dtype.of(poison[tuple(slice(0, count) for count in counted)], 0)
    return _made(Tile(value, held, tuple(counted), Region(space, ((at, at + width),)), space, turned, bits, tuple(extents), layout or "", pad))


def gm(dtype: type[Any], extents: Sequence[Extent]) -> Any:
    """A tensor in global memory, of one run."""
    if _core is not None:
        raise HtpError("global memory is made outside of kernels: before the `with`")
    return buffer(dtype, extents)


_tiles: dict[int, Tile] = {}
_most_tiles = 256


def _made(one: Tile) -> Value:
    global _most_tiles
    tiles = _tiles if _core is None else _core.tiles
    if _core is None and len(tiles) > _most_tiles:  # those that no name stands for any more
        for key in [key for key, old in tiles.items() if sys.getrefcount(old.value) == 2]:
            del tiles[key]
        _most_tiles = max(256, 2 * len(tiles))
    tiles[id(one.value)] = one
    return one.value


def _tile(x: Value) -> Tile | None:
    found = (_tiles if _core is None else _core.tiles).get(id(x))
    return found if found is not None and found.value is x else None


def the_tile(instruction: str, x: Any) -> Tile:
    """A tile that was declared."""
    one = _tile(x)
    if one is None:
        raise HtpError(f"`{instruction}` writes to a tile, and this is none")
    return one


def read_tile(instruction: str, x: Any) -> Tile:
    """A tile that is read: one that was declared, or, before there are kernels, a value of the program, which has no address yet."""
    one = _tile(x)
    if one is not None:
        return one
    if _core is not None or not isinstance(x, Value):
        raise HtpError(f"`{instruction}` is given {type(x).__name__}, which is no tile")
    shape = np.shape(x.data)
    return Tile(x, None, shape, None, "ub", False, x.name == "bool_", shape)


def read(x: Any) -> Any:
    """The value of a tile now; a literal, or an int, as it is."""
    one = _tile(x)
    return x.of(x.decode(one.get()), x.depth) if one is not None else x


def space_of(instruction: str, x: Any) -> str:
    """Where a tile lies."""
    return read_tile(instruction, x).space


def shape_of(instruction: str, x: Any) -> tuple[int, ...]:
    """What is valid of a tile."""
    return read_tile(instruction, x).shape


def capacity_of(instruction: str, x: Any) -> tuple[int, ...]:
    """How many elements a tile holds, valid or not."""
    return read_tile(instruction, x).extents


def value(instruction: str, source: Any, index: tuple[int, ...]) -> int:
    """The int at an index of a tensor that nothing writes: there is nothing to be ordered behind."""
    if source.name not in ("i32", "i64"):
        raise HtpError(f"`{instruction}` reads i32 and i64, and this is {source.name}")
    return position(load(source, index))


def is_free(x: Any) -> bool:
    """Whether a tile has no address yet."""
    one = _tile(x)
    return one is not None and one.region is None and one.space == "ub"


def work_holds(instruction: str, work: Any, columns: int) -> None:
    """A row to work in is long enough."""
    if (one := _tile(work)) is not None and one.shape[-1] < columns:
        raise HtpError(f"`{instruction}` works in a row of at least {columns} columns, and `work` has {one.shape[-1]}")


def apart(instruction: str, target: Any, source: Any) -> None:
    """An instruction does not write where this is read."""
    if any(a.meets(b) for a in regions(target) for b in regions(source)):
        raise HtpError(f"`{instruction}` overwrites what it still reads")


def same_memory(instruction: str, target: Any, source: Any) -> None:
    """Two tiles lie at the same bytes, where they have addresses yet."""
    if regions(target) != regions(source):
        raise HtpError(f"`{instruction}` works on tiles at the same bytes: give both the same `at=`")


def execute(pipe: str, instruction: str, target: Any, result: Any, *sources: Any, apart: bool = False, work: Any = None) -> None:
    """An instruction: writes a result, made of sources, to a tile. `apart`: it cannot overwrite what it reads. `work` is left as anything."""
    one = the_tile(instruction, target)
    data = np.asarray(result.data)
    if [n for n in data.shape if n != 1] != [n for n in one.shape if n != 1]:
        raise HtpError(f"`{instruction}` makes {by(data.shape)} elements, and the tile has {by(one.shape)}")
    agree(instruction, one.shape, [np.shape(read(source).data) for source in sources if isinstance(source, Value)])
    if _core is not None and pipe != "MTE2":  # which `transfer` tells of
        read_ones = [region for source in sources for region in regions(source)]
        written = regions(target) + regions(work)
        met = [(a, b) for a in read_ones for b in written if a.meets(b)] if apart else []
        if met or any(a.meets(b) for a in regions(target) for b in regions(work)):
            raise HtpError(f"`{instruction}` overwrites what it still reads")
        _core.touch(pipe, instruction, [(region, False) for region in read_ones] + [(region, True) for region in written])
    if work is not None and (scratch := _tile(work)) is not None:
        scratch.put(work.encode(np.full(scratch.shape, work.poison, work.element)))
    one.put(target.encode(data.reshape(one.shape)))
    target.depth = result.depth


def rows_at(instruction: str, table: Value, index: Any, one: Any) -> Any:
    """Which rows of a matrix in global memory a row of indices names, one for each row of a tile."""
    rows, columns = the_tile(instruction, one).shape
    chosen = np.asarray(read(index).data).reshape(-1)
    if len(table.data.shape) != 2 or table.name != one.name or columns > table.data.shape[1]:
        raise HtpError(f"`{instruction}` moves rows of {columns} {one.name}, and the table is {by(table.data.shape)} {table.name}")
    if the_tile(instruction, index).shape != (1, rows):
        raise HtpError(f"`{instruction}` takes a row of {rows} indices, one for each row of the tile, and is given {by(the_tile(instruction, index).shape)}")
    if ((chosen < 0) | (chosen >= table.data.shape[0])).any():
        raise HtpError(f"`{instruction}` is given an index outside of the {table.data.shape[0]} rows of the table")
    return chosen


def whole_table(pipe: str, instruction: str, table: Value, writes: bool) -> None:
    """That an instruction may touch any of a tensor's elements."""
    if _core is not None:
        _core.touch(pipe, instruction, [(Region(id(table), tuple((0, n) for n in table.data.shape)), writes)])


def regions(x: Any) -> list[Region]:
    """The bytes of a placed tile."""
    one = _tile(x) if isinstance(x, Value) else None
    return [one.region] if one is not None and one.region is not None else []


def touch(pipe: str, instruction: str, *sources: Any, target: Any = None) -> None:
    """That an instruction reads tiles, and writes one, or none."""
    if _core is not None:
        _core.touch(pipe, instruction, [(region, False) for source in sources for region in regions(source)] + [(region, True) for region in regions(target)])


def transfer(pipe: str, instruction: str, tensor: Value, index: tuple[Any, ...], one: Value, *read_too: Value) -> None:
    """That an instruction moves between a slice of a tensor and a tile, and what else it reads."""
    if _core is None:
        return
    shape, origin = tensor.data.shape or (1,), tensor.origin or (0,)  # a scalar parameter has one element
    if len(index) != len(shape):
        raise HtpError(f"`{tensor.tensor}` has {len(shape)} dimensions, and {len(index)} indices are given")
    ranges = []
    for part, size, first in zip(index, shape, origin):
        if isinstance(part, slice):
            start, stop, _ = part.indices(size)
        elif isinstance(part, Block):
            start, stop = part.start - first, part.stop - first
        else:
            start = operator.index(part) - first
            stop = start + 1
        ranges.append((start, stop))
    loads = pipe == "MTE2"
    _core.touch(pipe, instruction, [(Region(id(tensor), tuple(ranges)), not loads)] + [(region, loads) for region in regions(one)] + [(region, False) for other in read_too for region in regions(other)])


def by(counts: Iterable[Any]) -> str:
    """Extents, for messages."""
    return " x ".join(str(int(count)) for count in counts)
