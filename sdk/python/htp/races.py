"""Which iterations of a parallel loop touch the same place, while a call runs: what `ENTRY.races(…)` gives."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

Item = TypeVar("Item")
_NONE = -1


@dataclass(frozen=True)
class Race:
    """Two iterations of the parallel loop in line `line` touch one place of a tensor, and at least one of them writes it."""

    line: int
    tensor: str
    place: tuple[int, ...]
    iterations: tuple[Any, Any]


class _Memory:
    """Which iteration, by number, wrote each element last, and which two read it first."""

    def __init__(self, data: Any) -> None:
        self.data = data  # kept, so that no other memory comes to lie there
        self.number = np.arange(data.size).reshape(data.shape)
        self.writer, self.reader, self.second = (np.full(data.shape, _NONE) for _ in range(3))

    def touch(self, place: Any, writes: bool, iteration: int) -> tuple[tuple[int, ...], int] | None:
        """An element and another iteration that it was touched by, where one of the two writes it."""
        found = None
        for others in (self.writer, self.reader, self.second) if writes else (self.writer,):
            met = np.asarray(others[place])
            wrong = (met != _NONE) & (met != iteration)
            if found is None and wrong.any():
                at = int(np.asarray(self.number[place])[wrong].flat[0])
                found = tuple(int(n) for n in np.unravel_index(at, self.data.shape)), int(met[wrong].flat[0])
        if writes:
            self.writer[place] = iteration
            return found
        first, second = np.asarray(self.reader[place]), np.asarray(self.second[place])
        self.second[place] = np.where((first != _NONE) & (first != iteration) & (second == _NONE), iteration, second)
        self.reader[place] = np.where(first == _NONE, iteration, first)
        return found


class _Loop:
    def __init__(self, line: int) -> None:
        self.line = line
        self.items: list[Any] = []
        self.memories: dict[int, _Memory] = {}


class Watch:
    """The parallel loops that run, and what was found."""

    def __init__(self) -> None:
        self.races: dict[tuple[int, str], Race] = {}
        self.loops: list[_Loop] = []

    def run(self, iterable: Iterable[Item], line: int) -> Iterator[Item]:
        loop = _Loop(line)
        self.loops.append(loop)
        for item in iterable:
            loop.items.append(item)
            yield item
        self.loops.remove(loop)

    def touched(self, data: Any, name: str, origin: tuple[int, ...], place: Any, writes: bool) -> None:
        for loop in self.loops:
            if id(data) not in loop.memories:
                loop.memories[id(data)] = _Memory(data)
            met = loop.memories[id(data)].touch(place, writes, len(loop.items) - 1)
            if met is not None and (loop.line, name) not in self.races:
                where = tuple(n + first for n, first in zip(met[0], origin))
                self.races[loop.line, name] = Race(loop.line, name, where, (loop.items[met[1]], loop.items[-1]))


_watch: ContextVar[Watch | None] = ContextVar("watch", default=None)


@contextmanager
def watching() -> Iterator[Watch]:
    """Looks on at what runs within."""
    watch = Watch()
    before = _watch.set(watch)
    try:
        yield watch
    finally:
        _watch.reset(before)


def watched(iterable: Iterable[Item]) -> Iterable[Item]:
    """What the parallel loop that called for this one's caller runs over."""
    watch = _watch.get()
    return iterable if watch is None else watch.run(iterable, sys._getframe(2).f_lineno)


def touched(tensor: Any, place: Any, writes: bool) -> None:
    """A place of a tensor's memory, as NumPy indexes it, is read or written."""
    watch = _watch.get()
    if watch is not None and watch.loops:
        origin = getattr(tensor, "origin", (0,) * tensor.data.ndim)  # what a later stage allocates has none
        watch.touched(tensor.data, tensor.tensor or "", origin, place, writes)
