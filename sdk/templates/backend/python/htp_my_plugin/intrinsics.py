"""The target set. Each word is declared once, here: the hints are its signature, the body is its meaning. The build reads this file and
never runs it.

`rule` is the typing rule of the tile language that the word shares."""

import htp
from htp import Element, Floating, Index


@htp.intrinsic(name="my_plugin.load", rule="load", effects="read", spaces="", cost="size(result)")
def load(source: Element, *index: Index) -> Element:
    """The block of a vector.

    >>> x_tile = load(x, i)
    """
    return htp.load(source, index)


@htp.intrinsic(name="my_plugin.store", rule="store", effects="write", spaces="", cost="size(value)")
def store(target: Element, value: Element | float, *index: Index) -> None:
    """Writes a block of a vector.

    >>> store(y, e, i)
    """
    htp.store(target, value, index)


@htp.intrinsic(name="my_plugin.add", rule="add", effects="", spaces="", cost="size(result)")
def add(a: Floating | float, b: Floating | float) -> Floating:
    """The sum, rounded once.

    >>> y = add(a, b)
    """
    return htp.binary("add", a, b)


@htp.intrinsic(name="my_plugin.sub", rule="sub", effects="", spaces="", cost="size(result)")
def sub(a: Floating | float, b: Floating | float) -> Floating:
    """The difference, rounded once.

    >>> y = sub(a, b)
    """
    return htp.binary("sub", a, b)


@htp.intrinsic(name="my_plugin.mul", rule="mul", effects="", spaces="", cost="size(result)")
def mul(a: Floating | float, b: Floating | float) -> Floating:
    """The product, rounded once.

    >>> y = mul(a, b)
    """
    return htp.binary("mul", a, b)


@htp.intrinsic(name="my_plugin.div", rule="div", effects="", spaces="", cost="size(result)")
def div(a: Floating | float, b: Floating | float) -> Floating:
    """The quotient, rounded once.

    >>> y = div(a, b)
    """
    return htp.binary("div", a, b)


@htp.intrinsic(name="my_plugin.neg", rule="neg", effects="", spaces="", cost="size(result)")
def neg(x: Floating) -> Floating:
    """The value with the other sign.

    >>> y = neg(x)
    """
    return htp.unary("neg", x)


@htp.intrinsic(name="my_plugin.absolute", rule="absolute", effects="", spaces="", cost="size(result)")
def absolute(x: Floating) -> Floating:
    """The value without its sign.

    >>> y = absolute(x)
    """
    return htp.unary("absolute", x)


@htp.intrinsic(name="my_plugin.sqrt", rule="sqrt", effects="", spaces="", cost="size(result)")
def sqrt(x: Floating) -> Floating:
    """The square root, rounded once; NaN below zero.

    >>> y = sqrt(x)
    """
    return htp.unary("sqrt", x)


@htp.intrinsic(name="my_plugin.exp", rule="exp", effects="", spaces="", cost="size(result)")
def exp(x: Floating) -> Floating:
    """e to the power x.

    >>> y = exp(x)
    """
    return htp.unary("exp", x)
