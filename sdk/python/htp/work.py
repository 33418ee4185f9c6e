"""How much work a call is: what the intrinsics that it runs under plain Python say they cost."""

from __future__ import annotations

import contextlib
import functools
import inspect
import math
import sys
import time
import types
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from htp import semantics
from htp.entry import Entry
from htp.intrinsics import INTRINSICS, Intrinsic
from htp.values import Value

LARGE: Final = 1e7
"""A product of so many multiply-adds is not computed to be counted."""


class TooLong(Exception):
    """The count was not done in its time."""


def work_of(entry: Entry, program: types.ModuleType, arrays: Sequence[Any], seconds: float) -> float | None:
    """The operations of a call, by the costs of the intrinsics: 1 for a sum of two elements, 2 for a multiply-add of a product, 8 for an exponential,
    nothing for what reads or writes memory.

    `program` is the module that has the entry; `arrays` may be written. Large products are not computed, so a program whose course depends on
    one is counted as if it were 0. None when plain Python takes longer than so many seconds, or does not run the call.
    """
    count = _Count(time.monotonic() + seconds)
    try:
        with count.of(program):
            entry.run(*arrays)
    except Exception:  # TooLong, or whatever the program does
        return None
    return count.operations


class _Count:
    def __init__(self, end: float) -> None:
        self.operations = 0.0
        self._end = end
        self._inside = False

    @contextlib.contextmanager
    def of(self, program: types.ModuleType) -> Iterator[None]:
        """Within it every intrinsic that is called by the program, or named by an operator, is counted."""
        counted = {id(one.function): self._counting(one) for one in INTRINSICS.values() if one.cost and not one.effects}
        names = [vars(module) for module in [program, *list(sys.modules.values())] if isinstance(module, types.ModuleType)]
        tables: list[dict[str, Any]] = [*names, *(dtype.operators for dtype in _dtypes(Value))]
        replaced: list[tuple[dict[str, Any], str, Any]] = []
        matmul = semantics.matmul
        try:
            for table in tables:
                for name, value in list(table.items()):
                    if id(value) in counted and callable(value):
                        replaced.append((table, name, value))
                        table[name] = counted[id(value)]
            semantics.matmul = _shaped(matmul)
            yield
        finally:
            semantics.matmul = matmul
            for table, name, value in replaced:
                table[name] = value

    def _counting(self, intrinsic: Intrinsic) -> Callable[..., Any]:
        function, cost = intrinsic.function, compile(intrinsic.cost, intrinsic.name, "eval")
        names = list(inspect.signature(function).parameters)

        @functools.wraps(function)
        def call(*arguments: Any, **named: Any) -> Any:
            if self._inside:  # of what an intrinsic is made of
                return function(*arguments, **named)
            if time.monotonic() > self._end:
                raise TooLong
            self._inside = True
            try:
                result = function(*arguments, **named)
            finally:
                self._inside = False
            operands = {**dict.fromkeys(names), **dict(zip(names, arguments)), **named, "result": result}
            self.operations += eval(cost, {"size": _size, "extent": _extent}, operands)
            return result

        return call


def _dtypes(of: type[Value]) -> Iterator[type[Value]]:
    yield of
    for one in of.__subclasses__():
        yield from _dtypes(one)


def _size(value: Any) -> float:
    return float(math.prod(_shape(value)))


def _extent(value: Any, axis: int) -> float:
    shape = _shape(value)
    return float(shape[axis]) if -len(shape) <= axis < len(shape) else 1.0


def _shape(value: Any) -> tuple[int, ...]:
    return tuple(value.data.shape) if isinstance(value, Value) and hasattr(value.data, "shape") else ()


def _shaped(matmul: Callable[..., Any]) -> Callable[..., Any]:
    """The product; of a large one only its shape, in zeros."""

    def product(a: Any, b: Any, acc: Any) -> Any:
        if a.size * b.shape[-1] <= LARGE:
            return matmul(a, b, acc)
        return matmul(a[..., :0], b[..., :0, :], acc)

    return product
