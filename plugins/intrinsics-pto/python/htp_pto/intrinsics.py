"""The instructions of Ascend's vector and cube cores (PTO), as the target set of a2a3: each writes its first operand.

The build reads this file and never runs it: keep a declaration to `@htp.intrinsic(...)` with literal arguments on a plain
function with annotated parameters.

The typing rules, by the words in `rule=`. A column is a tile whose second extent is 1, a row one whose first is 1.

    tile      a tile of the named dtype
    gm        a tensor of the named dtype, in global memory
    load      a tensor at an index, to a tile of its dtype
    store     a tile, to a tensor at an index
    binary    two tiles of the target's dtype and extents
    scalar    a tile of the target's dtype and extents, and a number, on either side where that makes a difference
    unary     a tile of the target's dtype and extents
    fill      a number
    convert   a tile of another dtype
    rows      a tile, to a column with a number for each row; a tile of the same extents to work with
    columns   a tile, to a row with a number for each column
    spread    a tile of the target's extents, and a column or a row that counts for all of them; or that one alone
    move      a tile in another space, or a part of it
    product   an accumulator, a left and a right tile
    compare   a mask, and two tiles or a tile and a number of its extents
    select    a tile, a mask and two tiles or a tile and a number of its extents
    turn      a tile of the target's extents the other way round
    count     an int
    value     a tensor and an int for each of its dimensions, to an int
    fused     two tiles of the target's dtype and extents, or a tile and a number, and what the target holds
    places    a tile of any extents, and one of 32-bit places of the target's extents; a tile like that to work with
    picked    a tile, to one of half or a quarter of its columns; which ones is a word
    sorted    a row of pairs, value and place, of twice the columns of the tile of f32 that they are made of
    part      two tiles within the target's extents, one of them all of it
    beside    two tiles of the target's rows, whose columns together are the target's
    triangle  a diagonal, and "lower" or "upper"
    order     pipes, and an event: 0 to 7 between two pipes
"""

from typing import Any, TypeVar

import htp
from htp import Element, Extent, Index, bf16, bool_, f16, f32, i8, i16, i32, i64, u8, u16, u32
from htp_pto import machine, places

Arithmetic = TypeVar("Arithmetic", f16, f32, i16, i32)
"""What the vector unit adds and compares."""
Half = TypeVar("Half", f16, f32)
"""What it divides, and computes functions of."""
Factor = TypeVar("Factor", i8, f16, bf16, f32)
"""What the cube multiplies."""
Compared = TypeVar("Compared", f16, f32, i32)
"""What it compares, integers for equality alone."""
Chosen = TypeVar("Chosen", f16, bf16, f32, i16, i32, u16, u32)
"""What it selects by a mask."""
Bitwise = TypeVar("Bitwise", bool_, i8, u8, i16, u16, i32, u32)
"""What it combines bit by bit; a mask is a bit an element."""
Counted = TypeVar("Counted", i16, i32, u16, u32)
Whole = TypeVar("Whole", i8, u8, i16, u16, i32, u32)
"""Integers whose bits it shifts."""
Place = TypeVar("Place", i32, u32)
"""Where an element stands."""
Triangle = TypeVar("Triangle", f16, f32, i16, u16, i32, u32)
Scalar = TypeVar("Scalar", i32, i64)
"""What the scalar pipe reads out of global memory."""


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


@htp.intrinsic(name="pto.texpands", rule="fill", effects="write", spaces="ub", cost="size(target)")
def texpands(target: Element, value: float | int) -> None:
    """Fills a tile with a number.

    >>> texpands(total, 0)
    """
    machine.execute("V", "texpands", target, htp.full(type(target), value, target.shape))


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


@htp.intrinsic(name="pto.tcvt", rule="convert", effects="write", spaces="ub", cost="size(target)")
def tcvt(target: Element, source: Element, mode: str) -> None:
    """Converts a tile to another dtype: "RINT" rounds to the nearest, halves to even, "TRUNC" toward zero, "FLOOR" down, "CEIL" up, and "NONE" is for what is
    exact.

    >>> tcvt(wide, narrow, "NONE")
    """
    machine.execute("V", "tcvt", target, machine.converted(source, type(target), mode), source, apart=True)


@htp.intrinsic(name="pto.tadd", rule="binary", effects="write", spaces="ub", cost="size(target)")
def tadd(target: Arithmetic, a: Arithmetic, b: Arithmetic) -> None:
    """The sum, rounded once; integers wrap around.

    >>> tadd(y, a, b)
    """
    machine.execute("V", "tadd", target, htp.binary("add", machine.read(a), machine.read(b)), a, b)


@htp.intrinsic(name="pto.tsub", rule="binary", effects="write", spaces="ub", cost="size(target)")
def tsub(target: Arithmetic, a: Arithmetic, b: Arithmetic) -> None:
    """The difference, rounded once; integers wrap around.

    >>> tsub(y, a, b)
    """
    machine.execute("V", "tsub", target, htp.binary("sub", machine.read(a), machine.read(b)), a, b)


