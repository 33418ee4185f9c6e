"""Intrinsics of the tile language: what goes along the axes of a tile: reductions, scans, products, shapes and orders.

The build reads this file and never runs it: keep a declaration to `@htp.intrinsic(...)` with literal arguments on a plain function with
annotated parameters. The typing rules, by the names in `rule=`, where Element, Number, Floating stand for one dtype each in a signature:

    reduce       the operand's type, with extent 1 at the axis
    locate       the same in i32
    scan         the operand's type
    argsort      the same in i32
    topk         the operand's extents, with k at the axis; of the operand's dtype, or i32
    matmul       (…, m, k) and (…, k, n) give (…, m, n), with … equal or 1; acc has the result's type, of their dtype or a wider one
    transpose    the last two extents, swapped, or all in the order of the axes
    reshape      the operand's dtype, the named extents
    relayout     the operand's type, with the named layout
    gather       x's dtype; extents are equal or 1, at the axis the index's
    einsum       an extent for each letter of the result, equal wherever a letter stands
    roll         the operand's type
    pad          the operand's type, longer at the axis
"""

import htp
from htp import Element, Extent, Floating, Integer, Layout, Number, bool_, i32


@htp.intrinsic(name="tile.reduce_sum", rule="reduce", effects="", spaces="", cost="size(x)")
def reduce_sum(x: Number, *, axis: int | tuple[int, ...]) -> Number:
    """The sum along an axis, or along one after the other, which stay with extent 1. f16 and bf16 add up in f32 or wider and round once
    an axis; 0 of nothing.

    >>> r = reduce_sum(x, axis=1)
    """
    return htp.reduce("sum", x, axis)


@htp.intrinsic(name="tile.reduce_mean", rule="reduce", effects="", spaces="", cost="size(x) + 4 * size(result)")
def reduce_mean(x: Floating, *, axis: int | tuple[int, ...]) -> Floating:
    """The sum along an axis, which stays with extent 1, divided by the extent. Of f16 and bf16 both are in f32; NaN of nothing.

    >>> mu = reduce_mean(x, axis=1)
    """
    return htp.mean(x, axis)


@htp.intrinsic(name="tile.reduce_max", rule="reduce", effects="", spaces="", cost="size(x)")
def reduce_max(x: Number, *, axis: int | tuple[int, ...]) -> Number:
    """The largest along an axis, which stays with extent 1; NaN if one is NaN; +0 is above -0.

    >>> r = reduce_max(x, axis=1)
    """
    return htp.reduce("max", x, axis)


@htp.intrinsic(name="tile.reduce_min", rule="reduce", effects="", spaces="", cost="size(x)")
def reduce_min(x: Number, *, axis: int | tuple[int, ...]) -> Number:
    """The smallest along an axis, which stays with extent 1; NaN if one is NaN; -0 is below +0.

    >>> r = reduce_min(x, axis=1)
    """
    return htp.reduce("min", x, axis)


@htp.intrinsic(name="tile.reduce_prod", rule="reduce", effects="", spaces="", cost="size(x)")
def reduce_prod(x: Number, *, axis: int | tuple[int, ...]) -> Number:
    """The product along an axis, which stays with extent 1. f16 and bf16 multiply in f32 or wider and round once; 1 of nothing.

    >>> r = reduce_prod(x, axis=1)
    """
    return htp.reduce("prod", x, axis)


@htp.intrinsic(name="tile.reduce_any", rule="reduce", effects="", spaces="", cost="size(x)")
def reduce_any(x: bool_, *, axis: int | tuple[int, ...]) -> bool_:
    """Whether one holds along an axis, which stays with extent 1; of nothing none does.

    >>> r = reduce_any(mask, axis=1)
    """
    return htp.reduce("any", x, axis)


@htp.intrinsic(name="tile.reduce_all", rule="reduce", effects="", spaces="", cost="size(x)")
def reduce_all(x: bool_, *, axis: int | tuple[int, ...]) -> bool_:
    """Whether all hold along an axis, which stays with extent 1; of nothing all do.

    >>> r = reduce_all(mask, axis=1)
    """
    return htp.reduce("all", x, axis)


@htp.intrinsic(name="tile.argmax", rule="locate", effects="", spaces="", cost="2 * size(x)")
def argmax(x: Number, *, axis: int) -> i32:
    """Where along an axis, which stays with extent 1, the largest stands: counted from 0 within the tile, the first of equals, the
    first NaN if there is one; +0 is above -0.

    >>> place = argmax(x, axis=1)
    """
    return htp.locate("argmax", x, axis)


@htp.intrinsic(name="tile.argmin", rule="locate", effects="", spaces="", cost="2 * size(x)")
def argmin(x: Number, *, axis: int) -> i32:
    """Where along an axis, which stays with extent 1, the smallest stands: counted from 0 within the tile, the first of equals, the
    first NaN if there is one; -0 is below +0.

    >>> place = argmin(x, axis=1)
    """
    return htp.locate("argmin", x, axis)


@htp.intrinsic(name="tile.scan_sum", rule="scan", effects="", spaces="", cost="size(x)")
def scan_sum(x: Number, *, axis: int) -> Number:
    """At each element the sum of those up to it along an axis. f16 and bf16 add up in f32 or wider, and each result is rounded once.

    >>> s = scan_sum(x, axis=1)
    """
    return htp.scan("sum", x, axis)


@htp.intrinsic(name="tile.scan_max", rule="scan", effects="", spaces="", cost="size(x)")
def scan_max(x: Number, *, axis: int) -> Number:
    """At each element the largest of those up to it along an axis; NaN from the first NaN on; +0 is above -0.

    >>> s = scan_max(x, axis=1)
    """
    return htp.scan("max", x, axis)


