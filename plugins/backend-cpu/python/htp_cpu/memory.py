"""Intrinsics of the CPU that make tiles, and read and write memory."""

import htp
from htp import Element, Extent, Floating, Index, Integer, Number, Token, bool_, i8, i32


@htp.intrinsic(name="cpu.load", rule="load", effects="read", spaces="", cost="size(result)")
def load(source: Element, *index: Index, outside: float | None = None) -> Element:
    """The tile of a tensor at an index for each dimension: a block, moved (`i + 1`) and spread (`i * 2`) or not, `whole`, an int (which
    gives extent 1), or a tile of integers, whose extents stand for the dimension. What is outside of the tensor is `outside`, or stops
    the program without it.

    >>> x_tile = load(x, i, whole)
    """
    return htp.load(source, index, outside)


@htp.intrinsic(name="cpu.extract", rule="extract", effects="", spaces="", cost="size(result)")
def extract(x: Element, *index: Index) -> Element:
    """The slice of a tile at an index for each dimension: `whole`, a slice, an int (which gives extent 1), a block of the dim that the
    dimension has, or a tile of integers. A dimension's indices count from 0. Ints are inside, which `position` asks before.

    >>> first = extract(x, whole, 0)
    """
    return htp.extract(x, index)


@htp.intrinsic(name="cpu.store", rule="store", effects="write", spaces="", cost="size(value)")
def store(target: Element, value: Element | float, *index: Index) -> None:
    """Writes a tile to a tensor at an index for each dimension; extents of 1 repeat. Where a tile of integers names an index twice, the
    last one in row-major order stays.

    >>> store(y, e, i, whole)
    """
    htp.store(target, value, index)


@htp.intrinsic(name="cpu.copy_async", rule="begin", effects="write", spaces="", cost="size(value)")
def copy_async(target: Element, value: Element | float, *index: Index) -> Token:
    """Begins to write a tile to a tensor at an index for each dimension; extents of 1 repeat.

    >>> coming = copy_async(h, x_tile, i, whole)
    >>> wait(coming)
    """
    return htp.copy_async(target, value, index)


@htp.intrinsic(name="cpu.wait", rule="wait", effects="", spaces="", cost="0")
def wait(token: Token) -> None:
    """Goes on when a copy that was begun has happened.

    >>> coming = copy_async(h, x_tile, i, whole)
    >>> wait(coming)
    """
    htp.wait(token)


@htp.intrinsic(name="cpu.barrier", rule="barrier", effects="", spaces="", cost="0")
def barrier() -> None:
    """Goes on when all copies that were begun have happened.

    >>> copy_async(h, x_tile, i, whole)
    >>> barrier()
    """
    htp.barrier()


@htp.intrinsic(name="cpu.scatter_add", rule="store", effects="read write", spaces="", cost="2 * size(value)")
def scatter_add(target: Number, value: Number | float, *index: Index) -> None:
    """Adds a tile to a tensor at an index for each dimension; extents of 1 repeat. One element after the other, in row-major order, each
    sum rounded: what is named twice gets both.

    >>> scatter_add(counts, 1, bins)
    """
    htp.scatter_add(target, value, index)


@htp.intrinsic(name="cpu.zeros", rule="create", effects="", spaces="", cost="size(result)")
def zeros(dtype: type[Element], *extents: Extent) -> Element:
    """A tile of zeros; an extent is an int, a dim or a block.

    >>> acc = zeros(f32, i, j)
    """
    return htp.full(dtype, 0, extents)


@htp.intrinsic(name="cpu.full", rule="create", effects="", spaces="", cost="size(result)")
def full(dtype: type[Element], value: float | int, *extents: Extent) -> Element:
    """A tile that holds one value everywhere: a literal, or an int known at run time, which wraps around in an integer dtype.

    >>> acc = full(f32, 1.0, i, j)
    """
    return htp.full(dtype, value, extents)


@htp.intrinsic(name="cpu.buffer", rule="buffer", effects="", spaces="", cost="0")
def buffer(dtype: type[Element], *extents: Extent) -> Element:
    """A tensor of the kernel's own, which holds nothing yet; where an extent is a block, the dimension has that block's indices.

    >>> h = buffer(f32, i, K)
    """
    return htp.buffer(dtype, extents)