@htp.intrinsic(name="pto.tmul", rule="binary", effects="write", spaces="ub", cost="size(target)")
def tmul(target: Arithmetic, a: Arithmetic, b: Arithmetic) -> None:
    """The product, rounded once; integers wrap around.

    >>> tmul(y, a, b)
    """
    machine.execute("V", "tmul", target, htp.binary("mul", machine.read(a), machine.read(b)), a, b)


@htp.intrinsic(name="pto.tdiv", rule="binary", effects="write", spaces="ub", cost="size(target)")
def tdiv(target: Half, a: Half, b: Half) -> None:
    """The quotient, rounded once.

    >>> tdiv(y, a, b)
    """
    machine.execute("V", "tdiv", target, htp.binary("div", machine.read(a), machine.read(b)), a, b)


@htp.intrinsic(name="pto.tmax", rule="binary", effects="write", spaces="ub", cost="size(target)")
def tmax(target: Arithmetic, a: Arithmetic, b: Arithmetic) -> None:
    """The larger; NaN if either is NaN.

    >>> tmax(y, a, b)
    """
    machine.execute("V", "tmax", target, htp.binary("maximum", machine.read(a), machine.read(b)), a, b)


@htp.intrinsic(name="pto.tmin", rule="binary", effects="write", spaces="ub", cost="size(target)")
def tmin(target: Arithmetic, a: Arithmetic, b: Arithmetic) -> None:
    """The smaller; NaN if either is NaN.

    >>> tmin(y, a, b)
    """
    machine.execute("V", "tmin", target, htp.binary("minimum", machine.read(a), machine.read(b)), a, b)


@htp.intrinsic(name="pto.tadds", rule="scalar", effects="write", spaces="ub", cost="size(target)")
def tadds(target: Arithmetic, a: Arithmetic, b: float | int) -> None:
    """The sum, rounded once; integers wrap around; of a tile and a number.

    >>> tadds(y, x, 2)
    """
    machine.execute("V", "tadds", target, htp.binary("add", machine.read(a), b), a)


@htp.intrinsic(name="pto.tsubs", rule="scalar", effects="write", spaces="ub", cost="size(target)")
def tsubs(target: Arithmetic, a: Arithmetic, b: float | int) -> None:
    """The difference, rounded once; integers wrap around; of a tile and a number.

    >>> tsubs(y, x, 2)
    """
    machine.execute("V", "tsubs", target, htp.binary("sub", machine.read(a), b), a)


@htp.intrinsic(name="pto.tmuls", rule="scalar", effects="write", spaces="ub", cost="size(target)")
def tmuls(target: Arithmetic, a: Arithmetic, b: float | int) -> None:
    """The product, rounded once; integers wrap around; of a tile and a number.

    >>> tmuls(y, x, 2)
    """
    machine.execute("V", "tmuls", target, htp.binary("mul", machine.read(a), b), a)


@htp.intrinsic(name="pto.tdivs", rule="scalar", effects="write", spaces="ub", cost="size(target)")
def tdivs(target: Half, a: Half | float, b: Half | float) -> None:
    """The quotient of a tile and a number, or of a number and a tile, rounded once.

    >>> tdivs(y, 1.0, x)
    """
    machine.execute("V", "tdivs", target, htp.binary("div", machine.read(a), machine.read(b)), a, b)


@htp.intrinsic(name="pto.tmaxs", rule="scalar", effects="write", spaces="ub", cost="size(target)")
def tmaxs(target: Arithmetic, a: Arithmetic, b: float | int) -> None:
    """The larger; NaN if either is NaN; of a tile and a number.

    >>> tmaxs(y, x, 2)
    """
    machine.execute("V", "tmaxs", target, htp.binary("maximum", machine.read(a), b), a)


@htp.intrinsic(name="pto.tmins", rule="scalar", effects="write", spaces="ub", cost="size(target)")
def tmins(target: Arithmetic, a: Arithmetic, b: float | int) -> None:
    """The smaller; NaN if either is NaN; of a tile and a number.

    >>> tmins(y, x, 2)
    """
    machine.execute("V", "tmins", target, htp.binary("minimum", machine.read(a), b), a)


@htp.intrinsic(name="pto.texp", rule="unary", effects="write", spaces="ub", cost="size(target)")
def texp(target: Half, x: Half) -> None:
    """The e to the power of x, of each element.

    >>> texp(y, x)
    """
    machine.execute("V", "texp", target, htp.unary("exp", machine.read(x)), x)


@htp.intrinsic(name="pto.tlog", rule="unary", effects="write", spaces="ub", cost="size(target)")
def tlog(target: Half, x: Half) -> None:
    """The natural logarithm, of each element.

    >>> tlog(y, x)
    """
    machine.execute("V", "tlog", target, htp.unary("log", machine.read(x)), x)


@htp.intrinsic(name="pto.tsqrt", rule="unary", effects="write", spaces="ub", cost="size(target)")
def tsqrt(target: Half, x: Half) -> None:
    """The square root, of each element.

    >>> tsqrt(y, x)
    """
    machine.execute("V", "tsqrt", target, htp.unary("sqrt", machine.read(x)), x)


