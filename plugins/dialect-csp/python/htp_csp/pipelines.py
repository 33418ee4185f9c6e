"""Pipelines, and the processes in them."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from functools import partial
from itertools import product
from typing import Any, overload

import htp
from htp.errors import HtpError
from htp_csp.scheduler import Crew

Body = Callable[..., None]


class Pipeline(htp.Entry):
    """Processes that run at the same time, called with NumPy arrays."""

    def __init__(self, function: Callable[..., None] | htp.Entry) -> None:
        super().__init__(function.function if isinstance(function, htp.Entry) else function)
        body = self.body = self.function

        @functools.wraps(body)
        def run(*values: Any) -> None:
            crew = Crew(body)
            with crew.collecting():
                body(*values)
            if not crew.tasks:
                raise HtpError(f"`{self.name}` has no process: write functions in it with `@process`")
            crew.run()

        self.function = run


@overload
def pipeline(function: Callable[..., None] | htp.Entry, /) -> Pipeline: ...
@overload
def pipeline(*, checked: bool = False, ends: str = "") -> Callable[[Callable[..., None] | htp.Entry], Pipeline]: ...


def pipeline(function: Callable[..., None] | htp.Entry | None = None, /, *, checked: bool = False, ends: str = "") -> Any:
    """Makes a function whose parameters are In, Out and InOut tensors a pipeline: its body declares channels and processes.

    Or a kernel, whose processes are written in the kernel's words by then. That it comes to its end is proved when it is compiled,
    and a stage behind the proof says for which sizes, `ends`; `checked` has it checked in each run instead, where that is not possible.
    """
    return Pipeline if function is None else Pipeline(function)


@overload
def process(function: Body, /) -> Body: ...
@overload
def process(*, grid: int | tuple[int, ...]) -> Callable[[Body], Body]: ...


def process(function: Body | None = None, /, *, grid: int | tuple[int, ...] | None = None) -> Any:
    """Makes a function in a pipeline one of its processes; with a grid one for each of its places, whose indices it is given."""
    if function is None:
        return lambda body: _declare(body, grid)
    return _declare(function, None)


def _declare(body: Body, grid: int | tuple[int, ...] | None) -> Body:
    crew = Crew.current("process")
    shape = () if grid is None else grid if isinstance(grid, tuple) else (grid,)
    parameters = list(inspect.signature(body).parameters)
    if len(parameters) != len(shape):
        raise HtpError(f"the process `{body.__name__}` has {len(parameters)} parameters, and its grid {len(shape)} dimensions")
    for at in product(*(range(extent) for extent in shape)):
        place = f"[{', '.join(map(str, at))}]" if shape else ""
        crew.add(body.__name__ + place, partial(body, *at))
    return body
