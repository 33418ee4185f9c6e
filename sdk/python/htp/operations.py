"""What intrinsics are made of: operations on values, by the table of meanings. The bodies of intrinsics call these.

They check what HTP checks (one dtype, extents equal or 1, tiles where tiles belong), so that a program which runs under plain
Python is one the compiler accepts, and errors are HTP's sentences rather than NumPy's.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Sequence
from typing import Any, NoReturn, TypeVar

import numpy as np

from htp import semantics
from htp.asynchronous import Token, begin
from htp.dims import Block, Dim, Extent, Index, size_of
from htp.errors import HtpError
from htp.indices import counted
from htp.races import touched
from htp.semantics import Data
from htp.values import IntegerValue, Value, bool_, f32, i8, i32

V = TypeVar("V", bound=Value)

# ── elementwise ─────────────────────────────────────────────────────────────────────────────────────────────────────────────
# These run once an element in a program whose loops are explicit: what is not needed on the way that succeeds is asked after it failed.


def unary(op: str, x: V) -> V:
    """The operation `op` of the table on each element."""
    cls = x.__class__
    try:
        meaning = cls.meanings[op]
    except (KeyError, AttributeError):
        _undefined(op, x)
    if x.tensor is not None:
        _refuse_tensors(op, x)
    return cls.of(meaning(x.data), x.depth + 1)


def binary(op: str, a: V | float, b: V | float) -> V:
    """The operation `op` of the table on each pair of elements; a literal takes the other's dtype."""
    left, right, data = _pair(op, a, b)
    depth = (left.depth if left.depth > right.depth else right.depth) + 1
    result: V = left.__class__.of(data, depth)
    return result


def compare(op: str, a: V | float, b: V | float) -> bool_:
    """The comparison `op` ("lt", …, or "above", "below" in the order of values) of the table on each pair of elements."""
    left, right, data = _pair(op, a, b)
    return bool_.of(data, left.depth if left.depth > right.depth else right.depth)


def fma(a: V | float, b: V | float, c: V | float) -> V:
    """a * b + c on each three elements, rounded once."""
    x: Any = a
    y: Any = b
    z: Any = c
    cls = x.__class__
    if cls is not y.__class__ or cls is not z.__class__:
        x, y, z = _weak("fma", a, b, c)
        cls = x.__class__
    try:
        meaning = cls.meanings["fma"]
    except (KeyError, AttributeError):
        _undefined("fma", x)
    if x.tensor is not None or y.tensor is not None or z.tensor is not None:
        _refuse_tensors("fma", x, y, z)
    if x.data.shape or y.data.shape or z.data.shape:
        _extents("fma", (x, y, z))
    result: V = cls.of(meaning(x.data, y.data, z.data), max(x.depth, y.depth, z.depth) + 1)
    return result


def word(a: i8, b: i8, c: i8, d: i8) -> i32:
    """Four bytes, each one element, as one integer: the first is the lowest."""
    parts = (a, b, c, d)
    if not all(isinstance(part, i8) for part in parts):
        raise HtpError("`word` is made of four i8 values")
    _refuse_tensors("word", *parts)
    bits = sum((int(part.data) & 255) << 8 * place for place, part in enumerate(parts))
    return i32.of(np.uint32(bits).view(np.int32), max(part.depth for part in parts))


def dot4(x: i32, y: i32, acc: i32) -> i32:
    """acc and the products of the four bytes of x, which have no sign, with those of y, which have one; it wraps around."""
    operands = (x, y, acc)
    if not all(isinstance(operand, i32) for operand in operands):
        raise HtpError("`dot4` multiplies the bytes of two i32 values and adds them to a third")
    _refuse_tensors("dot4", *operands)
    left, right = int(x.data) & 0xFFFFFFFF, int(y.data) & 0xFFFFFFFF
    total = int(acc.data)
    for place in (0, 8, 16, 24):
        byte = right >> place & 0xFF
        total += (left >> place & 0xFF) * (byte - (byte >> 7 << 8))
    return i32.of(np.uint32(total & 0xFFFFFFFF).view(np.int32), max(operand.depth for operand in operands) + 1)