@htp.intrinsic(name="pto.trsqrt", rule="unary", effects="write", spaces="ub", cost="size(target)")
def trsqrt(target: Half, x: Half) -> None:
    """The 1 / sqrt(x), of each element.

    >>> trsqrt(y, x)
    """
    machine.execute("V", "trsqrt", target, htp.unary("rsqrt", machine.read(x)), x)


@htp.intrinsic(name="pto.tabs", rule="unary", effects="write", spaces="ub", cost="size(target)")
def tabs(target: Half, x: Half) -> None:
    """The magnitude, of each element.

    >>> tabs(y, x)
    """
    machine.execute("V", "tabs", target, htp.unary("absolute", machine.read(x)), x)


@htp.intrinsic(name="pto.tneg", rule="unary", effects="write", spaces="ub", cost="size(target)")
def tneg(target: Arithmetic, x: Arithmetic) -> None:
    """The negation, of each element.

    >>> tneg(y, x)
    """
    machine.execute("V", "tneg", target, htp.unary("neg", machine.read(x)), x)


@htp.intrinsic(name="pto.trowsum", rule="rows", effects="write", spaces="ub", cost="size(x)")
def trowsum(target: Arithmetic, x: Arithmetic, work: Arithmetic) -> None:
    """The sum of each row, to a column; `work` is a tile like x, which holds nothing of use afterwards.

    >>> trowsum(total, x, work)
    """
    machine.execute("V", "trowsum", target, htp.reduce("sum", machine.read(x), 1), x, apart=True, work=work)


@htp.intrinsic(name="pto.trowmax", rule="rows", effects="write", spaces="ub", cost="size(x)")
def trowmax(target: Arithmetic, x: Arithmetic, work: Arithmetic) -> None:
    """The largest of each row, to a column; `work` is a tile like x, which holds nothing of use afterwards.

    >>> trowmax(total, x, work)
    """
    machine.execute("V", "trowmax", target, htp.reduce("max", machine.read(x), 1), x, apart=True, work=work)


@htp.intrinsic(name="pto.trowmin", rule="rows", effects="write", spaces="ub", cost="size(x)")
def trowmin(target: Arithmetic, x: Arithmetic, work: Arithmetic) -> None:
    """The smallest of each row, to a column; `work` is a tile like x, which holds nothing of use afterwards.

    >>> trowmin(total, x, work)
    """
    machine.execute("V", "trowmin", target, htp.reduce("min", machine.read(x), 1), x, apart=True, work=work)


@htp.intrinsic(name="pto.trowprod", rule="rows", effects="write", spaces="ub", cost="size(x)")
def trowprod(target: Arithmetic, x: Arithmetic, work: Arithmetic) -> None:
    """The product of each row, to a column; `work` is a tile like x, which holds nothing of use afterwards.

    >>> trowprod(total, x, work)
    """
    machine.execute("V", "trowprod", target, htp.reduce("prod", machine.read(x), 1), x, apart=True, work=work)


@htp.intrinsic(name="pto.tcolsum", rule="columns", effects="write", spaces="ub", cost="size(x)")
def tcolsum(target: Arithmetic, x: Arithmetic) -> None:
    """The sum of each column, to a row.

    >>> tcolsum(total, x)
    """
    machine.execute("V", "tcolsum", target, htp.reduce("sum", machine.read(x), 0), x, apart=True)


@htp.intrinsic(name="pto.tcolmax", rule="columns", effects="write", spaces="ub", cost="size(x)")
def tcolmax(target: Arithmetic, x: Arithmetic) -> None:
    """The largest of each column, to a row.

    >>> tcolmax(total, x)
    """
    machine.execute("V", "tcolmax", target, htp.reduce("max", machine.read(x), 0), x, apart=True)


@htp.intrinsic(name="pto.tcolmin", rule="columns", effects="write", spaces="ub", cost="size(x)")
def tcolmin(target: Arithmetic, x: Arithmetic) -> None:
    """The smallest of each column, to a row.

    >>> tcolmin(total, x)
    """
    machine.execute("V", "tcolmin", target, htp.reduce("min", machine.read(x), 0), x, apart=True)


@htp.intrinsic(name="pto.tcolprod", rule="columns", effects="write", spaces="ub", cost="size(x)")
def tcolprod(target: Arithmetic, x: Arithmetic) -> None:
    """The product of each column, to a row.

    >>> tcolprod(total, x)
    """
    machine.execute("V", "tcolprod", target, htp.reduce("prod", machine.read(x), 0), x, apart=True)


@htp.intrinsic(name="pto.trowexpand", rule="spread", effects="write", spaces="ub", cost="size(target)")
def trowexpand(target: Arithmetic, x: Arithmetic) -> None:
    """A column, repeated along all of a tile.

    >>> trowexpand(y, column)
    """
    zero = htp.full(type(target), 0, target.shape)
    machine.execute("V", "trowexpand", target, htp.select(htp.compare("eq", zero, zero), machine.read(x), zero), x, apart=True)


