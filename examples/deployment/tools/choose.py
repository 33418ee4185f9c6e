"""Prints which of several packages runs the arrays of an .npz file on this machine. What the packages' manifests say decides, and nothing else.

    choose.py [--cores N] in.npz PACKAGE …
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from pathlib import Path
from typing import Any

import numpy as np


def extents(type_text: str) -> list[str]:
    """Of "Tensor[f32, M, 64]": M and 64."""
    return re.findall(r"\w+", type_text[type_text.index("[") :])[1:]


def fits(entry: dict[str, Any], shapes: dict[str, tuple[int, ...]]) -> bool:
    """Whether the arrays are of the parameters' types: a number is itself, a name is the same size everywhere."""
    sizes: dict[str, int] = {}
    for parameter in entry["parameters"]:
        if parameter["direction"] == "out":
            continue
        expected = extents(parameter["type"])
        shape = shapes.get(parameter["name"], ())
        if len(shape) != len(expected):
            return False
        for extent, size in zip(expected, shape):
            if sizes.setdefault(extent, int(extent) if extent.isdigit() else size) != size:
                return False
    return True


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cores", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("inputs")
    parser.add_argument("packages", nargs="+")
    given = parser.parse_args()
    with np.load(given.inputs) as arrays:
        shapes = {name: arrays[name].shape for name in arrays.files}
    found = []
    for package in given.packages:
        manifest = json.loads((Path(package) / "manifest.json").read_text())
        cores = int(manifest["target"]["hardware"]["levels.core.count"])
        if cores <= given.cores and all(fits(entry, shapes) for entry in manifest["entries"]):
            found.append((cores, package))
    if not found:
        print(f"none of the packages is for {shapes} on {given.cores} cores", file=sys.stderr)
        return 1
    print(max(found)[1])
    return 0


if __name__ == "__main__":
    sys.exit(main())
