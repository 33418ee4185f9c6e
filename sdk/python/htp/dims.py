"""Sizes and indices: named dimensions, which a kernel call binds to numbers, and blocks, which are ranges of an index."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from types import EllipsisType
from typing import TYPE_CHECKING, Any, Final, TypeAlias, Union, cast

from htp.errors import HtpError

if TYPE_CHECKING:
    from htp.values import Value

_sizes: ContextVar[Mapping[str, int]] = ContextVar("htp_sizes", default={})


@contextmanager
def bound(sizes: Mapping[str, int]) -> Iterator[None]:
    """Gives the dimensions named in `sizes` their values until the block ends; others keep those they have, of an entry that calls this one."""
    token = _sizes.set({**_sizes.get(), **sizes})
    try:
        yield
    finally:
        _sizes.reset(token)


class Dim:
    """A dimension known by its name. Inside a kernel call it counts as the int its arguments gave it."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        if not name.isidentifier():
            raise HtpError(f"a dimension's name is an identifier, not {name!r}")
        self.name = name

    @property
    def size(self) -> int:
        try:
            return _sizes.get()[self.name]
        except KeyError:
            raise HtpError(f"dimension `{self.name}` has no size here: only the arguments of a running kernel give it one") from None

    def __index__(self) -> int:
        return self.size

    __int__ = __index__

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Dim):
            return self.name == other.name or self.size == other.size
        return isinstance(other, int) and self.size == other

    def __hash__(self) -> int:
        return hash(("htp.dim", self.name))

    def __repr__(self) -> str:
        return self.name


class Computed:
    """An int made of dimensions, such as `M + 2`: an extent of a type. It has a size where the dimensions have theirs."""

    __slots__ = ("function", "parts", "symbol")

    def __init__(self, function: Callable[..., Any], symbol: str, *parts: object) -> None:
        self.function = function
        self.symbol = symbol
        self.parts = parts

    def __index__(self) -> int:
        return measured(self, _sizes.get())

    __int__ = __index__

    def __repr__(self) -> str:
        shown = [f"({part!r})" if isinstance(part, Computed) else repr(part) for part in self.parts]
        return f"-{shown[0]}" if len(shown) == 1 else f"{shown[0]} {self.symbol} {shown[1]}"


def measured(extent: object, sizes: Mapping[str, int]) -> int:
    """An extent of a type as an int, by the sizes of the dimensions."""
    if isinstance(extent, Dim):
        if extent.name not in sizes:
            raise HtpError(f"dimension `{extent.name}` has no size here: only the arguments of a running kernel give it one")
        return sizes[extent.name]
    if isinstance(extent, Computed):
        return operator.index(extent.function(*(measured(part, sizes) for part in extent.parts)))
    return operator.index(cast(Any, extent))


def gives(extent: object) -> tuple[str, int, int] | None:
    """The dimension that an extent gives its size, how many times it is, and what is added: `M` once, `4 * M + 2` four times; of another
    extent nothing."""
    if isinstance(extent, Dim):
        return extent.name, 1, 0
    if not isinstance(extent, Computed) or extent.symbol not in ("+", "-", "*"):
        return None
    for part, other in (extent.parts, extent.parts[::-1])[: 1 if extent.symbol == "-" else 2]:
        inner = gives(part)
        if inner is None or not isinstance(other, int):
            continue
        name, times, plus = inner
        if extent.symbol != "*":
            return name, times, plus + (other if extent.symbol == "+" else -other)
        if other >= 1:
            return name, times * other, plus * other
    return None


_COMPUTED: Final = {"add": "+", "sub": "-", "mul": "*", "floordiv": "//", "mod": "%", "neg": "-"}


def _computes(name: str) -> None:
    """What an operator makes of dimensions where they have no size: another extent."""
    function = getattr(operator, f"__{name}__")

    def apply(self: Computed, *others: object) -> Computed:
        return Computed(function, _COMPUTED[name], self, *others)

    def swapped(self: Computed, other: object) -> Computed:
        return Computed(function, _COMPUTED[name], other, self)

    setattr(Computed, f"__{name}__", apply)
    if name != "neg":
        setattr(Computed, f"__r{name}__", swapped)


for _name in _COMPUTED:
    _computes(_name)


class Size(int):
    """A number that dimensions gave, and what is computed of it: `N - 1` where N has a size. `P(1, N - 1)` ends there, `P(N, 64)` has blocks of 64."""

    __slots__ = ()


