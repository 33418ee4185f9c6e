"""Which extents the tiles of an instruction have, by its rule."""

from __future__ import annotations

import math
from collections.abc import Iterable

from htp import HtpError
from htp.intrinsics import INTRINSICS

ALIKE = ("binary", "scalar", "unary", "convert", "compare", "select", "fused")
"""Rules of instructions whose tiles have the target's extents."""


def agree(instruction: str, target: tuple[int, ...], shapes: list[tuple[int, ...]]) -> None:
    """What an instruction reads has the target's extents; only a column or a row that it is there for counts for all of it."""
    rule = INTRINSICS[f"pto.{instruction}"].rule
    if rule in ALIKE:
        for shape in shapes:
            if [n for n in shape if n != 1] != [n for n in target if n != 1]:
                raise HtpError(f"`{instruction}` is given {by(shape)} elements, and the tile has {by(target)}: a column counts for all of it by `trowexpand…`, a row by `tcolexpand…`")
    if rule == "spread" and not any(math.prod(shape[-1:] if instruction.startswith("trow") else shape[:-1]) == 1 for shape in shapes):
        raise HtpError(f"`{instruction}` is given {' and '.join(map(by, shapes))} elements, and none of it is a {'column' if instruction.startswith('trow') else 'row'}")


def by(counts: Iterable[int]) -> str:
    """Extents, for messages."""
    return " x ".join(map(str, counts))
