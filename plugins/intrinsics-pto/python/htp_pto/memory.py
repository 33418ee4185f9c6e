"""Tiles and global memory, and what moves between them and between spaces."""

import htp
import numpy as np
from htp import Element, Extent, Index, f32, u64
from htp_pto import cube, machine
from htp_pto.dtypes import Factor, Moved, Narrow, Place, Quantized, Scalar, Sum


@htp.intrinsic(name="pto.tile", rule="tile", effects="", spaces="ub mat left right acc bias scaling", cost="0")
def tile(
    dtype: type[Element],
    *extents: Extent,
    valid: tuple[int, ...] | None = None,
    at: int | None = None,
    space: str = "ub",
    layout: str | None = None,
    pad: str | None = None,
    kept: bool = False,
) -> Element:
    """A tile of so many elements, of which `valid` count: somewhere, or from a byte of its space on. Nothing is in it yet, or, `kept`, what a tile at
    these bytes left there; where tiles have none yet, a tile of the same blocks.
    The space is the unified buffer of a vector core ("ub"), or of a cube core L1 ("mat"), L0A ("left"), L0B ("right"), L0C ("acc"), the bias table ("bias") or
    the buffer of scales ("scaling"). In L1 the layout "zn" instead of "nz" is for what is transposed while it is loaded, and "nd" for rows without boxes, which go
    to a row of L0A, to the bias table and to the scales. In the unified buffer "nd" is for a column that has no place yet, each of whose elements begins a line
    of 32 bytes, so that those of a tensor may lie apart. A mask is a tile of `bool_`, with a bit an element. `pad` is what `tfillpad` puts around what
    counts: "zero", "max" or "min".

    >>> row = tile(f32, 8, 64, valid=(i_n, N), at=0)
    """
    sizes = tuple(extent.extent if isinstance(extent, htp.Block) else int(extent) for extent in extents)
    starts = tuple(extent.start if isinstance(extent, htp.Block) else None for extent in extents)
    made: Element = machine.tile(dtype, sizes, valid, at, space, layout, pad, kept, starts)
    return made


@htp.intrinsic(name="pto.gm", rule="gm", effects="", spaces="", cost="0")
def gm(dtype: type[Element], *extents: Extent) -> Element:
    """A tensor in global memory that one kernel writes and others read: as long as the program runs. Nothing is in it yet.

    >>> scores = gm(f32, M, N)
    """
    # Where an extent is a block, the dimension has that block's indices, as those of `tile.buffer` have.
    made: Element = machine.gm(dtype, tuple(extent if isinstance(extent, htp.Block) else int(extent) for extent in extents))
    return made


@htp.intrinsic(name="pto.value", rule="value", effects="read", spaces="", cost="1")
def value(source: Scalar, *index: int) -> int:
    """An integer of a tensor in global memory that nothing writes while a kernel runs: to index with, and to count to.

    >>> page = value(table, b, p)
    """
    return machine.value("value", source, index)


@htp.intrinsic(name="pto.tload", rule="load", effects="write", spaces="ub mat", cost="size(target)")
def tload(target: Element, source: Element, *index: Index, turned: bool = False) -> None:
    """Loads a slice of a tensor: a slice, `whole`, an int, or a block for each dimension. A tile of layout "zn" gets it transposed; `turned`, of a tensor whose
    columns lie together, the columns of the slice are the rows of the tile.

    >>> tload(row, x, slice(i_at, i_at + i_n), whole)
    """
    loaded = cube.load_turned("tload", target, cube.turned(htp.load(source, index)) if turned else htp.load(source, index))
    machine.transfer("MTE2", "tload", source, index, target)
    machine.execute("MTE2", "tload", target, loaded)


@htp.intrinsic(name="pto.tstore", rule="store", effects="write", spaces="ub mat acc", cost="size(source)")
def tstore(target: Element, source: Element, *index: Index, turned: bool = False) -> None:
    """Stores a tile to a slice of a tensor: a slice, `whole`, an int, or a block for each dimension. From an accumulator of f32 to a tensor
    of f16 or bf16 it rounds. `turned`, of a tensor whose columns lie together, the rows of the tile are the columns of the slice.

    >>> tstore(y, row, slice(i_at, i_at + i_n), whole)
    """
    pipe, value = cube.store_value("tstore", source, type(target), len(index), turned)
    machine.transfer(pipe, "tstore", target, index, source)
    htp.store(target, value, index)


