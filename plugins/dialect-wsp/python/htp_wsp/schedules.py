"""Schedules: directives over a workload's named loops. They never change what is computed, so running one runs its workload."""

from __future__ import annotations

import contextlib
import functools
import operator
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from htp import HtpError
from htp_wsp.workloads import Workload


@dataclass(frozen=True)
class Directive:
    """One directive as it was given: its name, the loop or tensor it speaks of first, and its other values."""

    name: str
    loop: str
    values: tuple[int | str, ...] = ()


class Schedule:
    """What a schedule's body speaks to. Directives are kept in order, and refused where they cannot be meant; the compiler checks the rest.

    Each is applied to what those before it made of the workload. One with `override=True` takes the place of the one before it, of the
    same name and about the same loop: so a schedule made from another changes a part of it.
    """

    def __init__(self, workload: Workload) -> None:
        self.workload = workload
        self.directives: list[Directive] = []
        self._tensors = {parameter.name for parameter in workload.parameters}
        self._names = set(workload.function.__code__.co_varnames) - self._tensors

    def tile(self, loop: str, *sizes: int, override: bool = False) -> None:
        """The loop runs over blocks of a size; with several, outermost first, each cuts the one above: `i_0`, `i_1`, …, `i`."""
        self._sizes("tile", loop, sizes)
        if not override and any(directive.name == "tile" and directive.loop == loop for directive in self.directives):
            raise HtpError(f"loop `{loop}` is tiled twice: give all sizes to one `tile`, or `split` it")
        self._add("tile", loop, sizes, override)
        self._names.update(f"{loop}_{level}" for level in range(len(sizes) - 1))

    def split(self, loop: str, *sizes: int, outer: str = "", override: bool = False) -> None:
        """The loop's blocks are cut again. The loop around them is named `outer`, or `i_0` and so on, the next that is free."""
        self._sizes("split", loop, sizes)
        self._add("split", loop, (*sizes, outer) if outer else sizes, override)
        self._names.update(f"{loop}_{level}" for level in range(len(self.directives) + len(sizes)))
        self._names.add(outer)

    def reorder(self, loop: str, *loops: str, override: bool = False) -> None:
        """Loops that hold nothing but each other stand in the order given, outermost first."""
        self._known(*loops)
        self._add("reorder", loop, loops, override)

    def fuse(self, first: str, second: str, override: bool = False) -> None:
        """Two loops over the same blocks, one behind the other, become one."""
        self._known(second)
        self._add("fuse", first, (second,), override)

    def compute_at(self, loop: str, *, at: str, override: bool = False) -> None:
        """What a loop computes is computed in a later one, block by block, where it is needed."""
        self._known(at)
        self._add("compute_at", loop, (at,), override)

    def inline(self, tensor: str, override: bool = False) -> None:
        """A buffer's values are computed where they are read, and the buffer is gone."""
        self._memory("inline", tensor, (), override)

    def cache(self, tensor: str, *, at: str, space: str = "", override: bool = False) -> None:
        """What a loop's body reads of a tensor is copied to a buffer at its beginning."""
        self._known(at)
        self._memory("cache", tensor, (at, space) if space else (at,), override)

    def pack(self, tensor: str, *, at: str, space: str = "", override: bool = False) -> None:
        """As `cache`, with the last two dimensions in the other order."""
        self._known(at)
        self._memory("pack", tensor, (at, space) if space else (at,), override)

    def prefetch(self, tensor: str, *, at: str, depth: int = 2, space: str = "", override: bool = False) -> None:
        """As `cache`, in a loop whose iterations overlap: the next one's copy is made while this one computes."""
        self._known(at)
        self._memory("prefetch", tensor, (at, depth, *([space] if space else [])), override)

    def buffer(self, tensor: str, *, space: str, override: bool = False) -> None:
        """A buffer lies in a memory space of the target."""
        self._memory("buffer", tensor, (space,), override)

    def parallel(self, loop: str, override: bool = False) -> None:
        """The loop's iterations may run at once."""
        self._add("parallel", loop, (), override)

    def bind(self, loop: str, *, level: str, override: bool = False) -> None:
        """The loop's iterations run at once on a level of the target's hardware model."""
        self._add("bind", loop, (level,), override)

    def vectorize(self, loop: str, override: bool = False) -> None:
        """The loop's blocks are cut into vectors of the target's width."""
        self._add("vectorize", loop, (), override)

    def unroll(self, loop: str, *, factor: int = 0, override: bool = False) -> None:
        """The loop's body is repeated for each iteration, of which there is a known number; with a factor, for so many at a time."""
        if factor and operator.index(factor) < 2:
            raise HtpError(f"`unroll` of loop `{loop}` takes a factor of at least 2, not {factor}")
        self._add("unroll", loop, (factor,) if factor else (), override)

    def pipeline(self, loop: str, *, depth: int = 2, override: bool = False) -> None:
        """Up to `depth` iterations overlap: one loads while another computes."""
        if operator.index(depth) < 2:
            raise HtpError(f"`pipeline` of loop `{loop}` takes a depth of at least 2, not {depth}")
        self._add("pipeline", loop, (depth,), override)

    def double_buffer(self, loop: str, override: bool = False) -> None:
        """Two iterations overlap: `pipeline` of depth 2."""
        self._add("double_buffer", loop, (), override)

    def _sizes(self, name: str, loop: str, sizes: tuple[int, ...]) -> None:
        if not sizes or any(operator.index(size) < 1 for size in sizes):
            raise HtpError(f"`{name}` of loop `{loop}` takes one size or more, each at least 1")

    def _known(self, *names: str) -> None:
        for name in names:
            if name not in self._names:
                raise HtpError(f"`{self.workload.name}` has no loop `{name}`: it has {', '.join(sorted(self._names - {''}))}")

    def _memory(self, name: str, tensor: str, values: tuple[int | str, ...], override: bool) -> None:
        if tensor not in self._tensors | self._names:
            raise HtpError(f"`{self.workload.name}` has no tensor `{tensor}`: it has {', '.join(sorted(self._tensors))}")
        self._names.update((f"{tensor}_local", *(f"{tensor}_local_{k}" for k in range(len(self.directives)))))
        self._keep(Directive(name, tensor, values), override)

    def _add(self, name: str, loop: str, values: tuple[int | str, ...], override: bool) -> None:
        self._known(loop)
        self._keep(Directive(name, loop, values), override)

    def _keep(self, directive: Directive, override: bool) -> None:
        name, loop = directive.name, directive.loop
        if not override:
            self.directives.append(directive)
            return
        places = [place for place, other in enumerate(self.directives) if (other.name, other.loop) == (name, loop)]
        if not places:
            raise HtpError(f"no `{name}` of `{loop}` stands before the one that overrides it")
        self.directives[places[-1]] = directive


