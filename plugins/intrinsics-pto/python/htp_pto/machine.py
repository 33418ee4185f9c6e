"""What a core does when a stage runs under plain Python: its buffer memory, and the order in which its pipes work.

Each instruction runs on a pipe. A pipe takes its instructions in order, and pipes wait for each other only where a flag or a barrier says so. Here
they run one after the other, and two that touch the same bytes, one of them writing, must be ordered by what the program says: so a stage that lacks
a flag raises, whatever this run happened to compute.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from htp import HtpError, Value

PIPES = ("MTE2", "V", "MTE3", "S")
"""What loads, computes and stores; and what hands out the instructions."""
BUFFER = 184 * 1024
"""Bytes of the unified buffer that a program may use: 8 KiB of the 192 are the instructions' own."""
ALIGNMENT = 32
EVENTS = 8


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
    word: str


@dataclass
class Tile:
    """A tile's place in the buffer, and its elements as memory holds them."""

    value: Value
    memory: Any
    region: Region | None


@dataclass
class Core:
    """A core while a kernel runs."""

    buffer: Any = field(default_factory=lambda: np.full(BUFFER, 0xFF, np.uint8))
    tiles: dict[int, Tile] = field(default_factory=dict)
    issued: dict[str, int] = field(default_factory=lambda: dict.fromkeys(PIPES, 0))
    known: dict[str, dict[str, int]] = field(default_factory=lambda: {pipe: dict.fromkeys(PIPES, 0) for pipe in PIPES})
    """What each pipe knows of the others when it takes its next instruction: how many of theirs have ended."""
    flags: dict[tuple[str, str, int], dict[str, int]] = field(default_factory=dict)
    waits: dict[tuple[str, str, int], int] = field(default_factory=dict)
    accesses: list[Access] = field(default_factory=list)
    drained: bool = False
    one_by_one: bool = False
    """Whether each instruction begins when all earlier ones have ended, whatever pipes they are on."""

    def take(self, pipe: str) -> int:
        """The number of the next instruction of a pipe."""
        self.issued[pipe] += 1
        self.drained = False
        return self.issued[pipe]

    def touch(self, pipe: str, word: str, touched: Iterable[tuple[Region, bool]]) -> None:
        """An instruction: what it touches must be ordered behind what touched the same."""
        number, known = self.take(pipe), self.known[pipe]
        if self.one_by_one:
            return
        fresh = [Access(region, writes, pipe, number, word) for region, writes in touched]
        for access in fresh:
            for earlier in self.accesses:
                if pipe == earlier.pipe and access.region.memory != "ub":
                    continue  # to and from a tensor one pipe moves in order
                if (access.writes or earlier.writes) and known[earlier.pipe] < earlier.number and access.region.meets(earlier.region):
                    raise HtpError(
                        f"`{word}` on pipe {pipe} touches what `{earlier.word}` on pipe {earlier.pipe} may still be working on: "
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
    with _core_running(Core()) as running:
        yield
    if running.flags:
        raise HtpError(f"at the end of a kernel nobody has waited for {', '.join(_flag(flag) for flag in running.flags)}")
    if not running.drained:
        raise HtpError("a kernel ends before what it stores has left: `drain` is its last instruction")


@contextmanager
def one_by_one() -> Iterator[None]:
    """A kernel on a vector core of which each instruction begins when the one before has ended: what comes before flags are."""
    with _core_running(Core(one_by_one=True)):
        yield


def turns(steps: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Each step with 0 and 1 in turn: which of two places, and of two events, an iteration uses."""
    for number, step in enumerate(steps):
        yield number % 2, step


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
    if pipe not in PIPES:
        raise HtpError(f"the pipes of a vector core are {', '.join(PIPES)}, and {pipe!r} is none")
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
    for one in PIPES if pipe == "ALL" else (_pipe(pipe),):
        running.learn(one, running.issued if pipe == "ALL" else {one: running.issued[one]})


def drain() -> None:
    """Goes on when everything has left that was stored."""
    running = _running()
    running.learn("S", {**running.known["MTE3"], "MTE3": running.issued["MTE3"]})
    running.drained = True


def tile(dtype: type[Any], extents: tuple[int, ...], valid: tuple[int, ...] | None, at: int | None) -> Any:
    """A tile with room for `extents` elements, of which `valid` count: somewhere, or at a byte of the buffer."""
    counted = extents if valid is None else valid
    if len(counted) != len(extents) or any(not 0 < count <= room for count, room in zip(counted, extents)):
        raise HtpError(f"a tile with room for {_by(extents)} elements does not hold {_by(counted)}")
    shown = tuple(slice(0, count) for count in counted)
    if at is None:
        memory = dtype.encode(np.full(extents, dtype.poison, dtype.element))[shown]
        return _made(Tile(dtype.of(memory, 0), memory, None))
    running = _running()
    size, width = dtype.storage.itemsize, math.prod(extents) * dtype.storage.itemsize
    line = extents[0] if extents[-1] == 1 else extents[-1]
    if len(extents) != 2 or at % ALIGNMENT or line * size % ALIGNMENT:
        raise HtpError(f"a tile of {_by(extents)} {dtype.name} at byte {at}: it begins, and its lines end, at multiples of {ALIGNMENT} bytes")
    if not 0 <= at <= BUFFER - width:
        raise HtpError(f"a tile of {width} bytes at byte {at} is outside the buffer, which has {BUFFER}")
    room = running.buffer[at : at + width].view(dtype.storage).reshape(extents)
    room[...] = dtype.encode(np.full(extents, dtype.poison, dtype.element))
    return _made(Tile(dtype.of(room[shown], 0), room[shown], Region("ub", ((at, at + width),))))


_tiles: dict[int, Tile] = {}


def _made(one: Tile) -> Value:
    tiles = _tiles if _core is None else _core.tiles
    if _core is None and len(tiles) > 256:  # those of loops that are over
        tiles.pop(next(iter(tiles)))
    tiles[id(one.value)] = one
    return one.value


def _tile(x: Value) -> Tile | None:
    found = (_tiles if _core is None else _core.tiles).get(id(x))
    return found if found is not None and found.value is x else None


def read(x: Any) -> Any:
    """The value of a tile now; a literal, or an int, as it is."""
    one = _tile(x)
    return x.of(x.decode(one.memory), x.depth) if one is not None else x


def execute(pipe: str, word: str, target: Any, result: Any, *sources: Any, apart: bool = False, work: Any = None) -> None:
    """An instruction: writes a result, made of sources, to a tile. `apart`: it cannot overwrite what it reads. `work` is left as anything."""
    one = _tile(target)
    if one is None:
        raise HtpError(f"`{word}` writes to a tile, and this is none")
    data = np.asarray(result.data)
    if data.size != one.memory.size or [n for n in data.shape if n != 1] != [n for n in one.memory.shape if n != 1]:
        raise HtpError(f"`{word}` makes {_by(data.shape)} elements, and the tile has {_by(one.memory.shape)}")
    if _core is not None and pipe == "V":
        read_ones = [region for source in sources for region in regions(source)]
        written = regions(target) + regions(work)
        met = [(a, b) for a in read_ones for b in written if a.meets(b)] if apart else []
        if met or any(a.meets(b) for a in regions(target) for b in regions(work)):
            raise HtpError(f"`{word}` overwrites what it still reads")
        _core.touch(pipe, word, [(region, False) for region in read_ones] + [(region, True) for region in written])
    if work is not None and (scratch := _tile(work)) is not None:
        scratch.memory[...] = work.encode(np.full(scratch.memory.shape, work.poison, work.element))
    one.memory[...] = target.encode(data.reshape(one.memory.shape))
    target.depth = result.depth


def regions(x: Any) -> list[Region]:
    """The bytes of a placed tile."""
    one = _tile(x) if isinstance(x, Value) else None
    return [one.region] if one is not None and one.region is not None else []


def transfer(pipe: str, word: str, tensor: Value, index: tuple[Any, ...], one: Value) -> None:
    """That an instruction moves between a place of a tensor and a tile."""
    if _core is None:
        return
    if len(index) != len(tensor.data.shape):
        raise HtpError(f"`{tensor.tensor}` has {len(tensor.data.shape)} dimensions, and {len(index)} indices are given")
    places = []
    for part, size, first in zip(index, tensor.data.shape, tensor.origin):
        if isinstance(part, slice):
            start, stop, _ = part.indices(size)
        else:
            start = operator.index(part) - first
            stop = start + 1
        places.append((start, stop))
    loads = pipe == "MTE2"
    _core.touch(pipe, word, [(Region(id(tensor), tuple(places)), not loads)] + [(region, loads) for region in regions(one)])


def _by(counts: Iterable[Any]) -> str:
    return " x ".join(str(int(count)) for count in counts)