@htp.intrinsic(name="tile.scan_min", rule="scan", effects="", spaces="", cost="size(x)")
def scan_min(x: Number, *, axis: int) -> Number:
    """At each element the smallest of those up to it along an axis; NaN from the first NaN on; -0 is below +0.

    >>> s = scan_min(x, axis=1)
    """
    return htp.scan("min", x, axis)


@htp.intrinsic(name="tile.matmul", rule="matmul", effects="", spaces="", cost="2 * size(result) * extent(a, 1)", method="__matmul__")
def matmul(a: Number, b: Number, acc: Number | None = None) -> Number:
    """The matrix product of m x k and k x n tiles, added to acc if given; extents before those are equal or 1. f16 and bf16 add up in
    f32 or wider and round once. An acc of a wider dtype, which holds all that a and b do, is added up in, and is the result's.

    >>> acc = matmul(a[i, k], b[k, j], acc)  # or a[i, k] @ b[k, j]
    """
    return htp.matmul(a, b, acc)


@htp.intrinsic(name="tile.transpose", rule="transpose", effects="", spaces="", cost="size(result)")
def transpose(x: Element, axes: tuple[int, ...] | None = None) -> Element:
    """An m x n tile as n x m: the last two extents swapped; or with the axes of x in the order given.

    >>> y = transpose(x)  # or transpose(x, (1, 0, 2))
    """
    return htp.transpose(x, axes)


@htp.intrinsic(name="tile.reshape", rule="reshape", effects="", spaces="", cost="size(result)")
def reshape(x: Element, *extents: Extent) -> Element:
    """The same elements in row-major order under other extents, of the same product at all sizes. One may be `-1`: what is left.

    >>> y = reshape(x, i, 1, N)
    """
    return htp.reshape(x, extents)


@htp.intrinsic(name="tile.relayout", rule="relayout", effects="", spaces="", cost="size(result)")
def relayout(x: Element, layout: Layout) -> Element:
    """The same values in another layout; what that takes follows from the two layouts.

    >>> y = relayout(x, htp.layouts.ordered((8, 64), (1, 0)))
    """
    return x


@htp.intrinsic(name="tile.gather", rule="gather", effects="", spaces="", cost="size(result)")
def gather(x: Element, index: Integer, *, axis: int) -> Element:
    """At each element of `index` the element of x which that names along an axis; the other extents are equal or 1. An index outside
    of x stops the program.

    >>> chosen = gather(x, places, axis=1)
    """
    return htp.gather(x, index, axis)


@htp.intrinsic(name="tile.sort", rule="scan", effects="", spaces="", cost="16 * size(x)")
def sort(x: Number, *, axis: int, descending: bool = False) -> Number:
    """The elements along an axis in order, equals as they stand; -0 is below +0, NaN above all.

    >>> s = sort(x, axis=1)
    """
    return htp.ordered("sort", x, axis, descending)


@htp.intrinsic(name="tile.argsort", rule="argsort", effects="", spaces="", cost="16 * size(x)")
def argsort(x: Number, *, axis: int, descending: bool = False) -> i32:
    """Where along an axis the elements stand that come first, second and so on in order, counted from 0 within the tile; equals as they
    stand.

    >>> places = argsort(x, axis=1)
    """
    return htp.order("argsort", x, axis, descending)


@htp.intrinsic(name="tile.topk", rule="topk", effects="", spaces="", cost="8 * size(x)")
def topk(x: Number, k: int, *, axis: int) -> Number:
    """The k largest along an axis, the largest first; NaN is above all. Fewer than k elements stop the program.

    >>> best = topk(x, 8, axis=1)
    """
    return htp.ordered("topk", x, axis, True, k)


@htp.intrinsic(name="tile.argtopk", rule="topk", effects="", spaces="", cost="8 * size(x)")
def argtopk(x: Number, k: int, *, axis: int) -> i32:
    """Where along an axis the k largest stand, the largest first, of equals the first one first; counted from 0 within the tile. Fewer
    than k elements stop the program.

    >>> places = argtopk(x, 8, axis=1)
    """
    return htp.order("argtopk", x, axis, True, k)


@htp.intrinsic(name="tile.einsum", rule="einsum", effects="", spaces="", cost="2 * size(a) * size(b)")
def einsum(spec: str, a: Number, b: Number) -> Number:
    """The product of two tiles by letters, one for each dimension: those that the result has not are summed. It is made of `transpose`, `reshape`,
    `matmul` (`mul` where nothing is summed) and `reduce_sum`, each of which rounds; without a letter the result has extent 1.

    >>> y = einsum("bmk,bnk->bmn", q, k)
    """
    return htp.einsum(spec, a, b)


@htp.intrinsic(name="tile.roll", rule="roll", effects="", spaces="", cost="2 * size(x)")
def roll(x: Element, shift: int, *, axis: int) -> Element:
    """The elements moved by `shift` places along an axis, those that go over its end to its begin: a `gather`.

    >>> y = roll(x, 1, axis=1)
    """
    return htp.roll(x, shift, axis)


@htp.intrinsic(name="tile.pad", rule="pad", effects="", spaces="", cost="2 * size(result)")
def pad(x: Element, widths: tuple[int, int], *, axis: int, value: float = 0) -> Element:
    """x with so many elements of a value before and behind it along an axis, which is a whole dimension: a `buffer` of the value, in which x is.

    >>> y = pad(x, (1, 1), axis=1)
    """
    return htp.pad(x, widths, axis, value)
