"""What the lanes of a work-group do together.

A work-group is an iteration of a loop `htp.parallel(…, level="group")`, its lanes are those of `htp.parallel(range(n), level="lane")`
within. What stands between loops over lanes is uniform: every lane computes the same. The build reads this file and never runs it.
"""

import htp
from htp import Number, bool_


@htp.intrinsic(name="simt.barrier", rule="nothing", effects="", spaces="", cost="32")
def barrier() -> None:
    """No lane of the work-group goes on before all have come; what was written to memory before is seen behind it.

    >>> barrier()
    """


@htp.intrinsic(name="simt.reduce_sum", rule="scalar", effects="read", spaces="", cost="size(parts)")
def reduce_sum(parts: Number) -> Number:
    """The sum of what each lane has put, known to all lanes.

    >>> total: f32 = reduce_sum(parts)
    """
    return htp.get(htp.reduce("sum", parts, 0), (0,))


@htp.intrinsic(name="simt.reduce_prod", rule="scalar", effects="read", spaces="", cost="size(parts)")
def reduce_prod(parts: Number) -> Number:
    """The product of what each lane has put, known to all lanes.

    >>> total: f32 = reduce_prod(parts)
    """
    return htp.get(htp.reduce("prod", parts, 0), (0,))


@htp.intrinsic(name="simt.reduce_max", rule="scalar", effects="read", spaces="", cost="size(parts)")
def reduce_max(parts: Number) -> Number:
    """The largest of what each lane has put; NaN if one is NaN; +0 is above -0.

    >>> largest: f32 = reduce_max(parts)
    """
    return htp.get(htp.reduce("max", parts, 0), (0,))


@htp.intrinsic(name="simt.reduce_min", rule="scalar", effects="read", spaces="", cost="size(parts)")
def reduce_min(parts: Number) -> Number:
    """The smallest of what each lane has put; NaN if one is NaN; -0 is below +0.

    >>> smallest: f32 = reduce_min(parts)
    """
    return htp.get(htp.reduce("min", parts, 0), (0,))


@htp.intrinsic(name="simt.reduce_any", rule="scalar", effects="read", spaces="", cost="size(parts)")
def reduce_any(parts: bool_) -> bool_:
    """Whether one of what the lanes have put holds.

    >>> some: bool_ = reduce_any(parts)
    """
    return htp.get(htp.reduce("any", parts, 0), (0,))


@htp.intrinsic(name="simt.reduce_all", rule="scalar", effects="read", spaces="", cost="size(parts)")
def reduce_all(parts: bool_) -> bool_:
    """Whether all of what the lanes have put hold.

    >>> every: bool_ = reduce_all(parts)
    """
    return htp.get(htp.reduce("all", parts, 0), (0,))
