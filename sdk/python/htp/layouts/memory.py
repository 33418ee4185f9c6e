"""Layouts as memory: strides, the order of dimensions, packed blocks, CuTe's shape:stride and swizzles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Any, TypeAlias

from htp.errors import HtpError
from htp.layouts.core import Digit, Layout, Place, apart, either, made, place, times

@dataclass(frozen=True, repr=False)
class Bound(Layout):
    """Steps of which some are dims, or of a shape with dims: each call's array gives them their values."""

    shape: tuple[Any, ...] = ()
    strides: tuple[Any, ...] = ()

    @property
    def size(self) -> int:
        return prod(int(extent) for extent in self.shape)

    def steps(self, shape: Sequence[int]) -> tuple[int, ...]:
        """Those that are numbers, and for dims such that nothing lies between the elements."""
        found = [step if isinstance(step, int) else 0 for step in self.strides]
        for d in reversed(range(len(shape))):
            if not isinstance(self.strides[d], int):
                found[d] = 1 + sum((extent - 1) * step for k, (extent, step) in enumerate(zip(shape, found)) if k != d)
        return tuple(found)

    def __repr__(self) -> str:
        shown = [f"({', '.join(map(repr, of))}{',' if len(of) == 1 else ''})" for of in (self.shape, self.strides)]
        return f"htp.layouts.strided({', '.join(shown)})"


Nest: TypeAlias = "int | tuple[Nest, ...]"
"""An int or a tuple of them, nested."""


def memory(n: int) -> Place:
    return place([("m", n)])


def strided(shape: Sequence[int], strides: Sequence[int], *, offset: int = 0) -> Layout:
    """A stride for each dimension, in elements.

    >>> strided((4, 8), (16, 1))
    htp.layout(((4, 16, "m"), (8, 1, "m")))
    """
    if len(shape) != len(strides):
        raise HtpError("there is one stride for each dimension")
    if not all(isinstance(n, int) for n in (*shape, *strides)):
        return Bound((), (), (), (), tuple(shape), tuple(strides))
    return made((Digit(extent, (memory(stride),)) for extent, stride in zip(shape, strides)), offset=memory(offset))


def ordered(shape: Sequence[int], order: Sequence[int]) -> Layout:
    """Without gaps; `order` names the dimensions from the slowest to the fastest. Row-major is (0, 1), column-major (1, 0).

    >>> ordered((4, 8), (1, 0))
    htp.layout(((4, 1, "m"), (8, 4, "m")))
    """
    if sorted(order) != list(range(len(shape))):
        raise HtpError("an order names each dimension once")
    strides = [1] * len(shape)
    stride = 1
    for k in reversed(order):
        strides[k] = stride
        stride *= shape[k]
    return strided(shape, strides)