def select(condition: bool_, a: V | float, b: V | float) -> V:
    """a where the condition holds, b elsewhere."""
    if not isinstance(condition, bool_):
        raise HtpError(f"`where` chooses by a bool_ value, not by {_kind(condition)}")
    x: Any = a
    y: Any = b
    if not isinstance(a, Value) and not isinstance(b, Value):
        literals: Any = f32 if isinstance(a, float) or isinstance(b, float) else i32
        x, y = _scalar(literals, a), _scalar(literals, b)
    elif x.__class__ is not y.__class__:
        x, y = _weak("where", a, b)
    _refuse_tensors("where", condition, x, y)
    depth = max(condition.depth, x.depth, y.depth)
    if condition.data.shape or x.data.shape or y.data.shape:
        _extents("where", (condition, x, y))
        result: V = x.of(np.where(condition.data, x.data, y.data), depth)
    else:
        result = x.of(x.data if condition.data else y.data, depth)
    return result


def convert(x: Value, dtype: type[V], rounding: str | None = None) -> V:
    """x as another dtype, rounded once as the table of meanings says, or as `rounding` does ("nearest", "toward_zero", "down", "up")."""
    if not isinstance(x, Value):
        raise HtpError(f"`cast` converts a value, not {_kind(x)}")
    _refuse_tensors("cast", x)
    if rounding is not None:
        return _rounded(x, _dtype(dtype), rounding)
    roundings = math.ceil(x.depth * x.unit / dtype.unit) if _dtype(dtype).unit else 0  # in units of the new dtype
    return dtype.of(dtype.convert(x.data), roundings + 1)


def _rounded(x: Value, dtype: type[V], rounding: str) -> V:
    if rounding not in semantics.ROUNDINGS:
        raise HtpError(f"`cast` rounds {', '.join(semantics.ROUNDINGS)}, not {rounding!r}")
    if x.element.kind != "f" or dtype.element.kind == "b":
        raise HtpError(f"`cast` with a rounding makes numbers of floats, not {dtype.name} of {x.name}")
    if dtype.element.kind != "f":
        return dtype.of(dtype.convert(semantics.ROUNDINGS[rounding](x.data)), x.depth + 1)
    nearest = dtype.convert(x.data)
    depth = math.ceil(x.depth * x.unit / dtype.unit) + 2
    if rounding == "nearest":
        return dtype.of(nearest, depth)
    return dtype.of(semantics.directed(x.data, nearest, rounding, dtype.encode, dtype.decode), depth)


def _pair(op: str, a: Any, b: Any) -> tuple[Any, Any, Data]:
    cls = a.__class__
    if cls is not b.__class__:
        if b.__class__ is float or b.__class__ is int:
            b = cls.of(cls.literal(b), 0) if isinstance(a, Value) else b
        else:
            a, b = _weak(op, a, b)
            cls = a.__class__
    try:
        meaning = cls.meanings[op]
    except (KeyError, AttributeError):
        _undefined(op, a)
    if a.tensor is not None or b.tensor is not None:
        _refuse_tensors(op, a, b)
    x, y = a.data, b.data
    if x.shape != y.shape:
        _extents(op, (a, b))
    return a, b, meaning(x, y)


def _weak(op: str, *operands: Any) -> Sequence[Any]:
    """The operands with literals made values of the dtype that the others share."""
    dtypes = {operand.__class__ for operand in operands if isinstance(operand, Value)}
    if len(dtypes) > 1:
        names = sorted(dtype.name for dtype in dtypes)
        raise HtpError(f"`{op}` takes operands of one dtype, not {' and '.join(names)}: cast one of them")
    if not dtypes:
        raise HtpError(f"`{op}` needs a value among its operands: literals alone have no dtype")
    dtype: Any = dtypes.pop()
    return [operand if isinstance(operand, Value) else _scalar(dtype, operand) for operand in operands]


def _scalar(dtype: Any, number: Any) -> Any:
    """A literal or an int as a value of the dtype."""
    return index(dtype, number.size) if isinstance(number, Dim) and dtype.element.kind in "iu" else dtype.of(dtype.literal(number), 0)


def _extents(op: str, operands: Sequence[Value]) -> None:
    """Refuses extents that neither agree nor are 1, the last under each other; scalars go with everything."""
    shapes = [operand.data.shape for operand in operands]
    rank = max(map(len, shapes))
    for axis, extents in enumerate(zip(*((1,) * (rank - len(shape)) + shape for shape in shapes))):
        if len(set(extents) - {1}) > 1:
            raise HtpError(f"`{op}` takes equal extents, or 1, but dimension {axis} has {' and '.join(map(str, extents))}")