@htp.intrinsic(name="pto.trowexpandadd", rule="spread", effects="write", spaces="ub", cost="size(target)")
def trowexpandadd(target: Arithmetic, a: Arithmetic, b: Arithmetic) -> None:
    """The sum, rounded once; integers wrap around; of a tile and a column, in either order.

    >>> trowexpandadd(y, a, column)
    """
    machine.execute("V", "trowexpandadd", target, htp.binary("add", machine.read(a), machine.read(b)), a, b)


@htp.intrinsic(name="pto.trowexpandsub", rule="spread", effects="write", spaces="ub", cost="size(target)")
def trowexpandsub(target: Arithmetic, a: Arithmetic, b: Arithmetic) -> None:
    """The difference, rounded once; integers wrap around; of a tile and a column, in either order.

    >>> trowexpandsub(y, a, column)
    """
    machine.execute("V", "trowexpandsub", target, htp.binary("sub", machine.read(a), machine.read(b)), a, b)


@htp.intrinsic(name="pto.trowexpandmul", rule="spread", effects="write", spaces="ub", cost="size(target)")
def trowexpandmul(target: Arithmetic, a: Arithmetic, b: Arithmetic) -> None:
    """The product, rounded once; integers wrap around; of a tile and a column, in either order.

    >>> trowexpandmul(y, a, column)
    """
    machine.execute("V", "trowexpandmul", target, htp.binary("mul", machine.read(a), machine.read(b)), a, b)


@htp.intrinsic(name="pto.trowexpanddiv", rule="spread", effects="write", spaces="ub", cost="size(target)")
def trowexpanddiv(target: Half, a: Half, b: Half) -> None:
    """The quotient, rounded once; of a tile and a column, in either order.

    >>> trowexpanddiv(y, a, column)
    """
    machine.execute("V", "trowexpanddiv", target, htp.binary("div", machine.read(a), machine.read(b)), a, b)


@htp.intrinsic(name="pto.trowexpandmax", rule="spread", effects="write", spaces="ub", cost="size(target)")
def trowexpandmax(target: Arithmetic, a: Arithmetic, b: Arithmetic) -> None:
    """The larger; NaN if either is NaN; of a tile and a column, in either order.

    >>> trowexpandmax(y, a, column)
    """
    machine.execute("V", "trowexpandmax", target, htp.binary("maximum", machine.read(a), machine.read(b)), a, b)


@htp.intrinsic(name="pto.trowexpandmin", rule="spread", effects="write", spaces="ub", cost="size(target)")
def trowexpandmin(target: Arithmetic, a: Arithmetic, b: Arithmetic) -> None:
    """The smaller; NaN if either is NaN; of a tile and a column, in either order.

    >>> trowexpandmin(y, a, column)
    """
    machine.execute("V", "trowexpandmin", target, htp.binary("minimum", machine.read(a), machine.read(b)), a, b)


@htp.intrinsic(name="pto.trowexpandexpdif", rule="spread", effects="write", spaces="ub", cost="size(target)")
def trowexpandexpdif(target: Half, a: Half, b: Half) -> None:
    """The e to the power of a difference; of a tile and a column, in either order.

    >>> trowexpandexpdif(y, a, column)
    """
    machine.execute("V", "trowexpandexpdif", target, htp.unary("exp", htp.binary("sub", machine.read(a), machine.read(b))), a, b)


@htp.intrinsic(name="pto.tcolexpand", rule="spread", effects="write", spaces="ub", cost="size(target)")
def tcolexpand(target: Arithmetic, x: Arithmetic) -> None:
    """A row, repeated along all of a tile.

    >>> tcolexpand(y, row)
    """
    zero = htp.full(type(target), 0, target.shape)
    machine.execute("V", "tcolexpand", target, htp.select(htp.compare("eq", zero, zero), machine.read(x), zero), x, apart=True)


@htp.intrinsic(name="pto.tcolexpandadd", rule="spread", effects="write", spaces="ub", cost="size(target)")
def tcolexpandadd(target: Arithmetic, a: Arithmetic, b: Arithmetic) -> None:
    """The sum, rounded once; integers wrap around; of a tile and a row.

    >>> tcolexpandadd(y, a, row)
    """
    machine.execute("V", "tcolexpandadd", target, htp.binary("add", machine.read(a), machine.read(b)), a, b)


@htp.intrinsic(name="pto.tcolexpandsub", rule="spread", effects="write", spaces="ub", cost="size(target)")
def tcolexpandsub(target: Arithmetic, a: Arithmetic, b: Arithmetic) -> None:
    """The difference, rounded once; integers wrap around; of a tile and a row.

    >>> tcolexpandsub(y, a, row)
    """
    machine.execute("V", "tcolexpandsub", target, htp.binary("sub", machine.read(a), machine.read(b)), a, b)


