"""What `htp-host plugins check` asks of a plugin's Python module, inside the embedded interpreter."""

from __future__ import annotations

import importlib
import json
import sys
import time
from typing import Any


def standard_modules(_: str) -> str:
    """The names of the standard library's modules, a line each."""
    import numpy as np

    assert np is not None  # what any program imports is there before the plugin's module is looked at
    return "\n".join(sorted(sys.stdlib_module_names))


def import_quietly(module: str) -> str:
    """Imports the module; the exception in words, or nothing."""
    sys.dont_write_bytecode = True
    try:
        importlib.import_module(module)
    except BaseException as error:  # noqa: BLE001 - whatever it is, it is told
        return f"{type(error).__name__}: {error}" or type(error).__name__
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
    return ""


def agree(request: str) -> str:
    """Runs the entry of the text `before` and of the text `after` on the same arguments: "" where the results agree, else what differs
    first; and where the first does not run by itself, "?" and why not. At the smallest size at least, and at others as far as that takes
    some seconds: loops over elements are slow here."""
    from htp import testing

    asked = json.loads(request)
    key = (asked["before"], asked["entry"])
    try:
        if key not in _before:
            _before[key] = _Expected(*key)
    except Exception as error:  # noqa: BLE001 - whatever an author's program does
        return f"?{type(error).__name__}: {error}"
    expected = _before[key]
    if not expected.cases:
        return "?there are no sizes at which it runs"
    entry, end, took = None, time.monotonic() + _SECONDS, 0.0
    for number, case in enumerate(expected.cases):
        begin = time.monotonic()
        if number and begin + took * _growth(expected.cases[number - 1].arrays, case.arrays) > end:
            break
        try:
            outcome = expected.outcome(number)
        except Exception as error:  # noqa: BLE001
            return f"?{type(error).__name__}: {error}"
        try:
            entry = entry or getattr(testing.import_program(asked["after"], "after"), asked["entry"])
            arrays = case.fresh(entry)
            entry.run(*arrays)
            if found := testing.compare(entry, arrays, outcome):
                return found[0]
        except Exception as error:  # noqa: BLE001
            return f"it runs no more: {type(error).__name__}: {error}"
        took = time.monotonic() - begin
    return ""


class _Expected:
    """What a program gives, at each size once it is asked for."""

    def __init__(self, text: str, name: str) -> None:
        from htp import testing
        from htp.entry import Entry

        self.entry = getattr(testing.import_program(text, "before"), name)
        if not isinstance(self.entry, Entry):
            raise TypeError(f"`{name}` is no function that is called with arrays")
        self.cases = list(testing.cases(self.entry, sizes=_SIZES))
        self._outcomes: list[Any] = []

    def outcome(self, number: int) -> Any:
        from htp import testing

        while len(self._outcomes) <= number:
            self._outcomes += testing.outcomes(self.entry, [self.cases[len(self._outcomes)]])
        return self._outcomes[number]


def _growth(before: tuple[Any, ...], after: tuple[Any, ...]) -> float:
    """How many times as large the array is that grows most."""
    return max((b.size / max(a.size, 1) for a, b in zip(before, after)), default=1.0)


_SIZES: dict[int, list[tuple[int, ...]]] = {0: [()], 1: [(5,), (37,), (64,)], 2: [(7, 37), (8, 64)], 3: [(7, 9, 5), (8, 16, 32)], 4: [(3, 5, 7, 2), (8, 9, 4, 8)]}
_SECONDS = 4.0
_before: dict[tuple[str, str], _Expected] = {}
