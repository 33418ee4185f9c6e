"""Instructions that compute element by element: arithmetic, functions, comparisons and masks, bits."""

import htp
from htp import Element, bool_, f32, u8
from htp_pto import machine, powers, results
from htp_pto.dtypes import Arithmetic, Bitwise, Chosen, Compared, Converted, Half, Moved, Raised, Whole


@htp.intrinsic(name="pto.texpands", rule="fill", effects="write", spaces="ub", cost="size(target)")
def texpands(target: Moved, value: float | int) -> None:
    """Fills a tile with a number.

    >>> texpands(total, 0)
    """
    machine.execute("V", "texpands", target, htp.full(type(target), value, target.shape))


@htp.intrinsic(name="pto.tcvt", rule="convert", effects="write", spaces="ub", cost="size(target)")
def tcvt(target: Element, source: Converted, mode: str) -> None:
    """Converts a tile to another dtype: "RINT" rounds to the nearest, halves to even, "TRUNC" toward zero, "FLOOR" down, "CEIL" up, and "NONE" is for what is
    exact. Of floats integers are the nearest that there are; integers lose what a narrower one has no bits for.

    >>> tcvt(wide, narrow, "NONE")
    """
    machine.execute("V", "tcvt", target, results.converted(source, type(target), mode), source, apart=True)


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


@htp.intrinsic(name="pto.tcmp", rule="compare", effects="write", spaces="ub", cost="size(target)")
def tcmp(target: bool_, a: Compared, b: Compared, mode: str) -> None:
    """A mask of where a comparison holds: "EQ", "NE", "LT", "LE", "GT" or "GE"; of i32 "EQ" alone.

    >>> tcmp(mask, a, b, "LT")
    """
    machine.execute("V", "tcmp", target, results.compare_values("tcmp", mode, a, b), a, b, apart=True)


@htp.intrinsic(name="pto.tcmps", rule="compare", effects="write", spaces="ub", cost="size(target)")
def tcmps(target: bool_, a: Compared, b: float | int, mode: str) -> None:
    """A mask of where a comparison with a number holds.

    >>> tcmps(mask, a, 0.0, "GT")
    """
    machine.execute("V", "tcmps", target, results.compare_values("tcmps", mode, a, b), a, apart=True)


@htp.intrinsic(name="pto.tsel", rule="select", effects="write", spaces="ub", cost="size(target)")
def tsel(target: Chosen, mask: bool_, a: Chosen, b: Chosen, work: u8) -> None:
    """Where the mask holds `a`, elsewhere `b`; `work` has 32 bytes, which hold nothing of use afterwards.

    >>> tsel(y, mask, a, b, work)
    """
    result: Chosen = htp.select(results.mask_of(mask, a), machine.read(a), machine.read(b))
    machine.apart("tsel", target, mask)
    machine.execute("V", "tsel", target, result, mask, a, b, work=work)


@htp.intrinsic(name="pto.tsels", rule="select", effects="write", spaces="ub", cost="size(target)")
def tsels(target: Chosen, mask: bool_, a: Chosen, work: u8, b: float | int) -> None:
    """Where the mask holds `a`, elsewhere a number; `work` has 32 bytes, which hold nothing of use afterwards.

    >>> tsels(y, mask, a, work, 0.0)
    """
    result: Chosen = htp.select(results.mask_of(mask, a), machine.read(a), htp.full(type(a), b, ()))
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
    """The bits of `a`, moved up by `b` bits; beyond the dtype's bits nothing is left.

    >>> tshl(y, a, b)
    """
    machine.execute("V", "tshl", target, htp.binary("shl", machine.read(a), machine.read(b)), a, b)


@htp.intrinsic(name="pto.tshr", rule="binary", effects="write", spaces="ub", cost="size(target)")
def tshr(target: Whole, a: Whole, b: Whole) -> None:
    """The bits of `a`, moved down by `b` bits; a sign stays.

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
    """The bits of a tile, moved up by a number of bits.

    >>> tshls(y, x, 3)
    """
    machine.execute("V", "tshls", target, htp.binary("shl", machine.read(a), b), a)


@htp.intrinsic(name="pto.tshrs", rule="scalar", effects="write", spaces="ub", cost="size(target)")
def tshrs(target: Whole, a: Whole, b: int) -> None:
    """The bits of a tile, moved down by a number of bits; a sign stays.

    >>> tshrs(y, x, 3)
    """
    machine.execute("V", "tshrs", target, htp.binary("shr", machine.read(a), b), a)


@htp.intrinsic(name="pto.trelu", rule="unary", effects="write", spaces="ub", cost="size(target)")
def trelu(target: Compared, x: Compared) -> None:
    """The larger of x and 0, of each element; NaN is 0.

    >>> trelu(y, x)
    """
    machine.execute("V", "trelu", target, results.positive(machine.read(x)), x)


@htp.intrinsic(name="pto.tlrelu", rule="scalar", effects="write", spaces="ub", cost="size(target)")
def tlrelu(target: Half, a: Half, b: float) -> None:
    """The x where it is larger than 0, elsewhere x times a number.

    >>> tlrelu(y, x, 0.01)
    """
    value = machine.read(a)
    machine.execute("V", "tlrelu", target, htp.select(htp.compare("gt", value, htp.full(type(a), 0, ())), value, htp.binary("mul", value, b)), a)


@htp.intrinsic(name="pto.tprelu", rule="binary", effects="write", spaces="ub", cost="size(target)")
def tprelu(target: Half, a: Half, b: Half, work: u8) -> None:
    """The `a` where it is larger than 0, elsewhere `a` times `b`; `work` has a byte for each eight columns and a row more, which hold nothing
    of use afterwards.

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


