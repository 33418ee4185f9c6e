"""Operations that are made of others, each of which rounds: products by letters, rolls, pads. The bodies of intrinsics call these."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from htp.errors import HtpError
from htp.operations import V, _axis, _by, _tile, binary, full
from htp.whole_tiles import matmul, reduce, reshape, transpose


def roll(x: V, shift: int, axis: int) -> V:
    """The elements of a tile moved along an axis, around its end."""
    data = _tile("roll", x).data
    if not isinstance(shift, int) or abs(shift) >= 1 << 30:
        raise HtpError(f"`roll` moves by an int below 2**30, not by {shift!r}")
    return x.of(np.roll(data, shift, _axis("roll", axis, data.ndim)), x.depth)


def pad(x: V, widths: tuple[int, int], axis: int, value: float) -> V:
    """A tile with so many elements of a value before and behind it along an axis."""
    data = _tile("pad", x).data
    axis = _axis("pad", axis, data.ndim)
    if len(widths) != 2 or any(not isinstance(width, int) or not 0 <= width < 1 << 30 for width in widths):
        raise HtpError(f"`pad` takes two widths of 0 or more, not {widths!r}")
    if x.element.kind == "b" and value == 0:
        value = False
    padding = tuple(widths if k == axis else (0, 0) for k in range(data.ndim))
    return x.of(np.pad(data, padding, constant_values=full(x.__class__, value, ()).data), x.depth)


def einsum(spec: str, a: V, b: V) -> V:
    """The product of two tiles by letters: those that the result has not are summed. One that both have goes into the product of matrices, others
    are summed before or behind it."""
    left, right, wanted = _letters(spec)
    for text, operand in ((left, a), (right, b)):
        if _tile("einsum", operand).data.ndim != len(text):
            raise HtpError(f"`einsum` takes a tile of {len(text)} dimensions as `{text}`, not {_by(operand.data.shape)}")
    if a.__class__ is not b.__class__:
        raise HtpError(f"`einsum` takes tiles of one dtype, not {a.name} and {b.name}")
    extents = dict(zip(left, a.data.shape))
    for letter, extent in zip(right, b.data.shape):
        if extents.setdefault(letter, extent) != extent:
            raise HtpError(f"`einsum` has {extents[letter]} and {extent} for `{letter}`")
    a, left_has = _alone(a, left, right + wanted)
    b, right_has = _alone(b, right, left + wanted)
    front = "".join(letter for letter in left if letter in right and letter in wanted)
    summed = "".join(letter for letter in left if letter in right and letter not in wanted)
    rows = "".join(letter for letter in left if letter not in right and letter in wanted)
    columns = "".join(letter for letter in right if letter not in left and letter in wanted)
    x: Any
    if summed:
        order = front + summed[:-1] + rows[:-1] + columns[:-1]
        row, column = rows[-1:] or "1", columns[-1:] or "1"
        made = order + row + column
        x = matmul(_arranged(a, left_has, order + row + summed[-1], extents), _arranged(b, right_has, order + summed[-1] + column, extents), None)
    else:
        made = front + rows + columns or "1"
        x = binary("mul", _arranged(a, left_has, made, extents), _arranged(b, right_has, made, extents))
    for place, letter in enumerate(made):
        if letter != "1" and letter not in wanted:
            x = reduce("sum", x, place)
    made = "".join(letter for letter in made if letter in wanted)
    x = reshape(x, [extents[letter] for letter in made] or [1])
    result: V = transpose(x, tuple(made.index(letter) for letter in wanted)) if made != wanted else x
    return result


def _letters(spec: str) -> tuple[str, str, str]:
    operands, arrow, wanted = spec.replace(" ", "").partition("->")
    parts = operands.split(",")
    good = arrow and len(parts) == 2 and all(parts) and set(wanted) <= set("".join(parts))
    if not good or any(not (part.isascii() and part.isalpha() or not part) or len(set(part)) != len(part) for part in (*parts, wanted)):
        raise HtpError(f'`einsum` takes letters of two operands and of the result, each once, "mk,kn->mn", not {spec!r}')
    return parts[0], parts[1], wanted


def _alone(x: V, letters: str, others: str) -> tuple[V, str]:
    """x without what only it has, summed; and its letters, with `1` for those."""
    for axis, letter in enumerate(letters):
        if letter not in others:
            x = reduce("sum", x, axis)
    return x, "".join(letter if letter in others else "1" for letter in letters)


def _arranged(x: Any, letters: str, wanted: str, extents: dict[str, int]) -> Any:
    """x with its dimensions in the order wanted, and extents of 1 for those it has not."""
    own = [letter for letter in wanted if letter != "1" and letter in letters]
    order = [letters.index(letter) for letter in own]
    data = np.transpose(x.data, order + [axis for axis in range(len(letters)) if axis not in order])
    shape = tuple(extents[letter] if letter in own else 1 for letter in wanted)
    if math.prod(shape) != data.size:
        raise HtpError(f"`einsum` cannot arrange `{letters}` as `{wanted}`")
    return x.of(data.reshape(shape).copy(), x.depth)
