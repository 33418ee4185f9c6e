"""Plays the mesh: gives each device its parts of random arrays, runs the package of one device for each, and joins what they return.

    devices.py HTP-HOST WHOLE.htp PART.htp

Which element goes where stands in the types of the whole program, whose stages are Python: nothing here knows how the product is distributed.
"""

from __future__ import annotations

import itertools
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from htp.entry import Entry, Parameter
from htp.testing import entry_of, import_program, stages_of

Device = tuple[tuple[str, int], ...]


def program(package: str) -> Entry:
    """The entry of a package's first stage."""
    return entry_of(import_program(stages_of(Path(package))[0].read_text(), package))


def shape_of(parameter: Parameter) -> tuple[int, ...]:
    return tuple(extent for extent in parameter.type.extents if isinstance(extent, int))


def places(parameter: Parameter) -> list[list[tuple[Device, int]]]:
    """For each element, the devices that have it and where it lies there."""
    layout = parameter.type.layout
    assert layout is not None, parameter
    found = []
    for index in range(layout.size):
        at = [dict(place) for place in layout.places(index)]
        found.append([(tuple(sorted((axis, unit) for axis, unit in place.items() if axis != "m")), place.get("m", 0)) for place in at])
    return found


def on(device: Device, whole: Device) -> bool:
    """Whether it is this one; a device has 0 on the axes that are not named."""
    return all(dict(device).get(axis, 0) == unit for axis, unit in whole)


def main() -> int:
    host, whole, part = sys.argv[1:]
    entry, local = program(whole), program(part)
    generator = np.random.default_rng(0)
    arrays: dict[str, Any] = {p.name: generator.standard_normal(shape_of(p)).astype(np.float32) for p in entry.parameters}
    where = {p.name: places(p) for p in entry.parameters}
    units: dict[str, set[int]] = {}
    for device, _ in itertools.chain(*itertools.chain(*where.values())):
        for axis, unit in device:
            units.setdefault(axis, {0}).add(unit)
    devices: list[Device] = [tuple(zip(units, chosen)) for chosen in itertools.product(*(sorted(those) for those in units.values()))]
    joined = np.full(arrays["c"].size, np.nan, np.float32)
    with tempfile.TemporaryDirectory() as folder:
        inputs, outputs = Path(folder) / "in.npz", Path(folder) / "out.npz"
        for whole_device in devices:
            mine: dict[str, Any] = {}
            for parameter in local.parameters:
                flat = np.zeros(shape_of(parameter), np.float32).reshape(-1)
                for value, homes in zip(arrays[parameter.name].reshape(-1), where[parameter.name]):
                    for device, at in homes:
                        if on(device, whole_device):
                            flat[at] = value
                mine[parameter.name] = flat.reshape(shape_of(parameter))
            np.savez(inputs, **{p.name: mine[p.name] for p in local.parameters if p.direction == "In"})
            subprocess.run([host, "-q", "run", part, "--inputs", inputs, "--outputs", outputs], check=True)
            with np.load(outputs) as found:
                result = found["c"].reshape(-1)
            for index, homes in enumerate(where["c"]):
                for device, at in homes:
                    if on(device, whole_device):
                        joined[index] = result[at]
    expected = arrays["a"] @ arrays["b"] + arrays["bias"]
    error = float(np.max(np.abs(joined.reshape(expected.shape) - expected)))
    print(f"{len(devices)} devices, the joined result is within {error:.1e} of a @ b + bias")
    return 0 if error < 1e-4 else 1


if __name__ == "__main__":
    sys.exit(main())