@htp.intrinsic(name="pto.tcolexpandmul", rule="spread", effects="write", spaces="ub", cost="size(target)")
def tcolexpandmul(target: Arithmetic, a: Arithmetic, b: Arithmetic) -> None:
    """The product, rounded once; integers wrap around; of a tile and a row.

    >>> tcolexpandmul(y, a, row)
    """
    machine.execute("V", "tcolexpandmul", target, htp.binary("mul", machine.read(a), machine.read(b)), a, b)


@htp.intrinsic(name="pto.tcolexpanddiv", rule="spread", effects="write", spaces="ub", cost="size(target)")
def tcolexpanddiv(target: Half, a: Half, b: Half) -> None:
    """The quotient, rounded once; of a tile and a row.

    >>> tcolexpanddiv(y, a, row)
    """
    machine.execute("V", "tcolexpanddiv", target, htp.binary("div", machine.read(a), machine.read(b)), a, b)


@htp.intrinsic(name="pto.tcolexpandmax", rule="spread", effects="write", spaces="ub", cost="size(target)")
def tcolexpandmax(target: Arithmetic, a: Arithmetic, b: Arithmetic) -> None:
    """The larger; NaN if either is NaN; of a tile and a row.

    >>> tcolexpandmax(y, a, row)
    """
    machine.execute("V", "tcolexpandmax", target, htp.binary("maximum", machine.read(a), machine.read(b)), a, b)


@htp.intrinsic(name="pto.tcolexpandmin", rule="spread", effects="write", spaces="ub", cost="size(target)")
def tcolexpandmin(target: Arithmetic, a: Arithmetic, b: Arithmetic) -> None:
    """The smaller; NaN if either is NaN; of a tile and a row.

    >>> tcolexpandmin(y, a, row)
    """
    machine.execute("V", "tcolexpandmin", target, htp.binary("minimum", machine.read(a), machine.read(b)), a, b)


@htp.intrinsic(name="pto.tcolexpandexpdif", rule="spread", effects="write", spaces="ub", cost="size(target)")
def tcolexpandexpdif(target: Half, a: Half, b: Half) -> None:
    """The e to the power of a difference; of a tile and a row.

    >>> tcolexpandexpdif(y, a, row)
    """
    machine.execute("V", "tcolexpandexpdif", target, htp.unary("exp", htp.binary("sub", machine.read(a), machine.read(b))), a, b)


@htp.intrinsic(name="pto.ttrans", rule="turn", effects="write", spaces="ub", cost="size(target)")
def ttrans(target: Element, source: Element, work: Element) -> None:
    """Rows become columns; `work` is a tile like the target, which holds nothing of use afterwards.

    >>> ttrans(turned, x, work)
    """
    machine.execute("V", "ttrans", target, machine.transposed(source), source, apart=True, work=work)


@htp.intrinsic(name="pto.tcmp", rule="compare", effects="write", spaces="ub", cost="size(target)")
def tcmp(target: bool_, a: Compared, b: Compared, mode: str) -> None:
    """A mask of where a comparison holds: "EQ", "NE", "LT", "LE", "GT" or "GE"; of i32 "EQ" alone.

    >>> tcmp(mask, a, b, "LT")
    """
    machine.execute("V", "tcmp", target, machine.compare_values("tcmp", mode, a, b), a, b, apart=True)


@htp.intrinsic(name="pto.tcmps", rule="compare", effects="write", spaces="ub", cost="size(target)")
def tcmps(target: bool_, a: Compared, b: float | int, mode: str) -> None:
    """A mask of where a comparison with a number holds.

    >>> tcmps(mask, a, 0.0, "GT")
    """
    machine.execute("V", "tcmps", target, machine.compare_values("tcmps", mode, a, b), a, apart=True)


@htp.intrinsic(name="pto.tsel", rule="select", effects="write", spaces="ub", cost="size(target)")
def tsel(target: Chosen, mask: bool_, a: Chosen, b: Chosen, work: u8) -> None:
    """Where the mask holds `a`, elsewhere `b`; `work` has 32 bytes, which hold nothing of use afterwards.

    >>> tsel(y, mask, a, b, work)
    """
    result: Chosen = htp.select(machine.read(mask), machine.read(a), machine.read(b))
    machine.apart("tsel", target, mask)
    machine.execute("V", "tsel", target, result, mask, a, b, work=work)


@htp.intrinsic(name="pto.tsels", rule="select", effects="write", spaces="ub", cost="size(target)")
def tsels(target: Chosen, mask: bool_, a: Chosen, work: u8, b: float | int) -> None:
    """Where the mask holds `a`, elsewhere a number; `work` has 32 bytes, which hold nothing of use afterwards.

    >>> tsels(y, mask, a, work, 0.0)
    """
    result: Chosen = htp.select(machine.read(mask), machine.read(a), htp.full(type(a), b, ()))
    machine.apart("tsels", target, mask)
    machine.execute("V", "tsels", target, result, mask, a, work=work)