def packed(shape: Sequence[int], block: Sequence[int], outer: Sequence[int], inner: Sequence[int]) -> Layout:
    """Blocks one after the other in the order `outer`, the elements of each in the order `inner`, without gaps.

    >>> packed((4, 4), (2, 2), outer=(0, 1), inner=(0, 1))
    htp.layout(((2, 8, "m"), (2, 2, "m"), (2, 4, "m"), (2, 1, "m")))
    """
    if len(block) != len(shape):
        raise HtpError("a block has as many dimensions as the tensor")
    for k, (extent, size) in enumerate(zip(shape, block)):
        if size < 1 or extent % size != 0:
            raise HtpError(f"dimension {k} of {extent} is not divisible into blocks of {size}")
    if sorted(outer) != list(range(len(shape))) or sorted(inner) != list(range(len(shape))):
        raise HtpError("an order names each dimension once")
    blocks = [extent // size for extent, size in zip(shape, block)]
    digits: dict[tuple[int, int], Digit] = {}
    stride = 1
    for level, extents, order in ((1, block, inner), (0, blocks, outer)):
        for k in reversed(order):
            digits[k, level] = Digit(extents[k], (memory(stride),))
            stride *= extents[k]
    return made(digits[key] for key in sorted(digits))


def cute(shape: Nest, stride: Nest, *, offset: int = 0) -> Layout:
    """CuTe's shape:stride. The modes are the dimensions; within a mode the first number counts fastest.

    >>> cute(((4, 2), 8), ((1, 32), 4))
    htp.layout(((2, 32, "m"), (4, 1, "m"), (8, 4, "m")))
    """
    modes = zip(shape, stride) if isinstance(shape, tuple) and isinstance(stride, tuple) else [(shape, stride)]
    if isinstance(shape, tuple) and isinstance(stride, tuple) and len(shape) != len(stride):
        raise HtpError("a shape and its strides are nested alike")
    return made((digit for mode in modes for digit in reversed(_flat(*mode))), offset=memory(offset))


def _flat(shape: Nest, stride: Nest) -> list[Digit]:
    """The digits of a mode, lowest first."""
    if isinstance(shape, tuple) and isinstance(stride, tuple) and len(shape) == len(stride):
        return [digit for inner in zip(shape, stride) for digit in _flat(*inner)]
    if isinstance(shape, tuple) or isinstance(stride, tuple):
        raise HtpError("a shape and its strides are nested alike")
    return [Digit(shape, (memory(stride),))]


def swizzle(layout: Layout, bits: int, base: int, shift: int) -> Layout:
    """CuTe's Swizzle<bits, base, shift> of a layout's addresses: `bits` bits from `base` on are combined with those `shift` above.

    >>> swizzle(ordered((2, 4), (0, 1)), 1, 0, 2)
    htp.layout(((8, (1, 2, 5), "m"),))
    """
    if bits < 0 or base < 0 or bits + base + abs(shift) > 40 or (bits > 0 and abs(shift) < bits):
        raise HtpError(f"a swizzle of {bits} bits from {base} is shifted by at least as many bits, not by {shift}")
    if bits == 0:
        return layout
    period = 1 << (bits + base + abs(shift))
    offset = dict(layout.offset).get("m", 0)

    def untouched(digit: Digit) -> bool:
        return all(dict(step).get("m", 0) % period == 0 for step in digit.steps)

    if offset % period != 0:
        raise HtpError(f"the offset {offset} is swizzled: it is not a multiple of {period}")
    if not all(map(untouched, layout.replicate)):
        raise HtpError(f"copies lie at distances that are swizzled: they are not a multiple of {period}")
    if not all(untouched(digit) for _, digit in layout.pending):
        raise HtpError(f"partial values lie at distances that are swizzled: they are not a multiple of {period}")
    high = 0
    while high < len(layout.terms) and untouched(layout.terms[high]):
        high += 1
    low = layout.terms[high:]
    if not low:
        return layout
    steps = bits_of(low)
    if steps is None:
        raise HtpError(
            f"a swizzle works on bits, and {prod(digit.extent for digit in low)} elements lie at steps that are no bits: "
            "extents and strides are to be powers of two"
        )
    mask = ((1 << bits) - 1) << (base + max(shift, 0))

    def moved(step: Place) -> Place:
        address = dict(step).get("m", 0)
        taken = address & mask
        return place((*step, ("m", (address ^ (taken >> shift if shift >= 0 else taken << -shift)) - address)))

    return made((*layout.terms[:high], Digit(1 << len(steps), tuple(map(moved, steps)))), layout.replicate, layout.pending, layout.offset)


def bits_of(digits: Sequence[Digit]) -> list[Place] | None:
    """The steps of the bits of digits, lowest first; None when + would carry somewhere, or an extent is no power of two."""
    found: list[Place] = []
    seen: Place = ()
    for digit in reversed(digits):
        if digit.extent & (digit.extent - 1) or any(n < 0 for step in digit.steps for _, n in step):
            return None
        bits = digit.extent.bit_length() - 1
        blocks = [list(digit.steps)] if digit.is_xor else [[times(digit.steps[0], 1 << k)] for k in range(bits)]
        for block in blocks:
            if not all(apart(step, seen) for step in block):
                return None
            for step in block:
                seen = either(seen, step)
            found += block
    return found
