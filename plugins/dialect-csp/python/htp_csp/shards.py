"""Parts of tensors for the places of a grid: each dimension is cut over an axis of it, S(axis), or whole, R."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar, cast

import htp
from htp.errors import HtpError

V = TypeVar("V", bound=htp.Value)


@dataclass(frozen=True)
class S:
    """Cut into equal parts over an axis of the grid, counted from 0."""

    axis: int


class Replicated:
    """Whole at each place."""

    def __repr__(self) -> str:
        return "R"


R = Replicated()


@dataclass(frozen=True)
class Shard:
    """A tensor, and how each of its dimensions is cut."""

    tensor: htp.Value
    layouts: tuple[S | Replicated, ...]


def shard(tensor: V, *layouts: S | Replicated) -> V:
    """A tensor for `@process(grid=…, args=…)`, of which each place sees its part: `shard(x, S(0), R)`."""
    if not isinstance(tensor, htp.Value) or tensor.tensor is None:
        raise HtpError("`shard` cuts a tensor of the pipeline")
    if len(layouts) != tensor.data.ndim:
        raise HtpError(f"`{tensor.tensor}` has {tensor.data.ndim} dimensions, and {len(layouts)} layouts are given")
    return cast(V, Shard(tensor, layouts))


def placed(body: Callable[..., None], shape: tuple[int, ...], at: tuple[int, ...], args: tuple[Any, ...]) -> Callable[[], None]:
    """The process at a place of its grid, given its parts."""
    parameters = list(inspect.signature(body, eval_str=True).parameters.values())[len(shape) :]
    parts = [_part(body.__name__, parameter, shape, at, given) for parameter, given in zip(parameters, args)]

    def run() -> None:
        for tensor, part in parts:
            part.depth = tensor.depth
        body(*at, *(part for _, part in parts))
        for tensor, part in parts:
            tensor.depth = max(tensor.depth, part.depth)

    return run


def _part(process: str, parameter: inspect.Parameter, shape: tuple[int, ...], at: tuple[int, ...], given: Any) -> tuple[htp.Value, htp.Value]:
    wanted = parameter.annotation
    tensor = given.tensor if isinstance(given, Shard) else given
    if not isinstance(wanted, htp.ParameterType) or wanted.type.is_scalar or not isinstance(tensor, htp.Value) or tensor.tensor is None:
        raise HtpError(f"`{process}` is given tensors of the pipeline, and `{parameter.name}` has a type such as In[Tensor[f32, M]]")
    places = []
    for dimension, size in enumerate(tensor.data.shape):
        layout = given.layouts[dimension] if isinstance(given, Shard) else R
        if not isinstance(layout, S):
            places.append(slice(0, size))
            continue
        if not 0 <= layout.axis < len(shape):
            raise HtpError(f"`{tensor.tensor}` is cut over axis {layout.axis}, and the grid of `{process}` has {len(shape)}")
        count = shape[layout.axis]
        if size % count:
            raise HtpError(f"dimension {dimension} of `{tensor.tensor}` is {size}, which {count} places have no equal parts of")
        places.append(slice(size // count * at[layout.axis], size // count * (at[layout.axis] + 1)))
    data = tensor.data[tuple(places)]
    extents = tuple(htp.size_of(cast(Any, extent)) for extent in wanted.type.extents)
    if type(tensor) is not wanted.type.dtype or data.shape != extents:
        shown = ", ".join(map(str, data.shape))
        raise HtpError(f"`{process}` declares `{parameter.name}: {wanted}`, and its part of `{tensor.tensor}` is {type(tensor).name}, {shown}")
    if wanted.direction == "In":
        data = data.view()
        data.flags.writeable = False
    return tensor, type(tensor).in_memory(data, parameter.name)
