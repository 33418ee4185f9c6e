"""Tiles and global memory, what moves between them and between spaces, and products of the cube."""

import htp
from htp import Element, Extent, Index
from htp_pto import machine
from htp_pto.dtypes import Factor, Scalar


@htp.intrinsic(name="pto.tile", rule="tile", effects="", spaces="ub mat left right acc", cost="0")
def tile(
    dtype: type[Element], *extents: Extent, valid: tuple[int, ...] | None = None, at: int | None = None, space: str = "ub", layout: str | None = None
) -> Element:
    """A tile with room for so many elements, of which `valid` count: somewhere, or from a byte of its space on. Nothing is in it yet.
    The space is the unified buffer of a vector core ("ub"), or of a cube core L1 ("mat"), L0A ("left"), L0B ("right") or L0C ("acc"). In L1
    the layout "zn" instead of "nz" is for what is transposed while it is loaded. A mask is a tile of `bool_`, with a bit an element.

    >>> row = tile(f32, 8, 64, valid=(i_n, N), at=0)
    """
    sizes = tuple(extent.extent if isinstance(extent, htp.Block) else int(extent) for extent in extents)
    made: Element = machine.tile(dtype, sizes, valid, at, space, layout)
    return made


@htp.intrinsic(name="pto.gm", rule="gm", effects="", spaces="", cost="0")
def gm(dtype: type[Element], *extents: Extent) -> Element:
    """A tensor in global memory that one kernel writes and others read: as long as the program runs. Nothing is in it yet.

    >>> scores = gm(f32, M, N)
    """
    made: Element = machine.gm(dtype, tuple(extent.extent if isinstance(extent, htp.Block) else int(extent) for extent in extents))
    return made


@htp.intrinsic(name="pto.value", rule="value", effects="read", spaces="", cost="1")
def value(source: Scalar, *index: int) -> int:
    """An integer of a tensor in global memory that nothing writes while a kernel runs: to index with, and to count to.

    >>> page = value(table, b, p)
    """
    return machine.value("value", source, index)


@htp.intrinsic(name="pto.tload", rule="load", effects="write", spaces="ub mat", cost="size(target)")
def tload(target: Element, source: Element, *index: Index) -> None:
    """Loads a place of a tensor: a slice, `whole`, an int, or a block for each dimension. A tile of layout "zn" gets it transposed.

    >>> tload(row, x, slice(i_at, i_at + i_n), whole)
    """
    loaded = machine.load_turned("tload", target, htp.load(source, index))
    machine.transfer("MTE2", "tload", source, index, target)
    machine.execute("MTE2", "tload", target, loaded)


@htp.intrinsic(name="pto.tstore", rule="store", effects="write", spaces="ub mat acc", cost="size(source)")
def tstore(target: Element, source: Element, *index: Index) -> None:
    """Stores a tile to a place of a tensor: a slice, `whole`, an int, or a block for each dimension. From an accumulator of f32 to a tensor
    of f16 or bf16 it rounds.

    >>> tstore(y, row, slice(i_at, i_at + i_n), whole)
    """
    pipe, value = machine.store_value("tstore", source, type(target), len(index))
    machine.transfer(pipe, "tstore", target, index, source)
    htp.store(target, value, index)


@htp.intrinsic(name="pto.tmov", rule="move", effects="write", spaces="ub mat left right acc", cost="size(target)")
def tmov(target: Element, source: Element) -> None:
    """Copies a tile: within the unified buffer, from L1 to L0A or L0B, or from an accumulator to L1, where it may become f16 or bf16.

    >>> tmov(left, block)
    """
    machine.move("tmov", target, source)


@htp.intrinsic(name="pto.textract", rule="move", effects="write", spaces="mat left right", cost="size(target)")
def textract(target: Factor, source: Factor, row: int, column: int) -> None:
    """Copies the part of a tile in L1 that begins at a row and a column, and is as large as what is valid of the target, to L0A or L0B.

    >>> textract(left, block, 0, k_at)
    """
    machine.move("textract", target, source, row, column)


@htp.intrinsic(name="pto.tmatmul", rule="product", effects="write", spaces="left right acc", cost="2 * size(target) * extent(left, 1)")
def tmatmul(target: Element, left: Factor, right: Factor) -> None:
    """The matrix product: of f16, bf16 and f32 in f32, of i8 in i32.

    >>> tmatmul(acc, left, right)
    """
    machine.multiply("tmatmul", target, left, right, False)


@htp.intrinsic(name="pto.tmatmul_acc", rule="product", effects="read write", spaces="left right acc", cost="2 * size(target) * extent(left, 1)")
def tmatmul_acc(target: Element, left: Factor, right: Factor) -> None:
    """The matrix product, added to the target.

    >>> tmatmul_acc(acc, left, right)
    """
    machine.multiply("tmatmul_acc", target, left, right, True)