@htp.intrinsic(name="pto.tand", rule="binary", effects="write", spaces="ub", cost="size(target)")
def tand(target: Bitwise, a: Bitwise, b: Bitwise) -> None:
    """The bits that are set in both.

    >>> tand(both, a, b)
    """
    machine.execute("V", "tand", target, htp.binary("bit_and", machine.read(a), machine.read(b)), a, b)


@htp.intrinsic(name="pto.tor", rule="binary", effects="write", spaces="ub", cost="size(target)")
def tor(target: Bitwise, a: Bitwise, b: Bitwise) -> None:
    """The bits that are set in either.

    >>> tor(either, a, b)
    """
    machine.execute("V", "tor", target, htp.binary("bit_or", machine.read(a), machine.read(b)), a, b)


@htp.intrinsic(name="pto.tnot", rule="unary", effects="write", spaces="ub", cost="size(target)")
def tnot(target: Bitwise, x: Bitwise) -> None:
    """The bits that are not set.

    >>> tnot(others, mask)
    """
    machine.execute("V", "tnot", target, htp.unary("bit_not", machine.read(x)), x)


@htp.intrinsic(name="pto.txor", rule="binary", effects="write", spaces="ub", cost="size(target)")
def txor(target: Whole, a: Whole, b: Whole, work: Whole) -> None:
    """The bits that are set in just one; `work` is a tile like the target, which holds nothing of use afterwards.

    >>> txor(either, a, b, work)
    """
    machine.execute("V", "txor", target, htp.binary("bit_xor", machine.read(a), machine.read(b)), a, b, apart=True, work=work)


@htp.intrinsic(name="pto.tshl", rule="binary", effects="write", spaces="ub", cost="size(target)")
def tshl(target: Whole, a: Whole, b: Whole) -> None:
    """The bits of `a`, moved up by as many places as `b` says; beyond the dtype's bits nothing is left.

    >>> tshl(y, a, b)
    """
    machine.execute("V", "tshl", target, htp.binary("shl", machine.read(a), machine.read(b)), a, b)


@htp.intrinsic(name="pto.tshr", rule="binary", effects="write", spaces="ub", cost="size(target)")
def tshr(target: Whole, a: Whole, b: Whole) -> None:
    """The bits of `a`, moved down by as many places as `b` says; a sign stays.

    >>> tshr(y, a, b)
    """
    machine.execute("V", "tshr", target, htp.binary("shr", machine.read(a), machine.read(b)), a, b)


@htp.intrinsic(name="pto.tands", rule="scalar", effects="write", spaces="ub", cost="size(target)")
def tands(target: Whole, a: Whole, b: int) -> None:
    """The bits that are set in both, of a tile and a number.

    >>> tands(y, x, 15)
    """
    machine.execute("V", "tands", target, htp.binary("bit_and", machine.read(a), b), a, apart=True)


@htp.intrinsic(name="pto.tors", rule="scalar", effects="write", spaces="ub", cost="size(target)")
def tors(target: Whole, a: Whole, b: int) -> None:
    """The bits that are set in either, of a tile and a number.

    >>> tors(y, x, 15)
    """
    machine.execute("V", "tors", target, htp.binary("bit_or", machine.read(a), b), a, apart=True)


@htp.intrinsic(name="pto.txors", rule="scalar", effects="write", spaces="ub", cost="size(target)")
def txors(target: Whole, a: Whole, b: int, work: Whole) -> None:
    """The bits that are set in just one, of a tile and a number; `work` is a tile like the target, which holds nothing of use afterwards.

    >>> txors(y, x, 15, work)
    """
    machine.execute("V", "txors", target, htp.binary("bit_xor", machine.read(a), b), a, apart=True, work=work)


@htp.intrinsic(name="pto.tshls", rule="scalar", effects="write", spaces="ub", cost="size(target)")
def tshls(target: Whole, a: Whole, b: int) -> None:
    """The bits of a tile, moved up by a number of places.

    >>> tshls(y, x, 3)
    """
    machine.execute("V", "tshls", target, htp.binary("shl", machine.read(a), b), a)


@htp.intrinsic(name="pto.tshrs", rule="scalar", effects="write", spaces="ub", cost="size(target)")
def tshrs(target: Whole, a: Whole, b: int) -> None:
    """The bits of a tile, moved down by a number of places; a sign stays.

    >>> tshrs(y, x, 3)
    """
    machine.execute("V", "tshrs", target, htp.binary("shr", machine.read(a), b), a)


@htp.intrinsic(name="pto.tci", rule="count", effects="write", spaces="ub", cost="size(target)")
def tci(target: Counted, start: int) -> None:
    """A row that counts from a number on. It runs on the scalar pipe.

    >>> tci(columns, 0)
    """
    machine.execute("S", "tci", target, machine.counted(target, start))


@htp.intrinsic(name="pto.tgather", rule="places", effects="write", spaces="ub", cost="size(target)")
def tgather(target: Chosen, source: Chosen, index: Place, work: Place) -> None:
    """The elements of a tile at places, which are counted through its rows, those that are not valid included; `work` is a tile like the places, which holds
    nothing of use afterwards. A place outside of the tile is refused.

    >>> tgather(y, x, chosen, work)
    """
    machine.apart("tgather", target, source)
    machine.apart("tgather", target, index)
    machine.execute("V", "tgather", target, places.gathered("tgather", source, index), source, index, work=work)


