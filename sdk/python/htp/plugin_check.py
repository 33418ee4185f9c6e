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
    first; and where the first does not run by itself, "?" and why not. At one size at least, and at more while that does not take long: loops over
    elements are slow here."""
    from htp import testing
    from htp.entry import Entry

    asked = json.loads(request)
    key = (asked["before"], asked["entry"])
    if key not in _expected:
        try:
            entry = getattr(testing.import_program(asked["before"], "before"), asked["entry"])
            if not isinstance(entry, Entry):
                return f"?`{asked['entry']}` is no function that is called with arrays"
            _expected[key] = testing.outcomes(entry, list(testing.cases(entry, sizes=_SIZES)))
        except Exception as error:  # noqa: BLE001 - whatever an author's program does
            return f"?{type(error).__name__}: {error}"
    try:
        entry = getattr(testing.import_program(asked["after"], "after"), asked["entry"])
        end = time.monotonic() + _SECONDS
        for number, outcome in enumerate(_expected[key]):
            if number and time.monotonic() > end:
                break
            arrays = outcome.case.fresh(entry)
            entry.run(*arrays)
            if found := testing.compare(entry, arrays, outcome):
                return found[0]
    except Exception as error:  # noqa: BLE001
        return f"it runs no more: {type(error).__name__}: {error}"
    return "" if _expected[key] else "?there are no sizes at which it runs"


_SIZES: dict[int, list[tuple[int, ...]]] = {0: [()], 1: [(37,), (64,)], 2: [(7, 37), (8, 64)], 3: [(7, 9, 5), (8, 16, 32)], 4: [(3, 5, 7, 2), (8, 9, 4, 8)]}
_SECONDS = 4.0
_expected: dict[tuple[str, str], list[Any]] = {}
