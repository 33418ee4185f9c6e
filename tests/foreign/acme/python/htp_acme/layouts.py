"""A machine's hierarchy as a layout."""

import htp


def hierarchy(**levels: int) -> htp.Layout:
    """A signal cut over levels of parallel units, outermost first: `hierarchy(board=4, chip=8)`."""
    return htp.layout(tuple((count, 1, level) for level, count in levels.items()))
