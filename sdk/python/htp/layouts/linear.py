"""Linear layouts over F2, as Triton writes them: what each bit of each unit of hardware holds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from htp.errors import HtpError
from htp.layouts.core import Digit, Layout, Place, exclusive, made


def linear(units: Mapping[str, Sequence[Sequence[int]]], shape: Sequence[int]) -> Layout:
    """For each bit of each unit, lowest first, the coordinates in a tensor of `shape` that it moves to; where it moves nowhere there
    are copies.

    >>> linear({"register": ((0, 1),), "lane": ((1, 0), (0, 0))}, (2, 2))
    htp.layout(((2, 1, "lane"), (2, 1, "register")), replicate=((2, 2, "lane"),))
    """
    for extent in shape:
        if extent < 1 or extent & (extent - 1):
            raise HtpError(f"an extent of {extent} is no power of two, and so not linear over F2")
    copies: list[Digit] = []
    rows: dict[int, tuple[int, Place]] = {}  # by their highest bit: an index, and the units that hold it
    superfluous: str | None = None
    for unit, bases in units.items():
        for k, basis in enumerate(bases):
            step: Place = ((unit, 1 << k),)
            index = _index(basis, shape, f"{unit} {1 << k}")
            if index == 0:
                copies.append(Digit(2, (step,)))
                continue
            while index and index.bit_length() in rows:
                other, by = rows[index.bit_length()]
                index, step = index ^ other, exclusive(step, by)
            if index:
                rows[index.bit_length()] = (index, step)
            else:
                superfluous = superfluous or f"{unit} {1 << k}"
    steps: list[Place] = []
    for bit in range(sum(extent.bit_length() - 1 for extent in shape)):
        if bit + 1 not in rows:
            raise HtpError(f"no unit holds the element {_coordinates(1 << bit, shape)}")
        index, step = rows[bit + 1]
        for low in range(bit):
            if index >> low & 1:
                step = exclusive(step, steps[low])
        steps.append(step)
    if superfluous:
        raise HtpError(f"{superfluous} holds what other units hold, and not as a copy of its own: its basis is made of theirs")
    return made([Digit(1 << len(steps), tuple(steps))] if steps else [], copies)


def _index(basis: Sequence[int], shape: Sequence[int], named: str) -> int:
    if len(basis) != len(shape):
        raise HtpError(f"{named} has not one coordinate for each dimension")
    index = 0
    for at, extent in zip(basis, shape):
        if not 0 <= at < extent:
            raise HtpError(f"{named} moves to {at} in a dimension of {extent}")
        index = index * extent + at
    return index


def _coordinates(index: int, shape: Sequence[int]) -> str:
    at: list[str] = []
    for extent in reversed(shape):
        at.insert(0, str(index % extent))
        index //= extent
    return f"({', '.join(at)})"