@htp.intrinsic(name="cpu.fma", rule="elementwise", effects="", spaces="", cost="size(result)")
def fma(a: Floating | float, b: Floating | float, c: Floating | float) -> Floating:
    """a * b + c, rounded once.

    >>> acc = fma(a, b, acc)
    """
    return htp.fma(a, b, c)


@htp.intrinsic(name="cpu.word", rule="word", effects="", spaces="", cost="1")
def word(a: i8, b: i8, c: i8, d: i8) -> i32:
    """Four bytes as one integer, the first the lowest: what `dot4` multiplies.

    >>> pair: i32 = word(a_0, a_1, a_2, a_3)
    """
    return htp.word(a, b, c, d)


@htp.intrinsic(name="cpu.dot4", rule="word", effects="", spaces="", cost="1")
def dot4(x: i32, y: i32, acc: i32) -> i32:
    """acc and the products of the four bytes of x, which have no sign, with those of y, which have one; it wraps around.

    >>> total = dot4(x, y, total)
    """
    return htp.dot4(x, y, acc)


@htp.intrinsic(name="cpu.index", rule="splat", effects="", spaces="", cost="1")
def index(dtype: type[Integer], value: int) -> Integer:
    """A scalar that holds an index; it wraps around.

    >>> row: i32 = index(i32, i_at + p)
    """
    return htp.index(dtype, value)


@htp.intrinsic(name="cpu.splat", rule="splat", effects="", spaces="", cost="1")
def splat(dtype: type[Element], value: float | int) -> Element:
    """A scalar of a dtype; an int known at run time wraps around in an integer dtype.

    >>> acc: f32 = splat(f32, 0)
    """
    return htp.full(dtype, value, ())


@htp.intrinsic(name="cpu.alloc", rule="create", effects="", spaces="", cost="0")
def alloc(dtype: type[Element], *extents: Extent) -> Element:
    """A buffer whose elements hold nothing yet (poison: NaN for floats).

    >>> e: Tile[f32, 8, N] = alloc(f32, 8, N)
    """
    return htp.alloc(dtype, extents)


@htp.intrinsic(name="cpu.get", rule="get", effects="read", spaces="", cost="1")
def get(source: Element, *index: int, outside: float | None = None) -> Element:
    """One element of a tensor or buffer, as a scalar; an int for each dimension. Where it is outside: `outside`, if that is given.

    >>> v: f32 = get(x, i_at + p, q)
    """
    return htp.get(source, index, outside)


@htp.intrinsic(name="cpu.position", rule="position", effects="", spaces="", cost="1")
def position(x: Integer, extent: int | None = None) -> int:
    """The one element of an integer value as an int, to index with; with an extent one that is outside stops the program.

    >>> page = position(table_tile)
    """
    return htp.position(x, extent)


@htp.intrinsic(name="cpu.holds", rule="position", effects="", spaces="", cost="1")
def holds(x: bool_) -> bool:
    """Whether the one element of a mask holds.

    >>> done = holds(mask_tile)
    """
    return htp.holds(x)


@htp.intrinsic(name="cpu.put", rule="put", effects="write", spaces="", cost="1")
def put(target: Element, value: Element | float, *index: int) -> None:
    """Writes a scalar to one element of a tensor or buffer.

    >>> put(y, v, i_at + p, q)
    """
    htp.put(target, value, index)


@htp.intrinsic(name="cpu.order", rule="order", effects="read write", spaces="", cost="16 * count")
def order(target: i32, source: Number, count: int, first: int, *index: int, descending: bool = False) -> None:
    """Writes to a line of a buffer where the `first` first of a line of `count` elements stand, in order and equals as they stand. The
    lines run along the last dimension; an int for each dimension before it.

    >>> order(indices, keys, N, N, p)
    """
    htp.order_line(target, source, count, first, index, descending)


@htp.intrinsic(name="cpu.iota", rule="iota", effects="", spaces="", cost="size(result)")
def iota(dtype: type[Integer], *extents: Extent, axis: int) -> Integer:
    """A tile that counts along an axis: of a block the indices it stands for, of a dim or an int from 0 on.

    >>> row = iota(i32, i, 1, axis=0)
    """
    return htp.iota(dtype, axis, extents)
