"""A run, kept in a file: what an entry was called with, and what it left. `htp-host run --record` writes it, `--inputs` of any command reads it.

It is an .npz file with an array for each parameter that is read, by its name; for each that was written `NAME@out`; and `htp.record`, JSON about the run. The inputs are
written before the entry runs, so what a crash leaves can be replayed.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from htp.entry import Signature

ABOUT: Final = "htp.record"
OUT: Final = "@out"


@dataclass(frozen=True)
class Record:
    """What a file says of its run, beside the inputs."""

    digest: str
    """Of the package's manifest."""
    outputs: dict[str, Any]
    """By the parameters' names; empty when the run did not end."""


def digest_of(package: Path) -> str:
    """SHA-256 of the package's manifest, by which the package is known."""
    return hashlib.sha256((package / "manifest.json").read_bytes()).hexdigest()


def arrays_of_run(package: Path, routine: Signature, before: Mapping[str, Any], after: Mapping[str, Any] | None) -> dict[str, Any]:
    """The arrays of the file; `after` when the run has ended."""
    about = {"schema": "htp.record/1", "package": digest_of(package), "entry": routine.name}
    arrays = {p.name: before[p.name] for p in routine.parameters if p.direction != "Out"}
    if after is not None:
        arrays |= {p.name + OUT: after[p.name] for p in routine.parameters if p.direction != "In"}
    return {**arrays, ABOUT: np.array(json.dumps(about))}


def inputs_of(arrays: Mapping[str, Any]) -> dict[str, Any]:
    """Of a file's arrays those that an entry is called with."""
    return {name: array for name, array in arrays.items() if name != ABOUT and not name.endswith(OUT)}


def record_of(arrays: Mapping[str, Any]) -> Record | None:
    """What a file's arrays say of a run; None: they are inputs alone."""
    try:
        about = json.loads(str(arrays[ABOUT]))
        return Record(str(about["package"]), {name.removesuffix(OUT): array for name, array in arrays.items() if name.endswith(OUT)})
    except (KeyError, ValueError, TypeError):
        return None
