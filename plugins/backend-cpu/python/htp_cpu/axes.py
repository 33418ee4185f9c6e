"""Intrinsics of the CPU that go along axes of a tile: reductions, scans, products, shapes and orders."""

import htp
from htp import Element, Extent, Integer, Layout, Number, bool_, i32


@htp.intrinsic(name="cpu.reduce_sum", rule="reduce", effects="", spaces="", cost="size(x)")
def reduce_sum(x: Number, *, axis: int) -> Number:
    """The sum along an axis, which stays with extent 1. f16 and bf16 add up in f32 or wider and round once; 0 of nothing.

    >>> r = reduce_sum(x, axis=1)
    """
    return htp.reduce("sum", x, axis)


@htp.intrinsic(name="cpu.reduce_max", rule="reduce", effects="", spaces="", cost="size(x)")
def reduce_max(x: Number, *, axis: int) -> Number:
    """The largest along an axis, which stays with extent 1; NaN if one is NaN; +0 is above -0.

    >>> r = reduce_max(x, axis=1)
    """
    return htp.reduce("max", x, axis)


@htp.intrinsic(name="cpu.reduce_min", rule="reduce", effects="", spaces="", cost="size(x)")
def reduce_min(x: Number, *, axis: int) -> Number:
    """The smallest along an axis, which stays with extent 1; NaN if one is NaN; -0 is below +0.

    >>> r = reduce_min(x, axis=1)
    """
    return htp.reduce("min", x, axis)


@htp.intrinsic(name="cpu.reduce_prod", rule="reduce", effects="", spaces="", cost="size(x)")
def reduce_prod(x: Number, *, axis: int) -> Number:
    """The product along an axis, which stays with extent 1. f16 and bf16 multiply in f32 or wider and round once; 1 of nothing.

    >>> r = reduce_prod(x, axis=1)
    """
    return htp.reduce("prod", x, axis)


@htp.intrinsic(name="cpu.reduce_any", rule="reduce", effects="", spaces="", cost="size(x)")
def reduce_any(x: bool_, *, axis: int) -> bool_:
    """Whether one holds along an axis, which stays with extent 1; of nothing none does.

    >>> r = reduce_any(mask, axis=1)
    """
    return htp.reduce("any", x, axis)


@htp.intrinsic(name="cpu.reduce_all", rule="reduce", effects="", spaces="", cost="size(x)")
def reduce_all(x: bool_, *, axis: int) -> bool_:
    """Whether all hold along an axis, which stays with extent 1; of nothing all do.

    >>> r = reduce_all(mask, axis=1)
    """
    return htp.reduce("all", x, axis)


@htp.intrinsic(name="cpu.argmax", rule="locate", effects="", spaces="", cost="2 * size(x)")
def argmax(x: Number, *, axis: int) -> i32:
    """Where along an axis, which stays with extent 1, the largest stands: counted from 0 within the tile, the first of equals, the
    first NaN if there is one; +0 is above -0.

    >>> index = argmax(x, axis=1)
    """
    return htp.locate("argmax", x, axis)


@htp.intrinsic(name="cpu.argmin", rule="locate", effects="", spaces="", cost="2 * size(x)")
def argmin(x: Number, *, axis: int) -> i32:
    """Where along an axis, which stays with extent 1, the smallest stands: counted from 0 within the tile, the first of equals, the
    first NaN if there is one; -0 is below +0.

    >>> index = argmin(x, axis=1)
    """
    return htp.locate("argmin", x, axis)


@htp.intrinsic(name="cpu.scan_sum", rule="scan", effects="", spaces="", cost="size(x)")
def scan_sum(x: Number, *, axis: int) -> Number:
    """At each element the sum of those up to it along an axis. f16 and bf16 add up in f32 or wider, and each result is rounded once.

    >>> s = scan_sum(x, axis=1)
    """
    return htp.scan("sum", x, axis)


@htp.intrinsic(name="cpu.scan_max", rule="scan", effects="", spaces="", cost="size(x)")
def scan_max(x: Number, *, axis: int) -> Number:
    """At each element the largest of those up to it along an axis; NaN from the first NaN on; +0 is above -0.

    >>> s = scan_max(x, axis=1)
    """
    return htp.scan("max", x, axis)


