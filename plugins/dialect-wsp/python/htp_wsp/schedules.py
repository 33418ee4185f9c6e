"""Schedules: directives over a workload's named loops. They never change what is computed, so running one runs its workload."""

import functools
import operator
from collections.abc import Callable
from dataclasses import dataclass

from htp import HtpError
from htp_wsp.workloads import Workload


@dataclass(frozen=True)
class Directive:
    """One directive as it was given: its name, the loop, and its values."""

    name: str
    loop: str
    values: tuple[int | str, ...] = ()


class Schedule:
    """What a schedule's body speaks to. The directives are kept, and refused where they cannot be meant."""

    def __init__(self, workload: Workload) -> None:
        self.workload = workload
        self.directives: list[Directive] = []
        self._loops = set(workload.function.__code__.co_varnames) - {parameter.name for parameter in workload.parameters}

    def tile(self, loop: str, *sizes: int) -> None:
        """The loop runs over blocks of a size; with several, outermost first, each cuts the one above: `i_0`, `i_1`, …, `i`."""
        self._known(loop)
        if any(directive.name == "tile" and directive.loop == loop for directive in self.directives):
            raise HtpError(f"loop `{loop}` is tiled twice: give all sizes to one `tile`")
        if not sizes or any(operator.index(size) < 1 for size in sizes):
            raise HtpError(f"`tile` of loop `{loop}` takes one size or more, each at least 1")
        self.directives.append(Directive("tile", loop, sizes))
        self._loops.update(f"{loop}_{level}" for level in range(len(sizes) - 1))

    def parallel(self, loop: str) -> None:
        """The loop's iterations may run at once."""
        self._known(loop)
        self.directives.append(Directive("parallel", loop))

    def bind(self, loop: str, *, level: str) -> None:
        """The loop's iterations run at once on a level of the target's hardware model."""
        self._known(loop)
        self.directives.append(Directive("bind", loop, (level,)))

    def _known(self, loop: str) -> None:
        if loop not in self._loops:
            raise HtpError(f"`{self.workload.name}` has no loop `{loop}`: it has {', '.join(sorted(self._loops))}")


class Scheduled(Workload):
    """A workload with a schedule: called with NumPy arrays, it computes what the workload does."""

    def __init__(self, workload: Workload, body: Callable[[Schedule], None]) -> None:
        super().__init__(workload.function)
        functools.update_wrapper(self, body)
        self.name = body.__name__
        self.workload = workload
        self.schedule = Schedule(workload)
        body(self.schedule)


def schedule(workload: Workload) -> Callable[[Callable[[Schedule], None]], Scheduled]:
    """Makes a function of straight-line directives a schedule of a workload."""

    def apply(body: Callable[[Schedule], None]) -> Scheduled:
        return Scheduled(workload, body)

    return apply