def _undefined(op: str, x: object) -> NoReturn:
    if isinstance(x, Value):
        raise HtpError(f"`{op}` is not defined on {x.name}")
    raise HtpError(f"`{op}` needs a value among its operands: literals alone have no dtype")


def _refuse_tensors(op: str, *operands: Value) -> None:
    for operand in operands:
        if operand.tensor is not None:
            raise HtpError(f"`{op}` computes with tiles, and `{operand.tensor}` is a tensor: load a tile of it first")


def _kind(x: object) -> str:
    return f"{x.name}" if isinstance(x, Value) else f"{type(x).__name__} {x!r}"


def _dtype(dtype: type[V]) -> type[V]:
    if not (isinstance(dtype, type) and issubclass(dtype, Value) and hasattr(dtype, "element")):
        raise HtpError(f"{dtype!r} is not a dtype, such as f32")
    return dtype


# ── memory ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def full(dtype: type[V], value: float, extents: Sequence[Extent]) -> V:
    """A tile (without extents: a scalar) that holds one literal everywhere, or one int, which wraps around."""
    if isinstance(value, (int, Dim)) and not isinstance(value, bool) and _dtype(dtype).element.kind in "iu":
        element = index(dtype, int(value)).data
    else:
        element = _dtype(dtype).literal(int(value) if isinstance(value, Dim) else value)
    if not extents:
        return dtype.of(element, 0)
    return dtype.of(np.full([size_of(extent) for extent in extents], element, dtype.element), 0)


def iota(dtype: type[V], axis: int, extents: Sequence[Extent]) -> V:
    """A tile that counts along an axis: the indices of the block there, else from 0 on."""
    if not -len(extents) <= axis < len(extents):
        raise HtpError(f"`iota` of {len(extents)} dimensions has no axis {axis}")
    along = extents[axis]
    start = along.start if isinstance(along, Block) else 0
    shape = [1] * len(extents)
    shape[axis] = -1
    counted = np.arange(start, start + size_of(along)).astype(_dtype(dtype).element).reshape(shape)
    return dtype.of(np.broadcast_to(counted, [size_of(extent) for extent in extents]).copy(), 0)


def index(dtype: type[V], value: int) -> V:
    """A scalar that holds an int known at run time; integers wrap around."""
    bits = _dtype(dtype).element.itemsize * 8
    return dtype.of(np.array(operator.index(value) % 2**bits, np.uint64).astype(dtype.element)[()], 0)


def alloc(dtype: type[V], extents: Sequence[Extent]) -> V:
    """A buffer whose elements hold poison."""
    return dtype.of(np.full([size_of(extent) for extent in extents], _dtype(dtype).poison, dtype.element), 0)


def buffer(dtype: type[V], extents: Sequence[Extent]) -> V:
    """A tensor of the program's own, whose elements hold poison. A block's dimension is indexed as the block is: from its start on."""
    memory = dtype.encode(np.full([size_of(extent) for extent in extents], _dtype(dtype).poison, dtype.element))
    return dtype.in_memory(memory, "the buffer", tuple(extent.start if isinstance(extent, Block) else 0 for extent in extents))


def load(source: V, index: Sequence[Index], outside: float | None = None) -> V:
    """The tile of a tensor at an index for each dimension; what is outside of the tensor is `outside`, if that is given."""
    if not isinstance(source, Value) or (source.tensor is None and not hasattr(source, "origin")):
        if outside is None and isinstance(source, Value):  # `x[:, 0]` of a tile
            return extract(source, index)
        raise HtpError(f"a tile is loaded from a tensor, and this is {_what(source)}")
    if source.tensor is None:  # a scalar parameter
        return source.of(source.data[_place(source, index)], 0)
    if outside is None:
        place = _place(source, index)
        touched(source, place, writes=False)
        return source.of(source.decode(source.data[place]), source.depth)
    places = _places(source, index, bounded=False)
    inside = np.ones((), np.bool_)
    for place, size in zip(places, source.data.shape):
        inside = inside & (place >= 0) & (place < size)
    shape = np.broadcast_shapes(*(place.shape for place in places))
    data = np.full(shape, source.literal(outside), source.element)
    if inside.any():
        clipped = tuple(np.clip(place, 0, size - 1) for place, size in zip(places, source.data.shape))
        touched(source, tuple(np.broadcast_to(part, shape)[np.broadcast_to(inside, shape)] for part in clipped), writes=False)
        data = np.where(inside, source.decode(source.data[clipped]), data)
    return source.of(data, source.depth)


