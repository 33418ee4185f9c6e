"""Products of the cube: of matrices, and of a row and a matrix."""

import htp
from htp import Element
from htp_pto import cube, machine
from htp_pto.dtypes import Factor, Sum


@htp.intrinsic(name="pto.tmatmul", rule="product", effects="write", spaces="left right acc", cost="2 * size(target) * extent(left, 1)")
def tmatmul(target: Element, left: Factor, right: Factor) -> None:
    """The matrix product: of f16, bf16 and f32 in f32, of i8 in i32.

    >>> tmatmul(acc, left, right)
    """
    cube.multiply("tmatmul", target, left, right, None)


@htp.intrinsic(name="pto.tmatmul_acc", rule="product", effects="read write", spaces="left right acc", cost="2 * size(target) * extent(left, 1)")
def tmatmul_acc(target: Element, left: Factor, right: Factor) -> None:
    """The matrix product, added to the target.

    >>> tmatmul_acc(acc, left, right)
    """
    cube.multiply("tmatmul_acc", target, left, right, machine.read(target))


@htp.intrinsic(name="pto.tmatmul_bias", rule="product", effects="write", spaces="left right acc bias", cost="2 * size(target) * extent(left, 1)")
def tmatmul_bias(target: Sum, left: Factor, right: Factor, bias: Sum) -> None:
    """The matrix product, to each row of which a row in the bias table is added.

    >>> tmatmul_bias(acc, left, right, bias)
    """
    cube.biased("tmatmul_bias", target, left, right, bias)


@htp.intrinsic(name="pto.tgemv", rule="product", effects="write", spaces="left right acc", cost="2 * size(target) * extent(left, 1)")
def tgemv(target: Sum, left: Factor, right: Factor) -> None:
    """The product of one row by a matrix; the row lies in L0A without boxes, as a tile of one row.

    >>> tgemv(acc, row, right)
    """
    cube.one_row("tgemv", left)
    cube.multiply("tgemv", target, left, right, None)


@htp.intrinsic(name="pto.tgemv_acc", rule="product", effects="read write", spaces="left right acc", cost="2 * size(target) * extent(left, 1)")
def tgemv_acc(target: Sum, left: Factor, right: Factor) -> None:
    """The product of one row by a matrix, added to the target.

    >>> tgemv_acc(acc, row, right)
    """
    cube.one_row("tgemv_acc", left)
    cube.multiply("tgemv_acc", target, left, right, machine.read(target))


@htp.intrinsic(name="pto.tgemv_bias", rule="product", effects="write", spaces="left right acc bias", cost="2 * size(target) * extent(left, 1)")
def tgemv_bias(target: Sum, left: Factor, right: Factor, bias: Sum) -> None:
    """The product of one row by a matrix, to which a row in the bias table is added.

    >>> tgemv_bias(acc, row, right, bias)
    """
    cube.one_row("tgemv_bias", left)
    cube.biased("tgemv_bias", target, left, right, bias)
