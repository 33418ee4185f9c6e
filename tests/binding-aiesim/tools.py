"""The tools that cores are built with."""

from __future__ import annotations

import shutil


def missing() -> str:
    """The first that is not there; empty if all are."""
    return next((tool for tool in ("mlir-opt-19", "mlir-translate-19", "clang-19") if shutil.which(tool) is None), "")
