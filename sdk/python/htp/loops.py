"""Loop forms: how a loop may run. Under plain Python all of them run in order, one iteration after the other."""

from collections.abc import Iterable
from typing import TypeVar

from htp.errors import HtpError
from htp.races import watched

Item = TypeVar("Item")


def parallel(iterable: Iterable[Item], level: str | None = None) -> Iterable[Item]:
    """Iterations are independent and may run at once, on the hardware level named."""
    return watched(iterable)


def vectorized(iterable: Iterable[Item]) -> Iterable[Item]:
    """Iterations run as lanes of vectors; what they carry, they carry through an associative operation."""
    return iterable


def unrolled(iterable: Iterable[Item]) -> Iterable[Item]:
    """The body is repeated for each iteration, whose number is known when compiling."""
    return iterable


def pipelined(iterable: Iterable[Item], depth: int) -> Iterable[Item]:
    """Up to `depth` iterations overlap."""
    if depth < 1:
        raise HtpError(f"a pipelined loop has a depth of at least 1, not {depth}")
    return iterable
