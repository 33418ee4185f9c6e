"""The header of a stage: what was done to the program, what holds of it and what comes next (R1)."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Stage:
    """A stage's header, as a module keeps it in `__htp_stage__`."""

    number: int
    after: str
    holds: tuple[str, ...]
    then: tuple[str, ...]
    entry: str | None
    target: str | None


def stage(
    *, number: int = 0, after: str, holds: Sequence[str], then: Sequence[str], entry: str | None = None, target: str | None = None
) -> None:
    """Says where in a compile this program stands; the compiler continues from here. Running the program, it only keeps the fact."""
    module = sys._getframe(1).f_globals
    module["__htp_stage__"] = Stage(number, after, tuple(holds), tuple(then), entry, target)