def extract(x: V, index: Sequence[Index]) -> V:
    """The slice of a tile at an index for each dimension, which counts from 0."""
    data = _tile("extract", x).data
    return x.of(data[_place(x.in_memory(data, "the tile"), index)].copy(), x.depth)


def store(target: V, value: V | float, index: Sequence[Index]) -> None:
    """Writes a tile, a scalar or a literal to a tensor at an index for each dimension; where a place is named twice, the last one stays."""
    place, tile = _written("store", target, value, index)
    target.data[place] = target.encode(tile.data)
    target.depth = max(target.depth, tile.depth)


def copy_async(target: V, value: V | float, index: Sequence[Index]) -> Token:
    """A store that happens some time before its token was waited for."""
    place, tile = _written("copy_async", target, value, index)
    data = target.encode(tile.data).copy()  # of now, whatever becomes of where it was loaded from

    def copy() -> None:
        target.data[place] = data
        target.depth = max(target.depth, tile.depth)

    return begin(copy)


def scatter_add(target: V, value: V | float, index: Sequence[Index]) -> None:
    """Adds a tile, a scalar or a literal to a tensor at an index for each dimension, one element after the other in row-major order."""
    place, tile = _written("scatter_add", target, value, index)
    if "add" not in target.meanings:
        _undefined("scatter_add", target)
    at = _places(target, index, bounded=True)
    shape = np.broadcast_shapes(*(part.shape for part in at))
    most = 0
    if math.prod(shape):
        _, times = np.unique(np.ravel_multi_index(np.broadcast_arrays(*at), target.data.shape), return_counts=True)
        most = int(times.max())
    if target.element is target.storage:
        np.add.at(target.data, at, np.broadcast_to(tile.data, shape))
    else:  # rounded after each addition
        add = target.meanings["add"]
        flat = [np.broadcast_to(part, shape).reshape(-1) for part in at]
        for one, addend in zip(zip(*flat), np.broadcast_to(tile.data, shape).reshape(-1)):
            target.data[one] = target.encode(add(target.decode(target.data[one]), addend))
    target.depth = max(target.depth, tile.depth) + most


def _written(op: str, target: V, value: V | float, index: Sequence[Index]) -> tuple[Any, V]:
    """The place of a tensor that is written, and the value as a tile that fills it."""
    if not isinstance(target, Value) or target.tensor is None:
        raise HtpError(f"a tile is stored to a tensor, and this is {_what(target)}")
    place = _place(target, index)
    _check_writable(target)
    touched(target, place, writes=True)
    _, tile = _weak(op, target, value)
    _refuse_tensors(op, tile)
    extents = target.data[place].shape
    return place, tile.of(_placed(target, tile.data, extents), tile.depth)


def _placed(target: Value, data: Data, extents: tuple[int, ...]) -> Data:
    """What is stored, the last extents under those of the place; of more than there are, those of 1 go."""
    shape = data.shape
    if len(shape) > len(extents):
        rest = [size for size in shape if size != 1]
        fitted = tuple(rest.pop(0) if rest and rest[0] == extent else 1 for extent in extents)
        if not rest:
            return data.reshape(fitted)
    elif all(size in (1, extent) for size, extent in zip(shape, extents[len(extents) - len(shape) :])):
        return data
    raise HtpError(f"a tile of {_by(shape)} does not fill {_by(extents)} elements of `{target.tensor}`")