@htp.intrinsic(name="pto.tsubrelu", rule="binary", effects="write", spaces="ub", cost="size(target)")
def tsubrelu(target: Half, a: Half, b: Half) -> None:
    """The difference, rounded once, where it is larger than 0, elsewhere 0.

    >>> tsubrelu(y, a, b)
    """
    machine.execute("V", "tsubrelu", target, results.positive(htp.binary("sub", machine.read(a), machine.read(b))), a, b)


@htp.intrinsic(name="pto.tfusedmuladdrelu", rule="fused", effects="read write", spaces="ub", cost="size(target)")
def tfusedmuladdrelu(target: Half, a: Half, b: Half) -> None:
    """The target times `a` plus `b` where that is larger than 0, elsewhere 0; the product is rounded, and the sum.

    >>> tfusedmuladdrelu(y, a, b)
    """
    total: Half = htp.binary("add", htp.binary("mul", machine.read(target), machine.read(a)), machine.read(b))
    machine.execute("V", "tfusedmuladdrelu", target, results.positive(total), a, b, target)


@htp.intrinsic(name="pto.tfmod", rule="binary", effects="write", spaces="ub", cost="size(target)")
def tfmod(target: f32, a: f32, b: f32) -> None:
    """What is left of `a` divided by `b` toward zero, a - trunc(a / b) * b, each step rounded: exact while the quotient is small; not in place.

    >>> tfmod(y, a, b)
    """
    machine.execute("V", "tfmod", target, powers.rest("trunc", machine.read(a), machine.read(b)), a, b, apart=True)


@htp.intrinsic(name="pto.tfmods", rule="scalar", effects="write", spaces="ub", cost="size(target)")
def tfmods(target: f32, a: f32, b: float) -> None:
    """What is left of a tile divided by a number toward zero, each step rounded; not in place.

    >>> tfmods(y, x, 3.0)
    """
    machine.execute("V", "tfmods", target, powers.rest("trunc", machine.read(a), b), a, apart=True)


@htp.intrinsic(name="pto.trem", rule="binary", effects="write", spaces="ub", cost="size(target)")
def trem(target: f32, a: f32, b: f32, work: f32) -> None:
    """What is left of `a` divided by `b` downwards, a - floor(a / b) * b, each step rounded, with the sign of `b`; not in place. `work` is a row of as many columns as
    the target holds, and two more for each 64 of them, which hold nothing of use afterwards.

    >>> trem(y, a, b, work)
    """
    machine.work_holds("trem", work, powers.columns_for(machine.capacity_of("trem", target)[-1]))
    machine.execute("V", "trem", target, powers.rest("floor", machine.read(a), machine.read(b)), a, b, apart=True, work=work)


@htp.intrinsic(name="pto.trems", rule="scalar", effects="write", spaces="ub", cost="size(target)")
def trems(target: f32, a: f32, b: float, work: f32) -> None:
    """What is left of a tile divided by a number downwards, each step rounded, with the number's sign; not in place, and of at most 64 columns: of more, the
    instruction looks at the signs of the first 64 alone. `work` is a row of as many columns, which hold nothing of use afterwards.

    >>> trems(y, x, 3.0, work)
    """
    if machine.shape_of("trems", target)[-1] > powers.SIGNS:
        raise htp.HtpError(f"`trems` corrects the signs of {powers.SIGNS} columns, and there are {machine.shape_of('trems', target)[-1]}: use `trem`")
    machine.work_holds("trems", work, machine.shape_of("trems", target)[-1])
    machine.execute("V", "trems", target, powers.rest("floor", machine.read(a), b), a, apart=True, work=work)


@htp.intrinsic(name="pto.tpow", rule="binary", effects="write", spaces="ub", cost="8 * size(target)")
def tpow(target: Raised, a: Raised, b: Raised, work: Raised) -> None:
    """The `a` to the power of `b`: of f32 exp(b * log(a)), each step rounded, the sign of a negative `a` after whole exponents, and NaN after others; integers wrap
    around, and a negative exponent gives 0, but of 1 and -1. Not in place; `work` is a tile like the target, which holds nothing of use afterwards.

    >>> tpow(y, a, b, work)
    """
    machine.execute("V", "tpow", target, powers.raised(machine.read(a), machine.read(b)), a, b, apart=True, work=work)


@htp.intrinsic(name="pto.tpows", rule="scalar", effects="write", spaces="ub", cost="8 * size(target)")
def tpows(target: Raised, a: Raised, b: float | int, work: Raised) -> None:
    """A tile to the power of a number, as `tpow`.

    >>> tpows(y, x, 3, work)
    """
    machine.execute("V", "tpows", target, powers.raised(machine.read(a), htp.full(type(a), b, a.shape)), a, apart=True, work=work)
