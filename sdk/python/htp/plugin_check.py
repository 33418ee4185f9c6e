"""What `htp-host plugins check` asks of a plugin's Python module, inside the embedded interpreter."""

from __future__ import annotations

import importlib
import sys


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
