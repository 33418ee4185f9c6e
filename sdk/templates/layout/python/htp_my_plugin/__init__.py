"""Layouts over the levels of a machine."""

import htp


def levels(**units: int) -> htp.Layout:
    """A tensor cut over levels of parallel units, outermost first: `levels(board=4, chip=8)`."""
    return htp.layout(tuple((count, 1, level) for level, count in units.items()))


__all__ = ["levels"]