@htp.intrinsic(name="pto.tgather_pattern", rule="picked", effects="write", spaces="ub", cost="size(target)")
def tgather_pattern(target: Element, source: Element, pattern: str) -> None:
    """The columns of a tile that a pattern names, bit for bit: "P0101" takes every second from the first on, "P1010" from the second on; "P0001", "P0010",
    "P0100" and "P1000" every fourth from the first, second, third and fourth on. The target is full: what is valid of it are all of its columns.

    >>> tgather_pattern(values, pairs, "P0101")
    """
    machine.execute("V", "tgather_pattern", target, places.picked("tgather_pattern", target, source, pattern), source, apart=True)


@htp.intrinsic(name="pto.tsort32", rule="sorted", effects="write", spaces="ub", cost="size(target)")
def tsort32(target: f32, source: f32, index: u32) -> None:
    """Sorts each 32 columns, the largest first, of equals the one with the smaller place: to pairs of the value and, in the bits of an f32, its place.

    >>> tsort32(pairs, x, columns)
    """
    machine.apart("tsort32", target, index)
    machine.execute("V", "tsort32", target, places.sorted_pairs("tsort32", source, index), source, index, apart=True)


@htp.intrinsic(name="pto.tmrgsort", rule="sorted", effects="write", spaces="ub", cost="size(target)")
def tmrgsort(target: f32, source: f32, block: int) -> None:
    """Merges each four sorted blocks of pairs of one row to one; `block` are the columns of a block, two a pair.

    >>> tmrgsort(merged, pairs, 64)
    """
    machine.execute("V", "tmrgsort", target, places.merged("tmrgsort", target, source, block), source, apart=True)


@htp.intrinsic(name="pto.trelu", rule="unary", effects="write", spaces="ub", cost="size(target)")
def trelu(target: Compared, x: Compared) -> None:
    """The larger of x and 0, of each element; NaN is 0.

    >>> trelu(y, x)
    """
    value = machine.read(x)
    zero = htp.full(type(x), 0, ())
    machine.execute("V", "trelu", target, htp.select(htp.compare("gt", value, zero), value, zero), x)


@htp.intrinsic(name="pto.tlrelu", rule="scalar", effects="write", spaces="ub", cost="size(target)")
def tlrelu(target: Half, a: Half, b: float) -> None:
    """The x where it is larger than 0, elsewhere x times a number.

    >>> tlrelu(y, x, 0.01)
    """
    value = machine.read(a)
    machine.execute("V", "tlrelu", target, htp.select(htp.compare("gt", value, htp.full(type(a), 0, ())), value, htp.binary("mul", value, b)), a)


@htp.intrinsic(name="pto.tprelu", rule="binary", effects="write", spaces="ub", cost="size(target)")
def tprelu(target: Half, a: Half, b: Half, work: u8) -> None:
    """The `a` where it is larger than 0, elsewhere `a` times `b`; `work` has a byte an element, which hold nothing of use afterwards.

    >>> tprelu(y, x, slopes, work)
    """
    value = machine.read(a)
    scaled: Half = htp.binary("mul", value, machine.read(b))
    machine.execute("V", "tprelu", target, htp.select(htp.compare("gt", value, htp.full(type(a), 0, ())), value, scaled), a, b, apart=True, work=work)


@htp.intrinsic(name="pto.taxpy", rule="fused", effects="read write", spaces="ub", cost="size(target)")
def taxpy(target: Half, x: Half, factor: float) -> None:
    """Adds a tile times a number to the target; the product is rounded, and the sum.

    >>> taxpy(y, x, 2.0)
    """
    machine.execute("V", "taxpy", target, htp.binary("add", htp.binary("mul", machine.read(x), factor), machine.read(target)), x, target)


@htp.intrinsic(name="pto.tmuladddst", rule="fused", effects="read write", spaces="ub", cost="size(target)")
def tmuladddst(target: Half, a: Half, b: Half) -> None:
    """Adds the product of two tiles to the target; the product is rounded, and the sum.

    >>> tmuladddst(y, a, b)
    """
    machine.execute("V", "tmuladddst", target, htp.binary("add", htp.binary("mul", machine.read(a), machine.read(b)), machine.read(target)), a, b, target)


@htp.intrinsic(name="pto.tfusedmuladd", rule="fused", effects="read write", spaces="ub", cost="size(target)")
def tfusedmuladd(target: Half, a: Half, b: Half) -> None:
    """The target times `a` plus `b`; the product is rounded, and the sum.

    >>> tfusedmuladd(y, a, b)
    """
    machine.execute("V", "tfusedmuladd", target, htp.binary("add", htp.binary("mul", machine.read(target), machine.read(a)), machine.read(b)), a, b, target)


