"""What is proved when a program is compiled holds when it runs: at a thousand random sizes, over all examples together (a slice of them has its share), arrays lie between
poisoned guard zones, and a call writes every element of each output, nothing else, and what the interpreter writes.

    guards.py --host build/dev/bin/htp-host [--profile manifests/cpu.yaml] [PROGRAM.py …]
"""

from __future__ import annotations

import math
import random
import sys
from pathlib import Path
from typing import Any

import htp
import numpy as np
from driver import ROOT, Report, main, slice_of
from htp.dims import gives
from law5 import bound
from numpy.lib.stride_tricks import as_strided
from programs import Case, cases, compare, entry_of, import_program, outcomes, stages_of

RUNS = 1000
GUARD = 256  # bytes before and behind each array, and a little more
POISON = 0xFF  # NaN of floats, -1 of ints
COMPARED = 8  # each such run is compared with the interpreter's
SIZES = [0, 1, 2, 3, 5, 7, 8, 9, 13, 15, 16, 17, 23, 31, 32, 33, 47, 63, 64, 65, 97, 127, 128, 129, 257]
ELEMENTS = 20_000  # of the largest space that a run's dims span

_runs = 0


def check(package: Path, report: Report) -> None:
    """Runs a package at its share of the sizes."""
    global _runs
    first = stages_of(package)[0]
    source = entry_of(import_program(first.read_text(), first.parent.name))
    share = math.ceil(1.25 * RUNS / _all())  # some have no size to choose
    with report.checking(f"{package.name}: binds"), bound(package) as routine:
        for number, case in enumerate(cases(source, edges=False, sizes=_sizes(source, share, package.name))):
            with report.checking(f"{package.name} at {case.name}: stays between its guards, and writes its outputs in full"):
                report.all(_guarded(source, routine, case, number))
            _runs += 1


def _sizes(source: htp.Entry, count: int, name: str) -> dict[int, list[tuple[int, ...]]]:
    rng = random.Random(name)
    dims = {given[0] for parameter in source.parameters for extent in parameter.type.extents if (given := gives(extent))}
    fixed = [extent for parameter in source.parameters for extent in parameter.type.extents if isinstance(extent, int)]
    # What is indexed by its inputs has no room for an index in a tensor without elements.
    usual = SIZES if all(parameter.type.dtype.element.kind == "f" for parameter in source.parameters) else SIZES[1:]
    most = max(ELEMENTS // max(fixed, default=1), 64)
    chosen: list[tuple[int, ...]] = [(1,) * len(dims)]
    while dims and len(chosen) < count:
        sizes = tuple(rng.choice(usual) if rng.random() < 0.7 else rng.randint(1, 200) for _ in dims)
        if math.prod(sizes) <= most:
            chosen.append(sizes)
    return {len(dims): chosen}


class Guarded:
    """An array between two zones of poison, aligned to its elements and no better. It lies as its layout says; what lies between its elements is poison too."""

    def __init__(self, array: Any, shift: int, layout: htp.layouts.Layout | None) -> None:
        size, shape = array.itemsize, array.shape
        steps = htp.layouts.steps(layout, shape) if layout is not None else tuple(math.prod(shape[k + 1 :]) for k in range(len(shape)))
        span = 1 + sum((extent - 1) * step for extent, step in zip(shape, steps)) if array.size else 0
        before = GUARD + shift % 16 * size
        self.room = np.full(before + span * size + GUARD, POISON, np.uint8)
        strides = [step * size for step in steps]
        self.bytes = as_strided(self.room[before:], (*shape, size), [*strides, 1])
        self.outside = np.ones(self.room.shape, bool)
        as_strided(self.outside[before:], (*shape, size), [*strides, 1])[...] = False
        self.array = as_strided(self.room[before : before + span * size].view(array.dtype), shape, strides)
        self.array[...] = array

    def fill(self, byte: int) -> None:
        self.bytes[...] = byte

    def touched(self) -> bool:
        return bool((self.room[self.outside] != POISON).any())

    def holding(self, byte: int) -> Any:
        """Which elements are made of this byte alone."""
        return (self.bytes == byte).all(axis=-1).reshape(-1)


def _guarded(source: htp.Entry, routine: htp.Routine, case: Case, number: int) -> list[str]:
    found: list[str] = []
    left: dict[str, Any] = {}
    for byte in (0x55, 0xAA):
        # A storage, of what no strides describe, has no gaps.
        guarded = [Guarded(array, number, parameter.type.layout if array.ndim == len(parameter.type.extents) else None) for array, parameter in zip(case.fresh(source), source.parameters)]
        for parameter, memory in zip(routine.parameters, guarded):
            if parameter.direction == "Out":
                memory.fill(byte)
        arrays = [memory.array for memory in guarded]
        refused = ""
        try:
            routine(*arrays)
        except htp.HtpError as error:
            refused = str(error)
        for parameter, memory, before in zip(routine.parameters, guarded, case.fresh(routine)):
            if memory.touched():
                found.append(f"something outside of `{parameter.name}` is written")
            if parameter.direction == "In" and memory.array.tobytes() != before.tobytes():
                found.append(f"the input `{parameter.name}` is written")
            if parameter.direction == "Out" and not refused:
                left[parameter.name] = left.get(parameter.name, True) & memory.holding(byte)
        if refused:
            return found + _also_refused(source, case, refused)
    found += [f"{mask.sum()} elements of `{name}` are not written" for name, mask in left.items() if mask.any()]
    if number % COMPARED == 0:
        (outcome,) = outcomes(source, [case])
        found += compare(routine, arrays, outcome)
    return found


def _also_refused(source: htp.Entry, case: Case, words: str) -> list[str]:
    try:
        source.run(*case.fresh(source))
    except (htp.HtpError, ArithmeticError, ValueError):
        return []
    return [f"the interpreter runs, and the package says: {words}"]


def check_count(folder: Path, report: Report) -> None:
    """The examples together make up what is promised."""
    if slice_of()[1] > 1:
        return
    with report.checking(f"at least {RUNS} sizes"):
        report.all([] if _runs >= RUNS else [f"only {_runs}"])


def _all() -> int:
    return len(list(ROOT.glob("examples/*/*.py")))


if __name__ == "__main__":
    sys.exit(main(__doc__, check, check_count))