class Scheduled(Workload):
    """A workload with a schedule: called with NumPy arrays, it computes what the workload does."""

    def __init__(self, workload: Workload, body: Callable[..., None]) -> None:
        super().__init__(workload.function)
        functools.update_wrapper(self, body)
        self.name = body.__name__
        self.workload: Workload = workload.workload if isinstance(workload, Scheduled) else workload
        self.base = workload if isinstance(workload, Scheduled) else None
        self.body = body
        with contextlib.suppress(NameError):  # of what the module defines behind it, a combination or a constant
            _ = self.schedule

    @functools.cached_property
    def schedule(self) -> Schedule:
        """The directives, those of the schedule it is made from first."""
        made = Schedule(self.workload)
        self._apply(made)
        return made

    def __call__(self, *arguments: Any, **named: Any) -> None:
        """On arrays, the workload; on a schedule, in the body of another one, the directives of this one."""
        if arguments and isinstance(arguments[0], Schedule):
            self.body(*arguments, **named)
        else:
            super().__call__(*arguments, **named)

    def _apply(self, schedule: Schedule) -> None:
        if self.base is not None:
            self.base._apply(schedule)
        self.body(schedule)


def schedule(workload: Workload) -> Callable[[Callable[[Schedule], None]], Scheduled]:
    """Makes a function of straight-line directives a schedule of a workload, or of a scheduled one, whose directives come first then."""

    def apply(body: Callable[[Schedule], None]) -> Scheduled:
        return Scheduled(workload, body)

    return apply
