"""Where the elements of a tensor lie, in the notations that people know; all of them mean one canonical `htp.layout(...)` (R14).

    strided, ordered, packed, cute, swizzle   memory
    linear                                    units of hardware by bits, as Triton writes it
    shard                                     distribution over a mesh of devices
    levels                                    a hierarchy of parallel units
    compose, invert, product, blocked,        layouts made of layouts
    slice, permute, relayout
    as_cute, as_strided, as_linear,           and written in another notation
    as_shard, as_levels
    array, places, steps                      arrays that lie so

Axes have names: "m" is memory, every other axis counts units of a machine.
"""

from htp.layouts.algebra import (
    Notation, Step, as_cute, as_levels, as_linear, as_shard, as_strided, blocked, compose, invert, permute, product, relayout, slice,
)  # fmt: skip
from htp.layouts.arrays import array, places, steps
from htp.layouts.core import Digit, Layout, Op, Place, Space, Term, layout, space
from htp.layouts.distribution import Cut, shard
from htp.layouts.hardware import levels
from htp.layouts.linear import linear
from htp.layouts.memory import Nest, cute, ordered, packed, strided, swizzle

__all__ = [
    "Cut", "Digit", "Layout", "Nest", "Notation", "Op", "Place", "Space", "Step", "Term", "array", "as_cute", "as_levels", "as_linear", "as_shard",
    "as_strided", "blocked", "compose", "cute", "invert", "layout", "levels", "linear", "ordered", "packed", "permute", "places", "product", "relayout", "shard",
    "slice", "space", "steps", "strided", "swizzle",
]  # fmt: skip
