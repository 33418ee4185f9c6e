"""Kernels, functions that are compiled apart, and the loop that cuts a dimension into blocks."""

import functools
import inspect
from collections.abc import Callable, Iterable
from typing import Any, TypeVar, get_args, get_origin

import htp
from htp import Block, Extent, HtpError, ShapedType

_Result = TypeVar("_Result")


class Kernel(htp.Entry):
    """A function over tensors, called with NumPy arrays."""


def kernel(function: Callable[..., None]) -> Kernel:
    """Makes a function whose parameters are In, Out and InOut tensors a kernel."""
    return Kernel(function)


def external(source: str, updates: str | tuple[str, ...] = ()) -> Callable[[Callable[..., _Result]], Callable[..., _Result]]:
    """Says that a function of tiles is also there in C++, `@external(htp.text("scaled.cc"))`: a target that links what others compiled calls
    that, and for every other one, and in plain Python, the body is what it does. Dimensions in its signature stand for whatever extents
    it is called with. `updates` names the parameters in whose place C++ leaves the first results."""

    def declare(function: Callable[..., _Result]) -> Callable[..., _Result]:
        types = inspect.get_annotations(function, eval_str=True)
        gives = types.pop("return", None)
        results = get_args(gives) if get_origin(gives) is tuple else (gives,)
        parameters = list(inspect.signature(function).parameters)
        updated = (updates,) if isinstance(updates, str) else updates
        if not source or not any(_is_tile(types.get(name)) for name in parameters) or not all(map(_is_tile, results)):
            raise HtpError(f"`{function.__name__}` has the text of its source, and takes and gives tiles: `Tile[f32, R, C]`")
        if any(not _is_tile(types.get(name)) and types.get(name) not in (htp.i32, htp.f32) for name in parameters):
            raise HtpError(f"a parameter of `{function.__name__}` is a tile, `Tile[f32, R, C]`, or a number, `i32` or `f32`")
        if len(updated) > len(results) or any(name not in parameters or types[name] != made for name, made in zip(updated, results)):
            raise HtpError(f"what `{function.__name__}` updates are parameters of the types of its first results")

        @functools.wraps(function)
        def call(*operands: Any, result: int | None = None) -> Any:
            if len(operands) != len(parameters):
                raise HtpError(f"`{function.__name__}` takes {len(parameters)} arguments, and {len(operands)} are given")
            sizes: dict[str, int] = {}
            for name, operand in zip(parameters, operands):
                _agree(f"`{name}` of `{function.__name__}`", types[name], operand, sizes)
            made = function(*operands)
            for type, value in zip(results, _all(made), strict=True):
                _agree(f"what `{function.__name__}` makes", type, value, sizes)
            return made if result is None else result_of(made, result)

        return call

    return declare


def result_of(made: Any, number: int) -> Any:
    """One of the tiles that a function which is compiled apart gives."""
    return _all(made)[number]


def _all(made: Any) -> tuple[Any, ...]:
    return made if isinstance(made, tuple) else (made,)


def _is_tile(annotation: object) -> bool:
    return isinstance(annotation, ShapedType) and annotation.form == "Tile"


def _agree(what: str, type: Any, value: Any, sizes: dict[str, int]) -> None:
    """Refuses a value that is not of the type; `sizes` is what dimensions stand for so far."""
    if not isinstance(type, ShapedType):
        if isinstance(value, bool) or not isinstance(value, int if type is htp.i32 else (int, float)):
            raise HtpError(f"{what} is a number of {type.name}, and this is {value!r}")
        return
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
