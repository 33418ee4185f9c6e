"""Instructions that put elements elsewhere: transposes, gathers, sorts, parts beside and within each other."""

import htp
from htp import Element, f32, u32
from htp_pto import machine, places
from htp_pto.dtypes import Arithmetic, Chosen, Counted, Place, Triangle


@htp.intrinsic(name="pto.ttrans", rule="turn", effects="write", spaces="ub", cost="size(target)")
def ttrans(target: Element, source: Element, work: Element) -> None:
    """Rows become columns; `work` is a tile like the target, which holds nothing of use afterwards.

    >>> ttrans(turned, x, work)
    """
    machine.execute("V", "ttrans", target, machine.transposed(source), source, apart=True, work=work)


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
