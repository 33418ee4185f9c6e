"""Intrinsics of the tile language: tiles out of memory and into it, and tiles that are new.

The build reads this file and never runs it: keep a declaration to `@htp.intrinsic(...)` with literal arguments on a plain function with
annotated parameters. The typing rules, by the names in `rule=`, where Element, Number, Floating stand for one dtype each in a signature:

    load         the tensor's dtype; extents from the index: a block, a dimension for `whole`, 1 for an int, a tile's own
    extract      the same of a tile
    store        the value's extents are the index's, or 1
    begin        the same; a token
    wait         nothing
    barrier      nothing
    create       the named dtype and extents
    buffer       the same, in memory
    index        an int or a truth value, of one element
    iota         as create; an integer dtype, and an axis of those extents
"""

import htp
from htp import Element, Extent, Index, Integer, Number, Token, bool_


@htp.intrinsic(name="tile.load", rule="load", effects="read", spaces="", cost="size(result)", method="__getitem__")
def load(source: Element, *index: Index, outside: float | None = None) -> Element:
    """The tile of a tensor at an index for each dimension: a block, moved (`i + 1`) and spread (`i * 2`) or not, `whole`, an int (which
    gives extent 1), or a tile of integers, whose extents stand for the dimension. What is outside of the tensor is `outside`, or stops
    the program without it.

    >>> x_tile = load(x, i, whole)  # or x[i, :]
    """
    return htp.load(source, index, outside)


@htp.intrinsic(name="tile.extract", rule="extract", effects="", spaces="", cost="size(result)")
def extract(x: Element, *index: Index) -> Element:
    """The slice of a tile at an index for each dimension, as `load` takes it of a tensor: `whole`, a slice, an int (which gives extent
    1), a block of the dim that the dimension has, or a tile of integers. A dimension's indices count from 0, also where it is a block.
    What is outside of the tile stops the program.

    >>> first = extract(x, whole, 0)  # or x[:, 0]
    """
    return htp.extract(x, index)


@htp.intrinsic(name="tile.store", rule="store", effects="write", spaces="", cost="size(value)", method="__setitem__")
def store(target: Element, value: Element | float, *index: Index) -> None:
    """Writes a tile to a tensor at an index for each dimension; extents of 1 repeat. Where a tile of integers names a place twice, the
    last one in row-major order stays.

    >>> store(y, e, i, whole)  # or y[i, :] = e
    """
    htp.store(target, value, index)


@htp.intrinsic(name="tile.copy_async", rule="begin", effects="write", spaces="", cost="size(value)")
def copy_async(target: Element, value: Element | float, *index: Index) -> Token:
    """Begins to write a tile to a tensor at an index for each dimension; extents of 1 repeat. It is there when the token was waited
    for, or all are by a `barrier()`; until then nothing touches that place.

    >>> coming = copy_async(h, x_tile, i, whole)  # or copy_async(h, x[i, :], i, whole)
    >>> wait(coming)
    """
    return htp.copy_async(target, value, index)


@htp.intrinsic(name="tile.wait", rule="wait", effects="", spaces="", cost="0")
def wait(token: Token) -> None:
    """Goes on when a copy that was begun has happened.

    >>> coming = copy_async(h, x_tile, i, whole)
    >>> wait(coming)
    """
    htp.wait(token)


@htp.intrinsic(name="tile.barrier", rule="barrier", effects="", spaces="", cost="0")
def barrier() -> None:
    """Goes on when all copies that were begun have happened: those without a name, and those of tokens, which it waits for.

    >>> copy_async(h, x_tile, i, whole)
    >>> barrier()
    """
    htp.barrier()


@htp.intrinsic(name="tile.scatter_add", rule="store", effects="read write", spaces="", cost="2 * size(value)")
def scatter_add(target: Number, value: Number | float, *index: Index) -> None:
    """Adds a tile to a tensor at an index for each dimension; extents of 1 repeat. One element after the other, in row-major order, each
    sum rounded: what is named twice gets both.

    >>> scatter_add(counts, 1, bins)
    """
    htp.scatter_add(target, value, index)


@htp.intrinsic(name="tile.zeros", rule="create", effects="", spaces="", cost="size(result)")
def zeros(dtype: type[Element], *extents: Extent) -> Element:
    """A tile of zeros; an extent is an int, a dim or a block.

    >>> acc = zeros(f32, i, j)
    """
    return htp.full(dtype, 0, extents)


@htp.intrinsic(name="tile.full", rule="create", effects="", spaces="", cost="size(result)")
def full(dtype: type[Element], value: float | int, *extents: Extent) -> Element:
    """A tile that holds one value everywhere: a literal, or an int known at run time, which wraps around in an integer dtype.

    >>> acc = full(f32, 1.0, i, j)
    """
    return htp.full(dtype, value, extents)


@htp.intrinsic(name="tile.index", rule="index", effects="", spaces="", cost="1")
def index(x: Integer) -> int:
    """The one element of an integer tile as an int: to index with, to count to, to compare.

    >>> page = index(table_tile)  # or index(table[b, p])
    """
    return htp.position(x)


@htp.intrinsic(name="tile.holds", rule="index", effects="", spaces="", cost="1")
def holds(x: bool_) -> bool:
    """Whether the one element of a mask holds: to decide with, in `if` and `while`.

    >>> done = holds(reduce_all(x <= y, axis=0))
    """
    return htp.holds(x)


@htp.intrinsic(name="tile.buffer", rule="buffer", effects="", spaces="", cost="0")
def buffer(dtype: type[Element], *extents: Extent) -> Element:
    """A tensor of the kernel's own, for as long as the block runs that binds it; nothing is in it before it is stored.

    An extent is an int, a dim or a block. Where it is a block, the dimension has that block's indices: it is indexed by the block, by
    blocks cut from it, or by one of its ints.

    >>> h = buffer(f32, i, K)
    """
    return htp.buffer(dtype, extents)


@htp.intrinsic(name="tile.iota", rule="iota", effects="", spaces="", cost="size(result)")
def iota(dtype: type[Integer], *extents: Extent, axis: int) -> Integer:
    """A tile that counts along an axis: of a block the indices it stands for, of a dim or an int from 0 on.

    >>> row = iota(i32, i, 1, axis=0)
    """
    return htp.iota(dtype, axis, extents)
