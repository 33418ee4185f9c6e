"""Workloads: computations over blocks whose sizes a schedule chooses."""

from collections.abc import Callable, Iterable

import htp
from htp import Block, Extent


class Workload(htp.Entry):
    """A computation that does not say how big its blocks are, called with NumPy arrays."""


def workload(function: Callable[..., None]) -> Workload:
    """Makes a function whose parameters are In, Out and InOut tensors a workload."""
    return Workload(function)


def P(extent: Extent, size: int | None = None) -> Iterable[Block]:
    """A logically parallel loop over the blocks of a dimension: iterations are independent. Unscheduled, one block spans it."""
    return htp.cut(extent, max(1, htp.size_of(extent)) if size is None else size)


def seq(extent: Extent, size: int | None = None) -> Iterable[Block]:
    """An ordered loop over the blocks of a dimension: iterations run one after the other. Unscheduled, one block spans it."""
    return htp.cut(extent, max(1, htp.size_of(extent)) if size is None else size)
