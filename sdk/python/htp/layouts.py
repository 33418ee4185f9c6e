"""The core layout constructor: where the elements of a tile live, as terms of extent, stride and axis (R14)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from htp.errors import HtpError

Term: TypeAlias = tuple[int, int, str]
"""(extent, stride, axis): `extent` steps of `stride` along the named axis of memory or hardware."""


@dataclass(frozen=True)
class Layout:
    """A layout in its canonical form. Equal layouts are equal values; `repr` is the constructor expression."""

    terms: tuple[Term, ...]
    replicate: tuple[Term, ...] = ()
    offset: tuple[tuple[str, int], ...] = ()

    def __repr__(self) -> str:
        words = [repr(self.terms)]
        if self.replicate:
            words.append(f"replicate={self.replicate!r}")
        if self.offset:
            words.append(f"offset={dict(self.offset)!r}")
        return f"htp.layout({', '.join(words)})"


@dataclass(frozen=True)
class Space:
    """A memory space of the target's hardware model, by its name there."""

    name: str

    def __repr__(self) -> str:
        return f"htp.space({self.name!r})"


def layout(terms: tuple[Term, ...], *, replicate: tuple[Term, ...] = (), offset: Mapping[str, int] | None = None) -> Layout:
    """A layout of the core algebra: the logical index, cut row-major by the extents, moves by each term's stride along its axis;
    `replicate` says where copies lie, `offset` where the first element is. Zero offsets are dropped, axes are in order."""
    for term in (*terms, *replicate):
        if len(term) != 3 or not isinstance(term[2], str):
            raise HtpError(f"a layout's term is (extent, stride, \"axis\"), not {term!r}")
        if term[0] < 1:
            raise HtpError(f"a layout's extent is at least 1, not {term[0]}")
    at = tuple(sorted((axis, distance) for axis, distance in (offset or {}).items() if distance != 0))
    return Layout(tuple(terms), tuple(replicate), at)


def space(name: str) -> Space:
    """A memory space, for the last place of a type: `Tile[f32, 64, 64, htp.space("ub")]`."""
    return Space(name)
