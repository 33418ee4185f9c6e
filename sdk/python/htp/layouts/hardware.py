"""Layouts over a hierarchy of parallel units."""

from __future__ import annotations

from htp.layouts.core import Digit, Layout, made, place


def levels(**units: int) -> Layout:
    """A tensor cut over levels of parallel units, outermost first.

    >>> levels(core=4, lane=8)
    htp.layout(((4, 1, "core"), (8, 1, "lane")))
    """
    return made(Digit(count, (place([(level, 1)]),)) for level, count in units.items())