@htp.intrinsic(name="pto.trecip", rule="unary", effects="write", spaces="ub", cost="size(target)")
def trecip(target: Half, x: Half) -> None:
    """The 1 / x, of each element; not in place.

    >>> trecip(y, x)
    """
    machine.execute("V", "trecip", target, htp.binary("div", 1.0, machine.read(x)), x, apart=True)


@htp.intrinsic(name="pto.trowargmax", rule="rows", effects="write", spaces="ub", cost="size(x)")
def trowargmax(target: i32, x: Arithmetic, work: Arithmetic) -> None:
    """The place of the largest in each row, to a column; of equals the first.

    >>> trowargmax(best, x, work)
    """
    machine.execute("V", "trowargmax", target, htp.locate("argmax", machine.read(x), 1), x, apart=True, work=work)


@htp.intrinsic(name="pto.trowargmin", rule="rows", effects="write", spaces="ub", cost="size(x)")
def trowargmin(target: i32, x: Arithmetic, work: Arithmetic) -> None:
    """The place of the smallest in each row, to a column; of equals the first.

    >>> trowargmin(best, x, work)
    """
    machine.execute("V", "trowargmin", target, htp.locate("argmin", machine.read(x), 1), x, apart=True, work=work)


@htp.intrinsic(name="pto.tpartadd", rule="part", effects="write", spaces="ub", cost="size(target)")
def tpartadd(target: Arithmetic, a: Arithmetic, b: Arithmetic) -> None:
    """The sum where both tiles are valid, elsewhere the one that is.

    >>> tpartadd(y, a, b)
    """
    machine.execute("V", "tpartadd", target, places.partly("tpartadd", "add", target, a, b), a, b)


@htp.intrinsic(name="pto.tpartmul", rule="part", effects="write", spaces="ub", cost="size(target)")
def tpartmul(target: Arithmetic, a: Arithmetic, b: Arithmetic) -> None:
    """The product where both tiles are valid, elsewhere the one that is.

    >>> tpartmul(y, a, b)
    """
    machine.execute("V", "tpartmul", target, places.partly("tpartmul", "mul", target, a, b), a, b)


@htp.intrinsic(name="pto.tpartmax", rule="part", effects="write", spaces="ub", cost="size(target)")
def tpartmax(target: Arithmetic, a: Arithmetic, b: Arithmetic) -> None:
    """The larger where both tiles are valid, elsewhere the one that is.

    >>> tpartmax(y, a, b)
    """
    machine.execute("V", "tpartmax", target, places.partly("tpartmax", "maximum", target, a, b), a, b)


@htp.intrinsic(name="pto.tpartmin", rule="part", effects="write", spaces="ub", cost="size(target)")
def tpartmin(target: Arithmetic, a: Arithmetic, b: Arithmetic) -> None:
    """The smaller where both tiles are valid, elsewhere the one that is.

    >>> tpartmin(y, a, b)
    """
    machine.execute("V", "tpartmin", target, places.partly("tpartmin", "minimum", target, a, b), a, b)


@htp.intrinsic(name="pto.tconcat", rule="beside", effects="write", spaces="ub", cost="size(target)")
def tconcat(target: Element, a: Element, b: Element) -> None:
    """The columns of `a`, and behind them those of `b`.

    >>> tconcat(y, a, b)
    """
    machine.execute("V", "tconcat", target, places.beside("tconcat", target, a, b), a, b, apart=True)


@htp.intrinsic(name="pto.ttri", rule="triangle", effects="write", spaces="ub", cost="size(target)")
def ttri(target: Triangle, diagonal: int, side: str) -> None:
    """Ones and zeros: "lower" has ones up to a diagonal, "upper" from it on; diagonal 0 is that of equal row and column, 1 the next one to the right.

    >>> ttri(mask, 0, "lower")
    """
    machine.execute("V", "ttri", target, places.triangle("ttri", target, diagonal, side))


@htp.intrinsic(name="pto.set_flag", rule="order", effects="write", spaces="", cost="0")
def set_flag(source: str, destination: str, event: int) -> None:
    """Sets a flag between two pipes when all earlier instructions of the source have ended.

    >>> set_flag("MTE2", "V", 0)
    """
    machine.set_flag(source, destination, event)


@htp.intrinsic(name="pto.wait_flag", rule="order", effects="write", spaces="", cost="0")
def wait_flag(source: str, destination: str, event: int) -> None:
    """The destination goes on when the source has set the flag, which it is no more then.

    >>> wait_flag("MTE2", "V", 0)
    """
    machine.wait_flag(source, destination, event)


@htp.intrinsic(name="pto.pipe_barrier", rule="order", effects="write", spaces="", cost="0")
def pipe_barrier(pipe: str) -> None:
    """A pipe goes on when its earlier instructions have ended; "ALL" are all pipes, each when those of all have.

    >>> pipe_barrier("V")
    """
    machine.pipe_barrier(pipe)


@htp.intrinsic(name="pto.drain", rule="order", effects="write", spaces="", cost="0")
def drain() -> None:
    """The kernel ends when everything that it stores has left: its last instruction.

    >>> drain()
    """
    machine.drain()
