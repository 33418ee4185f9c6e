"""Schedules of pipelines: directives that make fewer processes. They never change what is computed, so running one runs its pipeline."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable
from dataclasses import dataclass

from htp import HtpError
from htp_csp.pipelines import Pipeline


@dataclass(frozen=True)
class Directive:
    """One directive as it was given: its name, the processes it speaks of, and its sizes."""

    name: str
    processes: tuple[str, ...]
    sizes: tuple[int, ...] = ()


class Schedule:
    """What a schedule's body speaks to. Directives are kept in order, and refused where they cannot be meant; the compiler checks the rest."""

    def __init__(self, pipeline: Pipeline) -> None:
        self.pipeline = pipeline
        self.directives: list[Directive] = []

    def chain(self, first: str, *others: str) -> None:
        """Processes that channels join, in the order of their work, become one, named after all of them: `load_scale`.

        Where their loops are alike, what one puts and the next gets in an iteration needs no channel any more.
        """
        if not others:
            raise HtpError(f"`chain` takes two processes or more, and this is `{first}` alone")
        self.directives.append(Directive("chain", (first, *others)))

    def bundle(self, process: str, *sizes: int) -> None:
        """So many instances of a process with a grid, in each of its dimensions, take turns in one process, in each iteration of their loops."""
        if not sizes or any(operator.index(size) < 1 for size in sizes):
            raise HtpError(f"`bundle` of `{process}` takes a size for each dimension of its grid, each at least 1")
        self.directives.append(Directive("bundle", (process,), sizes))


class Arranged(Pipeline):
    """A pipeline with a schedule: called with NumPy arrays, it computes what the pipeline does."""

    def __init__(self, pipeline: Pipeline, body: Callable[[Schedule], None]) -> None:
        super().__init__(pipeline.body)
        functools.update_wrapper(self, body)
        self.name = body.__name__
        self.pipeline = pipeline
        self.schedule = Schedule(pipeline)
        body(self.schedule)


def schedule(pipeline: Pipeline) -> Callable[[Callable[[Schedule], None]], Arranged]:
    """Makes a function of straight-line directives a schedule of a pipeline."""

    def apply(body: Callable[[Schedule], None]) -> Arranged:
        return Arranged(pipeline, body)

    return apply