@htp.intrinsic(name="pto.tmov", rule="move", effects="write", spaces="ub mat left right acc bias scaling", cost="size(target)")
def tmov(target: Element, source: Element) -> None:
    """Copies a tile: within the unified buffer, from L1 to L0A or L0B, from an accumulator to L1, where it may become f16 or bf16, or a row from L1 to the bias
    table, where f16 becomes f32, or to the scales.

    >>> tmov(left, block)
    """
    cube.move("tmov", target, source)


@htp.intrinsic(name="pto.textract", rule="move", effects="write", spaces="mat left right", cost="size(target)")
def textract(target: Factor, source: Factor, row: int, column: int) -> None:
    """Copies the part of a tile in L1 that begins at a row and a column, and is as large as what is valid of the target, to L0A or L0B.

    >>> textract(left, block, 0, k_at)
    """
    cube.move("textract", target, source, row, column)


@htp.intrinsic(name="pto.tinsert", rule="insert", effects="read write", spaces="mat acc", cost="size(source)")
def tinsert(target: Narrow, source: f32, row: int, column: int) -> None:
    """Puts an accumulator of f32, rounded, into a tile of L1, from a row and a column on; what else is in that stays.

    >>> tinsert(block, acc, 0, 64)
    """
    cube.insert("tinsert", target, source, row, column)


@htp.intrinsic(name="pto.tstore_fp", rule="store", effects="write", spaces="acc scaling", cost="size(source)")
def tstore_fp(target: Quantized, source: Sum, scales: u64, *index: Index) -> None:
    """Stores an accumulator, each column times its scale: to i8 and u8 with an offset added, rounded to the nearest and cut off at the dtype's ends, or from i32 to
    f16. Of a scale bits 13 to 31 are those of an f32, 37 to 45 the offset, and 46 is set for i8.

    >>> tstore_fp(y, acc, scales, slice(0, 128), slice(0, 64))
    """
    value = cube.quantized("tstore_fp", source, scales, type(target), len(index))
    machine.transfer("FIX", "tstore_fp", target, index, source, scales)
    htp.store(target, value, index)


@htp.intrinsic(name="pto.tprefetch", rule="load", effects="write", spaces="ub", cost="size(target)")
def tprefetch(target: Element, source: Element, *index: Index) -> None:
    """Brings a slice of a tensor near, so that a later load of it is short. What the tile holds afterwards is nobody's.

    >>> tprefetch(row, x, slice(i_at, i_at + i_n), whole)
    """
    htp.load(source, index)
    machine.transfer("MTE2", "tprefetch", source, index, target)
    machine.execute("MTE2", "tprefetch", target, htp.full(type(target), target.poison, target.shape))


@htp.intrinsic(name="pto.mgather", rule="table", effects="write", spaces="ub", cost="size(target)")
def mgather(target: Moved, table: Moved, index: Place) -> None:
    """Rows of a matrix in global memory: the index of each is in a row of the unified buffer. An index outside of the matrix is refused.

    >>> mgather(rows, table, chosen)
    """
    rows = machine.rows_at("mgather", table, index, target)
    loaded = htp.load(table, (htp.whole, slice(0, machine.shape_of("mgather", target)[1])))
    machine.apart("mgather", target, index)
    machine.whole_table("V", "mgather", table, False)
    machine.execute("V", "mgather", target, loaded.of(np.asarray(loaded.data)[rows], loaded.depth), index)


@htp.intrinsic(name="pto.mscatter", rule="table", effects="read write", spaces="ub", cost="size(source)")
def mscatter(table: Moved, source: Moved, index: Place) -> None:
    """Stores the rows of a tile to those of a matrix in global memory that a row of indices names; of an index that is named twice the last row stays, and other
    rows of the matrix are as they were.

    >>> mscatter(table, rows, chosen)
    """
    rows = machine.rows_at("mscatter", table, index, source)
    value = machine.read(source)
    machine.whole_table("V", "mscatter", table, True)
    machine.touch("V", "mscatter", source, index)
    for row, at in enumerate(rows):
        htp.store(table, value.of(np.asarray(value.data).reshape(rows.size, -1)[row : row + 1], value.depth), (slice(int(at), int(at) + 1), slice(0, value.data.shape[-1])))
