"""Which part of a long list a suite takes. HTP_SLICE=K/N in the environment: every Nth thing, from the (K mod N)th on, beside those that are
always taken; all of them without. CI's K comes from the commit (scripts/test), so that every thing is met within a few commits. HTP_EVERY=M
takes one in M of what is left: what sanitizers make slow."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import TypeVar

T = TypeVar("T")


def slice_of() -> tuple[int, int]:
    """The first index of this run's slice, and the step to the next one."""
    turn, of = map(int, os.environ.get("HTP_SLICE", "0/1").split("/"))
    step = of * int(os.environ.get("HTP_EVERY", 1))
    return turn % step, step


def taken(things: Sequence[T], always: Callable[[T], bool] = lambda thing: False) -> list[T]:
    """What this run takes of them, in their order; of a list shorter than the step at least one."""
    first, step = slice_of()
    if 0 < len(things) <= first:
        first %= len(things)
    return [thing for number, thing in enumerate(things) if number % step == first or always(thing)]