@htp.intrinsic(name="cpu.scan_min", rule="scan", effects="", spaces="", cost="size(x)")
def scan_min(x: Number, *, axis: int) -> Number:
    """At each element the smallest of those up to it along an axis; NaN from the first NaN on; -0 is below +0.

    >>> s = scan_min(x, axis=1)
    """
    return htp.scan("min", x, axis)


@htp.intrinsic(name="cpu.matmul", rule="matmul", effects="", spaces="", cost="2 * size(result) * extent(a, 1)")
def matmul(a: Number, b: Number, acc: Number | None = None) -> Number:
    """The matrix product of m x k and k x n tiles, added to acc if given; extents before those are equal or 1. f16 and bf16 add up in
    f32 or wider and round once.

    >>> acc = matmul(a_tile, b_tile, acc)
    """
    return htp.matmul(a, b, acc)


@htp.intrinsic(name="cpu.transpose", rule="transpose", effects="", spaces="", cost="size(result)")
def transpose(x: Element, axes: tuple[int, ...] | None = None) -> Element:
    """An m x n tile as n x m: the last two extents swapped; or with the axes of x in the order given.

    >>> y = transpose(x)
    """
    return htp.transpose(x, axes)


@htp.intrinsic(name="cpu.relayout", rule="relayout", effects="", spaces="", cost="size(result)")
def relayout(x: Element, layout: Layout) -> Element:
    """The same values in another layout. Memory is flat here, so that it costs nothing.

    >>> y = relayout(x, htp.layouts.ordered((8, 64), (1, 0)))
    """
    return x


@htp.intrinsic(name="cpu.reshape", rule="reshape", effects="", spaces="", cost="size(result)")
def reshape(x: Element, *extents: Extent) -> Element:
    """The same elements in row-major order under other extents, of the same product at all sizes.

    >>> y = reshape(x, i, 1, N)
    """
    return htp.reshape(x, extents)


@htp.intrinsic(name="cpu.gather", rule="gather", effects="", spaces="", cost="size(result)")
def gather(x: Element, index: Integer, *, axis: int) -> Element:
    """At each element of `index` the element of x which that names along an axis; the other extents are equal or 1. An index outside
    of x stops the program.

    >>> chosen = gather(x, indices, axis=1)
    """
    return htp.gather(x, index, axis)


@htp.intrinsic(name="cpu.sort", rule="scan", effects="", spaces="", cost="16 * size(x)")
def sort(x: Number, *, axis: int, descending: bool = False) -> Number:
    """The elements along an axis in order, equals as they stand; -0 is below +0, NaN above all.

    >>> s = sort(x, axis=1)
    """
    return htp.ordered("sort", x, axis, descending)


@htp.intrinsic(name="cpu.argsort", rule="argsort", effects="", spaces="", cost="16 * size(x)")
def argsort(x: Number, *, axis: int, descending: bool = False) -> i32:
    """Where along an axis the elements stand that come first, second and so on in order, counted from 0 within the tile; equals as they
    stand.

    >>> indices = argsort(x, axis=1)
    """
    return htp.order("argsort", x, axis, descending)


@htp.intrinsic(name="cpu.topk", rule="topk", effects="", spaces="", cost="8 * size(x)")
def topk(x: Number, k: int, *, axis: int) -> Number:
    """The k largest along an axis, the largest first; NaN is above all. Fewer than k elements stop the program.

    >>> best = topk(x, 8, axis=1)
    """
    return htp.ordered("topk", x, axis, True, k)


@htp.intrinsic(name="cpu.argtopk", rule="topk", effects="", spaces="", cost="8 * size(x)")
def argtopk(x: Number, k: int, *, axis: int) -> i32:
    """Where along an axis the k largest stand, the largest first, of equals the first one first; counted from 0 within the tile. Fewer
    than k elements stop the program.

    >>> indices = argtopk(x, 8, axis=1)
    """
    return htp.order("argtopk", x, axis, True, k)
