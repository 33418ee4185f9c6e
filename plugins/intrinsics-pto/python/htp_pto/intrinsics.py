"""The instructions of Ascend's vector cores (PTO), as the target set of a2a3: each writes its first operand, a tile in the unified buffer.

The build reads this file and never runs it: keep a declaration to `@htp.intrinsic(...)` with literal arguments on a plain
function with annotated parameters.

The typing rules, by the words in `rule=`. A column is a tile whose second extent is 1, a row one whose first is 1.

    tile      a tile of the named dtype
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
    order     pipes, and an event: 0 to 7 between two pipes
"""

from typing import Any, TypeVar

import htp
from htp import Element, Extent, Index, f16, f32, i16, i32
from htp_pto import machine

Arithmetic = TypeVar("Arithmetic", f16, f32, i16, i32)
"""What the vector unit adds and compares."""
Half = TypeVar("Half", f16, f32)
"""What it divides, and computes functions of."""


@htp.intrinsic(name="pto.tile", rule="tile", effects="", spaces="ub", cost="0")
def tile(dtype: type[Element], *extents: Extent, valid: tuple[int, ...] | None = None, at: int | None = None) -> Element:
    """A tile with room for so many elements, of which `valid` count: somewhere, or from a byte of the unified buffer on. Nothing is in it
    yet.

    >>> row = tile(f32, 8, 64, valid=(i_n, N), at=0)
    """
    sizes = tuple(extent.extent if isinstance(extent, htp.Block) else int(extent) for extent in extents)
    made: Element = machine.tile(dtype, sizes, valid, at)
    return made


@htp.intrinsic(name="pto.tload", rule="load", effects="write", spaces="ub", cost="size(target)")
def tload(target: Element, source: Element, *index: Index) -> None:
    """Loads a place of a tensor: a slice, `whole`, an int, or a block for each dimension.

    >>> tload(row, x, slice(i_at, i_at + i_n), whole)
    """
    loaded = htp.load(source, index)
    machine.transfer("MTE2", "tload", source, index, target)
    machine.execute("MTE2", "tload", target, loaded)


@htp.intrinsic(name="pto.tstore", rule="store", effects="write", spaces="ub", cost="size(source)")
def tstore(target: Element, source: Element, *index: Index) -> None:
    """Stores a tile to a place of a tensor: a slice, `whole`, an int, or a block for each dimension.

    >>> tstore(y, row, slice(i_at, i_at + i_n), whole)
    """
    machine.transfer("MTE3", "tstore", target, index, source)
    htp.store(target, machine.read(source), index)


@htp.intrinsic(name="pto.texpands", rule="fill", effects="write", spaces="ub", cost="size(target)")
def texpands(target: Element, value: float | int) -> None:
    """Fills a tile with a number.

    >>> texpands(total, 0)
    """
    machine.execute("V", "texpands", target, htp.full(type(target), value, target.shape))


@htp.intrinsic(name="pto.tmov", rule="unary", effects="write", spaces="ub", cost="size(target)")
def tmov(target: Arithmetic, source: Arithmetic) -> None:
    """Copies a tile.

    >>> tmov(copy, row)
    """
    machine.execute("V", "tmov", target, machine.read(source), source)


@htp.intrinsic(name="pto.tcvt", rule="convert", effects="write", spaces="ub", cost="size(target)")
def tcvt(target: Element, source: Element, mode: str) -> None:
    """Converts a tile to another dtype: "RINT" rounds to the nearest, halves to even, "TRUNC" toward zero, and "NONE" is for what is exact.

    >>> tcvt(wide, narrow, "NONE")
    """
    machine.execute("V", "tcvt", target, htp.convert(machine.read(source), type(target)), source, apart=True)


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
