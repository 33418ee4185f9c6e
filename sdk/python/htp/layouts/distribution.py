"""Layouts as distribution over a mesh of devices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
from typing import TypeAlias

from htp.errors import HtpError
from htp.layouts.core import Digit, Layout, Op, Place, made, place
from htp.layouts.memory import bits_of, ordered

Cut: TypeAlias = "str | tuple[str, ...] | None"
"""The mesh axis that a dimension is cut over, S(x); several, the slowest first; None: every device has it whole, R."""


def shard(shape: Sequence[int], cut: Sequence[Cut], *, mesh: Mapping[str, int], pending: Mapping[str, Op] | None = None, local: Layout | None = None) -> Layout:
    """A tensor cut over the devices of a mesh. Axes that cut nothing hold copies; those in `pending` hold parts of each element, which are
    still to be combined. In each device's memory its piece lies as `local` says, row-major without it.

    >>> shard((8, 6), ("x", None), mesh={"x": 4, "y": 2})
    htp.layout(((4, 1, "x"), (12, 1, "m")), replicate=((2, 1, "y"),))
    >>> shard((8, 6), (None, None), mesh={"x": 4}, pending={"x": "sum"})
    htp.layout(((48, 1, "m"),), pending=((4, 1, "x", "sum"),))
    """
    parts = dict(pending or {})
    axes = [(axis,) if isinstance(axis, str) else axis or () for axis in cut]
    for axis in mesh:
        if axis in ("m", "register"):
            raise HtpError(f"`{axis}` is memory and no axis of a mesh")
    if len(axes) != len(shape):
        raise HtpError("a distribution says S or R of each dimension")
    used: set[str] = set()

    def use(axis: str) -> int:
        if axis not in mesh:
            raise HtpError(f"the mesh has no axis `{axis}`")
        if axis in used and mesh[axis] > 1:
            raise HtpError(f"the axis `{axis}` is used twice")
        used.add(axis)
        return mesh[axis]

    inner: list[int] = []
    devices: list[list[Digit]] = []
    for k, (extent, names) in enumerate(zip(shape, axes)):
        devices.append([Digit(use(axis), (place([(axis, 1)]),)) for axis in names])
        count = prod(digit.extent for digit in devices[-1])
        if extent % count != 0:
            raise HtpError(f"dimension {k} of {extent} is not divisible over {count} devices")
        inner.append(extent // count)
    for axis in parts:
        use(axis)
    piece = ordered(inner, range(len(inner))) if local is None else local
    terms = _interleaved(devices, piece, inner)
    copies = [Digit(count, (place([(axis, 1)]),)) for axis, count in mesh.items() if axis not in used]
    held = [(op, Digit(mesh[axis], (place([(axis, 1)]),))) for axis, op in parts.items()]
    return made(terms, (*piece.replicate, *copies), (*piece.pending, *held), piece.offset)


def _interleaved(devices: list[list[Digit]], piece: Layout, inner: list[int]) -> list[Digit]:
    """Of each dimension the devices' digits and then the piece's. A swizzle over dimensions takes the devices between its bits in."""
    bits = bits_of(piece.terms) if any(digit.is_xor for digit in piece.terms) else None
    if bits is None or any(digit.extent & (digit.extent - 1) for outer in devices for digit in outer):
        return [digit for outer, rest in zip(devices, by_dimension(piece, inner)) for digit in (*outer, *rest)]
    steps: list[Place] = []
    for extent, outer in zip(reversed(inner), reversed(devices)):
        width = extent.bit_length() - 1
        steps += [*bits[:width], *(bits_of(outer) or [])]
        bits = bits[width:]
    return [Digit(1 << len(steps), tuple(steps))] if steps else []


def by_dimension(layout: Layout, shape: Sequence[int]) -> list[list[Digit]]:
    """Of each dimension its digits, highest first."""
    rest = list(layout.terms)
    found: list[list[Digit]] = [[] for _ in shape]
    if prod(shape) != layout.size:
        raise HtpError(f"a layout of {layout.size} elements has not the shape {tuple(shape)}")
    for k in reversed(range(len(shape))):
        left = shape[k]
        while left > 1:
            digit = rest.pop()
            if left % digit.extent == 0:
                found[k].insert(0, digit)
                left //= digit.extent
            elif digit.extent % left == 0 and not digit.is_xor:
                (step,) = digit.steps
                found[k].insert(0, Digit(left, (step,)))
                rest.append(Digit(digit.extent // left, (tuple((axis, n * left) for axis, n in step),)))
                left = 1
            else:
                kind = "a swizzle of" if digit.is_xor else "a digit of"
                raise HtpError(f"{kind} {digit.extent} lies across the end of dimension {k} of the shape {tuple(shape)}")
    return found
