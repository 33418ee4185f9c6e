"""What `htp-host doctor` asks of Python: which it is, and which of the modules that HTP uses are there."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import json
import platform

MODULES = (
    ("numpy", "NumPy", "runs programs and stages under plain Python; nothing goes without it", "apt-get install python3-numpy"),
    ("torch", "PyTorch", "its tensors can be given to kernels", "apt-get install python3-torch"),
)


def doctor(_: str) -> str:
    """Response as JSON, with `modules`: a row each, "version" is empty of one that is not there."""
    rows = [{"name": "Python", "version": platform.python_version(), "doc": "", "install": ""}]
    rows += [{"name": name, "version": _version(module), "doc": doc, "install": install} for module, name, doc, install in MODULES]
    return json.dumps({"text": "", "result": {"modules": rows}, "diagnostics": []})


def _version(module: str) -> str:
    """By what is installed: some take a second to import."""
    if importlib.util.find_spec(module) is None:
        return ""
    try:
        return importlib.metadata.version(module)
    except importlib.metadata.PackageNotFoundError:
        return "of an unknown version"
