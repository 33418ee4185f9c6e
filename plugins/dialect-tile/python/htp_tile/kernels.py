"""Kernels, functions that are compiled apart, and the loop that cuts a dimension into blocks."""

import functools
import inspect
from collections.abc import Callable, Iterable
from typing import Any, TypeVar, cast

import htp
from htp import Block, Extent, HtpError, ShapedType

_Function = TypeVar("_Function", bound=Callable[..., Any])


class Kernel(htp.Entry):
    """A function over tensors, called with NumPy arrays."""


def kernel(function: Callable[..., None]) -> Kernel:
    """Makes a function whose parameters are In, Out and InOut tensors a kernel."""
    return Kernel(function)


def external(source: str) -> Callable[[_Function], _Function]:
    """Says that a function of tiles is also there in C++, `@external(htp.text("scaled.cc"))`: a target that links what others compiled calls
    that, and for every other one, and in plain Python, the body is what it does. Dimensions in its signature stand for whatever extents
    it is called with."""

    def declare(function: _Function) -> _Function:
        types = inspect.get_annotations(function, eval_str=True)
        result = types.pop("return", None)
        parameters = list(inspect.signature(function).parameters)
        if not source or not parameters or any(not _is_tile(types.get(name)) for name in parameters) or not _is_tile(result):
            raise HtpError(f"`{function.__name__}` has the text of its source, and its parameters and its result are tiles: `Tile[f32, R, C]`")

        @functools.wraps(function)
        def call(*operands: Any) -> Any:
            if len(operands) != len(parameters):
                raise HtpError(f"`{function.__name__}` takes {len(parameters)} tiles, and {len(operands)} are given")
            sizes: dict[str, int] = {}
            for name, operand in zip(parameters, operands):
                _agree(f"`{name}` of `{function.__name__}`", types[name], operand, sizes)
            made = function(*operands)
            _agree(f"what `{function.__name__}` makes", result, made, sizes)
            return made

        return cast(_Function, call)

    return declare


def _is_tile(annotation: object) -> bool:
    return isinstance(annotation, ShapedType) and annotation.form == "Tile"


def _agree(what: str, type: ShapedType, value: Any, sizes: dict[str, int]) -> None:
    """Refuses a value that is not of the type; `sizes` is what dimensions stand for so far."""
    shape = getattr(value, "shape", None)
    good = isinstance(value, type.dtype) and shape is not None and len(shape) == len(type.extents)
    for extent, size in zip(type.extents, shape if good and shape is not None else ()):
        good = good and (extent if isinstance(extent, int) else sizes.setdefault(repr(extent), size)) == size
    if not good:
        given = f"one of {value.name}, {' by '.join(map(str, value.shape))}" if isinstance(value, htp.Value) else repr(value)
        raise HtpError(f"{what} is a {type!r}, and this is {given}")


def tiles(extent: Extent, size: int) -> Iterable[Block]:
    """The blocks of at most `size` indices that make up a dimension, an int or a block; the last is shorter if it must be."""
    return htp.cut(extent, size)