def gather(x: V, index: Value, axis: int) -> V:
    """At each element of `index` the element of `x` which that names along an axis."""
    _tile("gather", x)
    place = _indices("gather", _tile("gather", index))
    axis = _axis("gather", axis, x.data.ndim)
    shape = x.data.shape
    if place.ndim != len(shape) or any(d != axis and p != q and 1 not in (p, q) for d, (p, q) in enumerate(zip(shape, place.shape))):
        raise HtpError(f"`gather` takes equal extents, or 1, but for the axis, not {_by(shape)} and {_by(place.shape)}")
    wrong = (place < 0) | (place >= shape[axis])
    if wrong.any():
        raise HtpError(f"`gather` reaches {place[wrong][0]}, outside axis {axis}, which has size {shape[axis]}")
    return x.of(np.take_along_axis(x.data, place, axis), x.depth)


def _indices(op: str, x: Value) -> Data:
    if not isinstance(x, IntegerValue):
        raise HtpError(f"`{op}` takes places from a tile of integers, not of {x.name}")
    return (np.minimum(x.data, np.uint64(2**63 - 1)) if x.data.dtype == np.uint64 else x.data).astype(np.int64)


def position(x: Value, extent: int | None = None) -> int:
    """The one element of an integer value as an int; one from 0 to less than `extent`, if that is given."""
    if not isinstance(x, IntegerValue) or x.tensor is not None or x.data.size != 1:
        raise HtpError(f"an int is made of one element of an integer tile, not of {_what(x)}")
    place = int(x.data.reshape(()))
    if extent is not None and not 0 <= place < extent:
        raise HtpError(f"{place} is outside what is gathered from, which has size {operator.index(extent)}")
    return place


def holds(x: Value) -> bool:
    """Whether the one element of a mask holds."""
    if not isinstance(x, bool_) or x.tensor is not None or x.data.size != 1:
        raise HtpError(f"a decision is made on one element of a mask, not on {_what(x)}")
    return bool(x.data.reshape(()))


def get(source: V, index: Sequence[int], outside: float | None = None) -> V:
    """One element of a tensor or a buffer, as a scalar; a literal where the index is outside, if one is given."""
    data = source.data
    if outside is not None and not all(0 <= operator.index(part) < size for part, size in zip(index, data.shape)):
        return source.of(source.literal(outside), 0)
    try:
        place = tuple(map(operator.index, index))
        if place and min(place) < 0:
            raise IndexError
        touched(source, place, writes=False)
        element = data[place]
        if element.shape or not place:
            raise IndexError
    except (IndexError, TypeError):
        _refuse_place(source, index)
    return source.of(element if element.dtype is source.element else source.decode(element), source.depth)


def put(target: V, value: V | float, index: Sequence[int]) -> None:
    """Writes a scalar or a literal to one element of a tensor or a buffer."""
    scalar: Any = value
    if scalar.__class__ is not target.__class__:
        _, scalar = _weak("put", target, value)
    if scalar.data.shape:
        raise HtpError(f"`put` writes a scalar, not a tile of {_by(scalar.data.shape)}")
    try:
        place = tuple(map(operator.index, index))
        if len(place) != target.data.ndim or not place or min(place) < 0:
            raise IndexError
        touched(target, place, writes=True)
        if target.tensor is None:
            target.data[place] = scalar.data
        else:
            _check_writable(target)
            target.data[place] = target.encode(scalar.data)
    except (IndexError, TypeError):
        _refuse_place(target, index)
    if scalar.depth > target.depth:
        target.depth = scalar.depth


def _what(x: object) -> str:
    return f"a tile of {x.name}" if isinstance(x, Value) else _kind(x)


def _by(extents: Sequence[int]) -> str:
    return " x ".join(map(str, extents))


def _check_writable(target: Value) -> None:
    if not target.data.flags.writeable:
        raise HtpError(f"`{target.tensor}` is an input and is not stored to: declare it Out or InOut")


def _place(tensor: Value, index: Sequence[Index]) -> Any:
    """What of a tensor an index stands for, inside its bounds: slices where nothing is gathered."""
    sizes = tensor.data.shape
    index = counted(index, sizes, tensor.origin, f"`{tensor.tensor}`")
    if any(isinstance(part, Value) for part in index):
        return _places(tensor, index, bounded=True)
    return tuple(_range(tensor, axis, part, size, first) for axis, (part, size, first) in enumerate(zip(index, sizes, tensor.origin)))


