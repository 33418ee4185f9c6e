"""Instructions that put elements elsewhere: transposes, gathers, sorts, parts beside and within each other."""

import htp
from htp import Element, u32
from htp_pto import indices, machine, results
from htp_pto.dtypes import Arithmetic, Chosen, Counted, Half, Moved, Place, Triangle


@htp.intrinsic(name="pto.ttrans", rule="turn", effects="write", spaces="ub", cost="size(target)")
def ttrans(target: Moved, source: Moved, work: Moved) -> None:
    """Rows become columns; `work` is a tile like the target, which holds nothing of use afterwards.

    >>> ttrans(turned, x, work)
    """
    machine.execute("V", "ttrans", target, results.transposed(source), source, apart=True, work=work)


@htp.intrinsic(name="pto.tci", rule="count", effects="write", spaces="ub", cost="size(target)")
def tci(target: Counted, start: int) -> None:
    """A row that counts from a number on. It runs on the scalar pipe.

    >>> tci(columns, 0)
    """
    machine.execute("S", "tci", target, indices.counted(target, start))


@htp.intrinsic(name="pto.tgather", rule="places", effects="write", spaces="ub", cost="size(target)")
def tgather(target: Chosen, source: Element, index: Place | str, work: Place | None = None) -> None:
    """The elements of a tile at indices, which are counted through its rows, those that are not valid included; `work` is a tile like the places, which holds
    nothing of use afterwards. An index outside of the tile is refused. Instead of indices, the columns that a pattern names, bit for bit: "P0101" takes every second
    from the first on, "P1010" from the second on; "P0001", "P0010", "P0100" and "P1000" every fourth from the first, second, third and fourth on. The target is
    full then: what is valid of it are all of its columns.

    >>> tgather(y, x, chosen, work)
    >>> tgather(values, pairs, "P0101")
    """
    machine.apart("tgather", target, source)
    if isinstance(index, str):
        machine.execute("V", "tgather", target, indices.picked("tgather", target, source, index), source)
    else:
        machine.apart("tgather", target, index)
        machine.execute("V", "tgather", target, indices.gathered("tgather", target, source, index), source, index, work=work)


@htp.intrinsic(name="pto.tgatherb", rule="blocks", effects="write", spaces="ub", cost="size(target)")
def tgatherb(target: Moved, source: Moved, offsets: u32) -> None:
    """Each 32 bytes of the target from an offset of the source, in bytes, which is a multiple of 32. The source is valid all over, and the target's rows are multiples
    of 256 bytes.

    >>> tgatherb(y, x, offsets)
    """
    machine.execute("V", "tgatherb", target, indices.gathered_blocks("tgatherb", target, source, offsets), source, offsets, apart=True)


@htp.intrinsic(name="pto.tscatter", rule="scattered", effects="write", spaces="ub", cost="size(target)")
def tscatter(target: Moved, source: Moved, index: Counted | str) -> None:
    """Puts the elements of a tile to indices, which are counted through the target's rows, those that are not valid included, and zeros to all others; of equal places
    the last one counts. An index has the bits of an element, of i8 and u8 16. Instead of indices, the columns that a pattern names, as those of `tgather`.

    >>> tscatter(y, x, indices)
    >>> tscatter(pairs, values, "P0101")
    """
    if isinstance(index, str):
        machine.execute("V", "tscatter", target, indices.spread("tscatter", target, source, index), source, apart=True)
    else:
        machine.execute("V", "tscatter", target, indices.scattered("tscatter", target, source, index), source, index, apart=True)


@htp.intrinsic(name="pto.tfillpad", rule="padded", effects="write", spaces="ub", cost="size(target)")
def tfillpad(target: Moved, source: Moved) -> None:
    """A tile, and around it, as far as the target is valid, what that is padded with: its `pad=`. Both have the same capacity.

    >>> tfillpad(full, x)
    """
    machine.execute("V", "tfillpad", target, results.padded("tfillpad", target, source, False), source, apart=True)


@htp.intrinsic(name="pto.tfillpad_expand", rule="padded", effects="write", spaces="ub", cost="size(target)")
def tfillpad_expand(target: Moved, source: Moved) -> None:
    """As `tfillpad`, to a tile of larger capacity.

    >>> tfillpad_expand(larger, x)
    """
    machine.execute("V", "tfillpad_expand", target, results.padded("tfillpad_expand", target, source, True), source, apart=True)


