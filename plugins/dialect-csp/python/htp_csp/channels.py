"""Bounded channels of tiles: what is put comes out in order, and a put waits while it is full."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import Any, Generic, TypeVar, cast

import htp
from htp import Block, Extent, HtpError, Value
from htp_csp.scheduler import Crew, Task

E = TypeVar("E", bound=Value)
Item = Extent | Iterable[Block]
"""An extent of a channel's items: an int, a dim, or the blocks that they are."""


class Channel(Generic[E]):
    """Carries items from the one process that puts to the one that gets, or to each of `readers`, in order.

    It holds at most `capacity` items; one of capacity 0 is a rendezvous, whose put ends when the item has been got. An item is
    a tile of the channel's dtype, with at most its extents, or nothing where the channel has no dtype.

    How many items a checked channel carries, data may decide: its writer closes it behind the last one, and a loop over it takes
    items until then.
    """

    def __init__(self, crew: Crew, dtype: type[E] | None, extents: Sequence[Item], capacity: int, readers: int, checked: bool = False) -> None:
        if capacity < 0:
            raise HtpError(f"a channel holds 0 items or more, not {capacity}")
        if readers < 1:
            raise HtpError(f"a channel has at least one reader, not {readers}")
        self.dtype = dtype
        self.extents = tuple(_most(extent) for extent in extents)
        self.capacity = capacity
        self.readers = readers
        self.checked = checked
        self.closed = False
        self.writer: Task | None = None
        self.getters: dict[Task, int] = {}
        self.puts = 0
        self._crew = crew
        self._items: deque[E | None] = deque()
        self._slot: E | None = None
        crew.channels.append(self)

    def put(self, item: E | None = None) -> None:
        """Adds an item; waits while it is full."""
        task = self._writer("put")
        self._check(item)
        task.wait(self, "put", self.has_capacity)
        self._items.append(item)
        self.puts += 1
        self._crew.moved(self)
        if self.capacity == 0:
            task.wait(self, "put", lambda: self.held == 0)

    def get(self) -> E:
        """Takes the next item; waits while there is none. Of a channel without a dtype it gives nothing of use."""
        task = self._reader("get")
        task.wait(self, "get", lambda: self.getters[task] < self.puts or self.closed)
        self._goes_on(task)
        item = self._items[self.getters[task] - (self.puts - len(self._items))]
        self.getters[task] += 1
        if self.puts - len(self._items) < self._least():
            self._items.popleft()
        self._crew.moved(self)
        return cast("E", item)

    def close(self) -> None:
        """Ends a checked channel: nothing is put behind it."""
        self._is_checked("close")
        self._writer("close")
        self.closed = True
        self._crew.moved(self)

    def more(self) -> bool:
        """Whether a checked channel has another item for this reader; waits until there is one, or the channel is closed."""
        self._is_checked("more")
        task = self._reader("more")
        task.wait(self, "get", lambda: self.getters[task] < self.puts or self.closed)
        return self.getters[task] < self.puts

    def __iter__(self) -> Iterator[E]:
        """The items of a checked channel, until it is closed."""
        while self.more():
            yield self.get()

    def get_of(self, extents: Sequence[Extent]) -> E:
        """Takes the next item, which has these extents."""
        item = self.get()
        if extents and item.data.shape != tuple(map(htp.size_of, extents)):
            raise HtpError(f"the item got from `{self.name}` is {_shape(item.data.shape)}, and {_shape(tuple(map(htp.size_of, extents)))} is expected here")
        return item

    # The same in two steps each, in place: what a target makes of it.

    def claim(self, extents: Sequence[Extent]) -> E | None:
        """A tensor to fill, where a block's dimension is indexed as the block is; waits while it is full."""
        task = self._writer("claim")
        task.wait(self, "put", self.has_capacity)
        self._slot = htp.buffer(self.dtype, extents) if self.dtype is not None else None
        return self._slot

    def publish(self) -> None:
        """Puts what was claimed."""
        self.put(self.dtype.of(self.dtype.decode(self._slot.data), self._slot.depth) if self.dtype is not None and self._slot is not None else None)

    def front(self, extents: Sequence[Extent]) -> E | None:
        """The next item as a tensor; waits while there is none."""
        task = self._reader("front")
        task.wait(self, "get", lambda: self.getters[task] < self.puts or self.closed)
        self._goes_on(task)
        item = self._items[self.getters[task] - (self.puts - len(self._items))]
        if self.dtype is None or item is None:
            return None
        if any(size > limit for size, limit in zip(item.data.shape, map(htp.size_of, extents))):
            raise HtpError(f"the item at the front of `{self.name}` is {_shape(item.data.shape)}, which is more than is expected here")
        slot = htp.buffer(self.dtype, extents)
        slot.data[...] = self.dtype.encode(item.data)
        slot.depth = item.depth
        return slot

    def release(self) -> None:
        """Gets the item at the front."""
        self.get()

    @property
    def name(self) -> str:
        """What the pipeline's body calls it."""
        for name, value in self._crew.names():
            if value is self:
                return name
            for at, one in value.items() if isinstance(value, Channels) else ():
                if one is self:
                    return f"{name}[{', '.join(map(str, at))}]"
        return f"channel {self._crew.channels.index(self)}"

    @property
    def held(self) -> int:
        """How many items are in the channel: put, and not yet got by every reader."""
        return len(self._items)

    def has_capacity(self) -> bool:
        return self.held < max(self.capacity, 1)

    def state(self, task: Task | None = None) -> str:
        """Its state, for messages; of a broadcast also what is left for whom, and what that is for one of its readers."""
        if self.capacity == 0:
            return "a rendezvous"
        left = {reader.name: self.puts - got for reader, got in self.getters.items() if self.puts > got}
        if self.readers > 1 and self.held:
            missing = self.readers - len(self.getters)
            behind = [f"`{name}` has {count} to get" for name, count in left.items()] + ([f"{missing} of its {self.readers} readers have got none"] if missing else [])
            if task in self.getters and task.name not in left:
                return f"empty for `{task}`: {', '.join(behind)}"
            return f"{'full, ' if not self.has_capacity() else ''}{self.held} of {self.capacity}: {', '.join(behind)}"
        return "empty" if not self.held else f"full, {self.held} of {self.capacity}" if not self.has_capacity() else f"{self.held} of {self.capacity}"

    def _writer(self, action: str) -> Task:
        task = self._crew.task(f"`{self.name}.{action}`")
        if self.writer not in (None, task):
            raise HtpError(f"`{self.writer}` and `{task}` both put into `{self.name}`: a channel has one writer, use one for each")
        if self.closed:
            raise HtpError(f"`{task}` {'closes' if action == 'close' else 'puts into'} `{self.name}`, which it has closed")
        self.writer = task
        return task

    def _reader(self, action: str) -> Task:
        task = self._crew.task(f"`{self.name}.{action}`")
        if task not in self.getters and len(self.getters) == self.readers:
            others = ", ".join(f"`{other}`" for other in self.getters)
            raise HtpError(
                f"{others} and `{task}` get from `{self.name}`, which has {self.readers}: for a broadcast say `readers={self.readers + 1}`"
            )
        self.getters.setdefault(task, 0)
        return task

    def _goes_on(self, task: Task) -> None:
        if self.getters[task] == self.puts:
            raise HtpError(f"`{task}` gets from `{self.name}`, which `{self.writer}` has closed: it has had all {self.puts} items")

    def _is_checked(self, action: str) -> None:
        if not self.checked:
            raise HtpError(f"`{self.name}` does not end: to {'close it' if action == 'close' else 'loop over it'}, declare it with `checked=True`")

    def _least(self) -> int:
        return min(self.getters.values()) if len(self.getters) == self.readers else 0

    def _check(self, item: E | None) -> None:
        if self.dtype is None:
            if item is not None:
                raise HtpError(f"`{self.name}` carries no items: `put()`")
            return
        if item is None:
            raise HtpError(f"`{self.name}` carries tiles of {self.dtype.name}: `put` needs one")
        if type(item) is not self.dtype:
            raise HtpError(f"`{self.name}` carries {self.dtype.name}, and the item is {item.name}: cast it")
        shape = item.data.shape
        if len(shape) != len(self.extents) or any(size > most for size, most in zip(shape, self.extents)):
            raise HtpError(f"`{self.name}` carries tiles of at most {_shape(self.extents)}, and the item is {_shape(shape)}")

    def __str__(self) -> str:
        return self.name