def _places(tensor: Value, index: Sequence[Index], bounded: bool) -> tuple[Any, ...]:
    """The indices of each dimension, spread over the dimensions of the result."""
    sizes = tensor.data.shape
    index = counted(index, sizes, tensor.origin, f"`{tensor.tensor}`", bounded)
    if sum(isinstance(part, Value) for part in index) > 1:
        raise HtpError(f"`{tensor.tensor}` is indexed by one tile at most")
    parts: list[Any] = []
    for axis, (part, size) in enumerate(zip(index, sizes)):
        first = tensor.origin[axis]
        if isinstance(part, Value):
            _refuse_tensors("load", part)
            places = _indices("load", part) - first
            wrong = (places < 0) | (places >= size)
            if bounded and wrong.any():
                raise HtpError(f"index {places[wrong][0] + first} is outside dimension {axis} of `{tensor.tensor}`, which has size {size}")
        elif isinstance(part, Block) and not bounded:
            places = np.array(part.indices, np.int64) - first
        elif isinstance(part, slice) and not bounded:
            places = np.arange(*_bounds(part, first, first + size)) - first
        elif bounded:
            places = np.arange(size)[_range(tensor, axis, part, size, first)]
        else:
            number: Any = part
            places = np.array([operator.index(number) - first])
        parts.append(places)
    total, before, spread = sum(places.ndim for places in parts), 0, []
    for places in parts:
        spread.append(places.reshape((1,) * before + places.shape + (1,) * (total - before - places.ndim)))
        before += places.ndim
    return tuple(spread)


def _range(tensor: Value, axis: int, part: Index, size: int, first: int) -> slice:
    if isinstance(part, Block):
        start, stop, step = part.start, part.stop, part.step
    elif isinstance(part, slice):
        start, stop, step = _bounds(part, first, first + size)
        if not range(start, stop, step):
            return slice(0, 0)
    else:
        number: Any = part
        try:
            start, step = operator.index(number), 1
        except TypeError:
            raise HtpError(f"`{tensor.tensor}` is indexed by `:`, a block or an int, not by {_kind(part)}") from None
        stop = start + 1
    low, high = (start, stop) if step > 0 else (stop + 1, start + 1)
    if not first <= low <= high <= first + size:
        shown = f"{part!r}" if isinstance(part, Block) else f"{start}:{stop}" if isinstance(part, slice) else f"{start}"
        has = f"size {size}" if first == 0 else f"the indices [{first}, {first + size})"
        raise HtpError(f"index {shown} is outside dimension {axis} of `{tensor.tensor}`, which has {has}")
    return slice(start - first, stop - first if stop >= first else None, step)


def _bounds(part: slice, first: int, end: int) -> tuple[int, int, int]:
    """The bounds of a slice; of a dimension that is [first, end)."""
    try:
        step = 1 if part.step is None else operator.index(part.step)
        low, high = (first, end) if step > 0 else (end - 1, first - 1)
        start = low if part.start is None else operator.index(part.start)
        stop = high if part.stop is None else operator.index(part.stop)
    except TypeError:
        raise HtpError(f"the bounds of a slice are ints, not those of {part!r}") from None
    if step == 0:
        raise HtpError("a slice steps by 1 or more, or by -1 or less, not by 0")
    return start, stop, step


def _refuse_place(memory: Value, index: Sequence[int]) -> NoReturn:
    shape = memory.data.shape
    name = f"`{memory.tensor}`" if memory.tensor is not None else "the buffer"
    for part in index:
        if not hasattr(part, "__index__"):
            raise HtpError(f"an element is reached by an int for each dimension, not by {_kind(part)}")
    if len(index) != len(shape) or not shape:
        raise HtpError(f"{name} has {len(shape)} dimensions, and {len(index)} indices are given")
    raise HtpError(f"index {', '.join(str(operator.index(part)) for part in index)} is outside {name}, which has {_by(shape)} elements")


def _tile(op: str, x: V) -> V:
    if not isinstance(x, Value):
        raise HtpError(f"`{op}` takes a tile, not {_kind(x)}")
    _refuse_tensors(op, x)
    return x


def _axis(op: str, axis: int, rank: int) -> int:
    if not isinstance(axis, int) or not -rank <= axis < rank:
        raise HtpError(f"`{op}` has no axis {axis}: the tile's dimensions are {', '.join(map(str, range(rank))) or 'none'}")
    return axis % rank
