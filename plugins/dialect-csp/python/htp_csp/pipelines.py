"""Pipelines, and the processes in them."""

from __future__ import annotations

import functools
import inspect
import typing
from collections.abc import Callable
from contextvars import ContextVar
from itertools import product
from typing import Any, overload

import htp
from htp.errors import HtpError
from htp_csp.channels import Channel, Channels
from htp_csp.scheduler import Crew
from htp_csp.shards import placed

Body = Callable[..., None]


class Pipeline(htp.Entry):
    """Processes that run at the same time, called with NumPy arrays.

    In the body of another pipeline a call adds its channels and processes to that one's, and parameters may be its channels,
    `rows: Channel[f32]`. In a process, or in a workload, it runs to its end.
    """

    def __init__(self, function: Callable[..., None] | htp.Entry) -> None:
        body = function.function if isinstance(function, htp.Entry) else function
        self.channels = _channels(body)
        super().__init__(_without(body, self.channels))
        body = self.body = body if self.channels else self.function

        @functools.wraps(body)
        def run(*values: Any) -> None:
            outer = Crew.gathering()
            if outer is not None:
                named = {parameter.name: value for parameter, value in zip(self.parameters, values)}
                with outer.nested(self.name, body):
                    body(**named, **{name: _given.get()[name] for name in self.channels})
                return
            crew = Crew(body)
            with crew.collecting():
                body(*values)
            if not crew.tasks:
                raise HtpError(f"`{self.name}` has no process: write functions in it with `@process`")
            crew.run()

        self.function = run

    def run(self, *arguments: Any, **named: Any) -> htp.Run:
        if not self.channels:
            return super().run(*arguments, **named)
        if Crew.gathering() is None:
            raise HtpError(f"`{self.name}` is given channels ({', '.join(self.channels)}), so another pipeline calls it")
        names = [*inspect.signature(self.body).parameters]
        given = {**dict(zip(names, arguments)), **named}
        for name, wanted in self.channels.items():
            _check(self.name, name, wanted, given.get(name))
        rest = {name: value for name, value in given.items() if name not in self.channels}
        token = _given.set({name: given[name] for name in self.channels})
        try:
            return super().run(**rest)
        finally:
            _given.reset(token)


_given: ContextVar[dict[str, Any]] = ContextVar("htp_csp_given", default={})
"""The channels that the pipeline is given whose body is read."""


def _channels(body: Body) -> dict[str, Any]:
    """The parameters that are channels, or arrays of them, and what they are."""
    parameters = inspect.signature(body, eval_str=True).parameters.values()
    return {p.name: p.annotation for p in parameters if typing.get_origin(p.annotation) in (Channel, Channels)}


def _without(body: Body, channels: dict[str, Any]) -> Body:
    """The function as if it had no such parameters: what it says of the others is checked as for any entry."""
    if not channels:
        return body

    @functools.wraps(body)
    def rest(*values: Any) -> None:
        body(*values)

    signature = inspect.signature(body, eval_str=True)
    kept = [p.replace(kind=p.POSITIONAL_OR_KEYWORD) for p in signature.parameters.values() if p.name not in channels]
    rest.__dict__["__signature__"] = signature.replace(parameters=kept)
    return rest


def _check(pipeline: str, name: str, wanted: Any, given: object) -> None:
    form: Any = typing.get_origin(wanted)
    (dtype,) = typing.get_args(wanted)
    dtype = None if dtype is type(None) else dtype
    one = next((channel for _, channel in given.items()), None) if isinstance(given, Channels) else given
    if isinstance(given, form) and isinstance(one, Channel) and one.dtype is dtype:
        return
    of = "nothing" if dtype is None else dtype.name
    raise HtpError(f"`{pipeline}` takes {'a channel' if form is Channel else 'an array of channels'} of {of} for `{name}`, and is given {_shown(given)}")


def _shown(given: object) -> str:
    if isinstance(given, Channel):
        return f"`{given}` of {given.dtype.name if given.dtype is not None else 'nothing'}"
    return "nothing" if given is None else f"a value of {type(given).__name__}"


@overload
def pipeline(function: Callable[..., None] | htp.Entry, /) -> Pipeline: ...
@overload
def pipeline(*, checked: bool = False, ends: str = "") -> Callable[[Callable[..., None] | htp.Entry], Pipeline]: ...


def pipeline(function: Callable[..., None] | htp.Entry | None = None, /, *, checked: bool = False, ends: str = "") -> Any:
    """Makes a function whose parameters are In, Out and InOut tensors a pipeline: its body declares channels and processes.

    Or a kernel, whose processes are statements of the kernel by then. That it comes to its end is proved when it is compiled,
    and a stage behind the proof says for which sizes, `ends`; `checked` has it checked in each run instead, where that is not possible.
    """
    return Pipeline if function is None else Pipeline(function)


@overload
def process(function: Body, /) -> Body: ...
@overload
def process(*, grid: int | tuple[int, ...] | None = None, args: tuple[htp.Value, ...] = ()) -> Callable[[Body], Body]: ...


def process(function: Body | None = None, /, *, grid: int | tuple[int, ...] | None = None, args: tuple[Any, ...] = ()) -> Any:
    """Makes a function in a pipeline one of its processes; with a grid one for each of its places, whose indices it is given.

    `args` are tensors of the pipeline for more parameters: whole, or of `shard(x, S(0), R)` the part of the place.
    """
    if function is None:
        return lambda body: _declare(body, grid, args)
    return _declare(function, None, ())


def _declare(body: Body, grid: int | tuple[int, ...] | None, args: tuple[Any, ...]) -> Body:
    crew = Crew.current("process")
    shape = () if grid is None else grid if isinstance(grid, tuple) else (grid,)
    parameters = list(inspect.signature(body).parameters)
    if len(parameters) != len(shape) + len(args):
        given = f", and it is given {len(args)} tensors" if args else ""
        raise HtpError(f"the process `{body.__name__}` has {len(parameters)} parameters, and its grid {len(shape)} dimensions{given}")
    for at in product(*(range(extent) for extent in shape)):
        place = f"[{', '.join(map(str, at))}]" if shape else ""
        crew.add(crew.prefix + body.__name__ + place, placed(body, shape, at, args))
    return body
