"""How an intrinsic is declared: once, as a typed function whose body is its meaning (R6).

The build reads declarations from the file's text; at run time the decorator keeps them for tools, and gives operators their meaning.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar, get_args

from htp.errors import HtpError
from htp.values import Value

Function = TypeVar("Function", bound=Callable[..., Any])


@dataclass(frozen=True)
class Intrinsic:
    """An intrinsic as it was declared."""

    name: str
    rule: str
    effects: str
    spaces: str
    cost: str
    method: str | None
    function: Callable[..., Any]


INTRINSICS: dict[str, Intrinsic] = {}
"""Every intrinsic of the modules imported so far, by name."""


def intrinsic(
    *, name: str, rule: str, effects: str = "", spaces: str = "", cost: str = "", method: str | None = None
) -> Callable[[Function], Function]:
    """Declares the intrinsic `name` ("tile.exp").

    rule: the typing rule, the owner's word. effects: "", "read", "write" or "read write"; of a channel "put" or "get". spaces: the memory spaces it may touch.
    cost: an expression over `size(operand)`, `extent(operand, axis)` and `size(result)`. method: the operator that names it; the
    first parameter's dtypes get it. For `__getitem__` the index follows the tensor, for `__setitem__` tensor and value.
    """

    def declare(function: Function) -> Function:
        if name in INTRINSICS and INTRINSICS[name].function.__module__ != function.__module__:
            raise HtpError(f"intrinsic `{name}` is declared twice: in {INTRINSICS[name].function.__module__} and in {function.__module__}")
        INTRINSICS[name] = Intrinsic(name, rule, effects, spaces, cost, method, function)
        if method is not None:
            for dtype in _dtypes_of_first_parameter(function):
                other = dtype.operators.setdefault(method, function)
                if other.__module__ != function.__module__:
                    raise HtpError(f"`{method}` of {dtype.name} names two intrinsics: of {other.__module__} and of {function.__module__}")
                dtype.operators[method] = function
        return function

    return declare


def _dtypes_of_first_parameter(function: Callable[..., Any]) -> list[type[Value]]:
    annotation = next(iter(inspect.signature(function, eval_str=True).parameters.values())).annotation
    found: list[type[Value]] = []
    for part in (annotation, *get_args(annotation)):
        candidates = part.__constraints__ or (part.__bound__,) if isinstance(part, TypeVar) else (part,)
        found += [dtype for dtype in candidates if isinstance(dtype, type) and issubclass(dtype, Value)]
    if not found:
        raise HtpError(f"the first parameter of `{function.__name__}` names no dtype whose operator it could be")
    return found