class Channels(Generic[E]):
    """An array of channels: `lanes[i]`, `grid[i, j]`."""

    def __init__(self, extents: tuple[int, ...], each: list[Channel[E]]) -> None:
        self.extents = extents
        self._at = dict(zip(product(*(range(extent) for extent in extents)), each))

    def __getitem__(self, index: int | tuple[int, ...]) -> Channel[E]:
        at = index if isinstance(index, tuple) else (index,)
        if at not in self._at:
            raise HtpError(f"there is no channel {list(at)} in an array of {_shape(self.extents)}")
        return self._at[at]

    def items(self) -> Iterable[tuple[tuple[int, ...], Channel[E]]]:
        """Each channel and where it is."""
        return self._at.items()


def new_channel(dtype: type[E], extents: Sequence[Item], capacity: int, readers: int, checked: bool = False) -> Channel[E]:
    return Channel(Crew.current("channel"), dtype, extents, capacity, readers, checked)


def new_array(array: int | tuple[int, ...], dtype: type[E], extents: Sequence[Item], capacity: int, checked: bool = False) -> Channels[E]:
    shape = array if isinstance(array, tuple) else (array,)
    crew = Crew.current("channels")
    most = [_most(extent) for extent in extents]
    return Channels(shape, [Channel(crew, dtype, most, capacity, 1, checked) for _ in product(*(range(extent) for extent in shape))])


def new_event(readers: int) -> Channel[Any]:
    return Channel(Crew.current("event"), None, (), 0, readers)


def _shape(extents: tuple[int, ...]) -> str:
    return "×".join(map(str, extents)) or "one element"


def _most(extent: Item) -> int:
    """How many an item has at most in a dimension: of `tiles(M, 8)` the largest block."""
    return max((len(block) for block in extent), default=0) if isinstance(extent, Iterable) else htp.size_of(extent)