@htp.intrinsic(name="pto.tfillpad_inplace", rule="padded", effects="write", spaces="ub", cost="size(target)")
def tfillpad_inplace(target: Moved, source: Moved) -> None:
    """As `tfillpad`, of tiles that lie at the same bytes.

    >>> tfillpad_inplace(full, x)
    """
    machine.same_memory("tfillpad_inplace", target, source)
    machine.execute("V", "tfillpad_inplace", target, results.padded("tfillpad_inplace", target, source, False), source)


@htp.intrinsic(name="pto.tsort32", rule="sorted", effects="write", spaces="ub", cost="size(target)")
def tsort32(target: Half, source: Half, index: u32) -> None:
    """Sorts each 32 columns, the largest first, of equals the one with the smaller index: to pairs of the value and, in the bits of
    an f32 or of two f16, its index; between those of f16 stands a zero, so that a pair has 8 bytes.

    >>> tsort32(pairs, x, columns)
    """
    machine.apart("tsort32", target, index)
    machine.execute("V", "tsort32", target, indices.sorted_pairs("tsort32", source, index), source, index, apart=True)


@htp.intrinsic(name="pto.tmrgsort", rule="sorted", effects="write", spaces="ub", cost="size(target)")
def tmrgsort(target: Half, source: Half, block: int) -> None:
    """Merges each four sorted blocks of pairs of one row to one; `block` are the columns of a block, two a pair or, of f16, four.

    >>> tmrgsort(merged, pairs, 64)
    """
    machine.execute("V", "tmrgsort", target, indices.merged("tmrgsort", target, source, block), source, apart=True)


@htp.intrinsic(name="pto.tpartadd", rule="part", effects="write", spaces="ub", cost="size(target)")
def tpartadd(target: Arithmetic, a: Arithmetic, b: Arithmetic) -> None:
    """The sum where both tiles are valid, elsewhere the one that is.

    >>> tpartadd(y, a, b)
    """
    machine.execute("V", "tpartadd", target, indices.partly("tpartadd", "add", target, a, b), a, b)


@htp.intrinsic(name="pto.tpartmul", rule="part", effects="write", spaces="ub", cost="size(target)")
def tpartmul(target: Arithmetic, a: Arithmetic, b: Arithmetic) -> None:
    """The product where both tiles are valid, elsewhere the one that is.

    >>> tpartmul(y, a, b)
    """
    machine.execute("V", "tpartmul", target, indices.partly("tpartmul", "mul", target, a, b), a, b)


@htp.intrinsic(name="pto.tpartmax", rule="part", effects="write", spaces="ub", cost="size(target)")
def tpartmax(target: Arithmetic, a: Arithmetic, b: Arithmetic) -> None:
    """The larger where both tiles are valid, elsewhere the one that is.

    >>> tpartmax(y, a, b)
    """
    machine.execute("V", "tpartmax", target, indices.partly("tpartmax", "maximum", target, a, b), a, b)


@htp.intrinsic(name="pto.tpartmin", rule="part", effects="write", spaces="ub", cost="size(target)")
def tpartmin(target: Arithmetic, a: Arithmetic, b: Arithmetic) -> None:
    """The smaller where both tiles are valid, elsewhere the one that is.

    >>> tpartmin(y, a, b)
    """
    machine.execute("V", "tpartmin", target, indices.partly("tpartmin", "minimum", target, a, b), a, b)


@htp.intrinsic(name="pto.tconcat", rule="beside", effects="write", spaces="ub", cost="size(target)")
def tconcat(target: Moved, a: Moved, b: Moved) -> None:
    """The columns of `a`, and behind them those of `b`.

    >>> tconcat(y, a, b)
    """
    machine.execute("V", "tconcat", target, indices.beside("tconcat", target, a, b), a, b, apart=True)


@htp.intrinsic(name="pto.ttri", rule="triangle", effects="write", spaces="ub", cost="size(target)")
def ttri(target: Triangle, diagonal: int, side: str) -> None:
    """Ones and zeros: "lower" has ones up to a diagonal, "upper" from it on; diagonal 0 is that of equal row and column, 1 the next one to the right.

    >>> ttri(mask, 0, "lower")
    """
    machine.execute("V", "ttri", target, indices.triangle("ttri", target, diagonal, side))