def _stays_size(name: str) -> None:
    function = getattr(int, f"__{name}__")

    def apply(self: Size, *others: object) -> object:
        made = function(self, *(other.size if isinstance(other, Dim) else other for other in others))
        return Size(made) if isinstance(made, int) else made

    setattr(Size, f"__{name}__", apply)


for _name in _COMPUTED:
    _stays_size(_name)
    if _name != "neg":
        _stays_size(f"r{_name}")


def _as_int(method: str, function: Callable[..., object]) -> None:
    symbol = method.strip("_")

    def apply(self: Dim, *others: object) -> object:
        word = symbol if symbol in _COMPUTED else symbol.removeprefix("r")
        known = (int, Dim, Computed)
        if word in _COMPUTED and self.name not in _sizes.get() and all(isinstance(other, known) for other in others):
            parts = (self, *others) if word == symbol else (*others, self)
            return Computed(getattr(operator, f"__{word}__"), _COMPUTED[word], *parts)
        made = function(self.size, *(other.size if isinstance(other, Dim) else other for other in others))
        return Size(made) if word in _COMPUTED and type(made) is int else made

    setattr(Dim, method, apply)


def _swapped(function: Callable[..., object]) -> Callable[..., object]:
    return lambda mine, other: function(other, mine)


for _name in ("add", "sub", "mul", "floordiv", "mod", "truediv", "pow", "lshift", "rshift", "and", "or", "xor"):
    _as_int(f"__{_name}__", getattr(operator, f"__{_name}__"))
    _as_int(f"__r{_name}__", _swapped(getattr(operator, f"__{_name}__")))
for _name in ("lt", "le", "gt", "ge", "neg", "pos", "invert", "abs"):
    _as_int(f"__{_name}__", getattr(operator, f"__{_name}__"))
_as_int("__bool__", bool)
_as_int("__float__", float)
_as_int("__divmod__", divmod)
_as_int("__rdivmod__", _swapped(divmod))


def dim(name: str) -> int:
    """A named dimension: `M = htp.dim("M")` stands in types, and for an int in the body of a kernel."""
    return cast(int, Dim(name))


class Block:
    """The consecutive indices `start` ≤ i < `stop` of a dimension: an index, an extent, and a thing to cut again.

    As an index it may be moved and spread: `i + 1` is the indices one further, `i * 2` every second one.
    """

    __slots__ = ("start", "stop", "step")

    def __init__(self, start: int, stop: int, step: int = 1) -> None:
        self.start = start
        self.stop = stop
        self.step = step

    @property
    def extent(self) -> int:
        return len(self.indices)

    @property
    def indices(self) -> range:
        return range(self.start, self.stop, self.step)

    def __add__(self, by: int) -> Block:
        by = operator.index(by)
        return Block(self.start + by, self.stop + by, self.step)

    __radd__ = __add__

    def __sub__(self, by: int) -> Block:
        return self + -operator.index(by)

    def __mul__(self, by: int) -> Block:
        by = operator.index(by)
        if by < 1:
            raise HtpError(f"a block is spread by 1 or more, not by {by}")
        start = self.start * by
        return Block(start, start + (self.extent - 1) * self.step * by + 1 if self.extent else start, self.step * by)

    __rmul__ = __mul__

    def __len__(self) -> int:
        return self.extent

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Block) and self.indices == other.indices

    def __hash__(self) -> int:
        return hash(self.indices)

    def __repr__(self) -> str:
        return f"[{self.start}, {self.stop})" + (f" by {self.step}" if self.step != 1 else "")


Index: TypeAlias = Union[int, Block, slice, EllipsisType, "Value"]
"""One index of a tensor: an int (gives extent 1), a block, `:`, the whole dimension, a slice, or a tile of integers; `...` is `:` of what is left."""

Extent: TypeAlias = Union[int, Block]
"""The size of a tile's dimension: an int, a dim or a block."""

whole: Final = slice(None)
"""`:` as a value: the whole of a dimension."""


def size_of(extent: Extent) -> int:
    """An extent as a plain int. Of `M - 2` there are none where M is less than 2, as in a `range` and in a slice."""
    return extent.extent if isinstance(extent, Block) else max(operator.index(extent), 0)


def cut(extent: Extent, size: int) -> Iterator[Block]:
    """The blocks of at most `size` indices that make up `extent`, in order; the last may be shorter. Of none, and of fewer, there are none, as in a `range`."""
    step = operator.index(size)
    if step < 1:
        raise HtpError(f"a block holds at least 1 index, not {step}")
    first, stop = (extent.start, extent.stop) if isinstance(extent, Block) else (0, operator.index(extent))
    for start in range(first, stop, step):
        yield Block(start, min(start + step, stop))
