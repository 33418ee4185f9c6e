"""Instructions along rows and columns: reductions, and a row or a column that counts for all."""

import htp
from htp import i32
from htp_pto import machine
from htp_pto.dtypes import Arithmetic, Half, Moved


@htp.intrinsic(name="pto.trowsum", rule="rows", effects="write", spaces="ub", cost="size(x)")
def trowsum(target: Arithmetic, x: Arithmetic, work: Arithmetic) -> None:
    """The sum of each row, to a column; `work` is a tile like x, which holds nothing of use afterwards.

    >>> trowsum(total, x, work)
    """
    machine.execute("V", "trowsum", target, htp.reduce("sum", machine.read(x), -1), x, apart=True, work=work)


@htp.intrinsic(name="pto.trowmax", rule="rows", effects="write", spaces="ub", cost="size(x)")
def trowmax(target: Arithmetic, x: Arithmetic, work: Arithmetic) -> None:
    """The largest of each row, to a column; `work` is a tile like x, which holds nothing of use afterwards.

    >>> trowmax(total, x, work)
    """
    machine.execute("V", "trowmax", target, htp.reduce("max", machine.read(x), -1), x, apart=True, work=work)


@htp.intrinsic(name="pto.trowmin", rule="rows", effects="write", spaces="ub", cost="size(x)")
def trowmin(target: Arithmetic, x: Arithmetic, work: Arithmetic) -> None:
    """The smallest of each row, to a column; `work` is a tile like x, which holds nothing of use afterwards.

    >>> trowmin(total, x, work)
    """
    machine.execute("V", "trowmin", target, htp.reduce("min", machine.read(x), -1), x, apart=True, work=work)


@htp.intrinsic(name="pto.trowprod", rule="rows", effects="write", spaces="ub", cost="size(x)")
def trowprod(target: Arithmetic, x: Arithmetic, work: Arithmetic) -> None:
    """The product of each row, to a column; `work` is a tile like x, which holds nothing of use afterwards.

    >>> trowprod(total, x, work)
    """
    machine.execute("V", "trowprod", target, htp.reduce("prod", machine.read(x), -1), x, apart=True, work=work)


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
def trowexpand(target: Moved, x: Moved) -> None:
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
def tcolexpand(target: Moved, x: Moved) -> None:
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


@htp.intrinsic(name="pto.trowargmax", rule="rows", effects="write", spaces="ub", cost="size(x)")
def trowargmax(target: i32, x: Arithmetic, work: Arithmetic) -> None:
    """The index of the largest in each row, to a column; of equals the first.

    >>> trowargmax(best, x, work)
    """
    machine.execute("V", "trowargmax", target, htp.locate("argmax", machine.read(x), -1), x, apart=True, work=work)


@htp.intrinsic(name="pto.trowargmin", rule="rows", effects="write", spaces="ub", cost="size(x)")
def trowargmin(target: i32, x: Arithmetic, work: Arithmetic) -> None:
    """The index of the smallest in each row, to a column; of equals the first.

    >>> trowargmin(best, x, work)
    """
    machine.execute("V", "trowargmin", target, htp.locate("argmin", machine.read(x), -1), x, apart=True, work=work)
