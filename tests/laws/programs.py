"""What the laws share: importing a stage by itself, finding its entry, and making inputs from the entry's own annotations."""

from __future__ import annotations

import ast
import sys
import types
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import htp
import numpy as np
from htp.edges import specials

SIZES: dict[int, list[tuple[int, ...]]] = {
    0: [()],
    1: [(1,), (7,), (8,), (37,), (64,), (100,), (257,)],
    2: [(7, 37), (1, 1), (8, 64), (1, 100), (100, 1), (37, 100)],
    3: [(7, 9, 5), (1, 1, 1), (8, 8, 8), (7, 37, 70), (17, 33, 65), (65, 66, 7), (64, 16, 32)],
    4: [(3, 5, 7, 2), (1, 1, 1, 1), (8, 9, 4, 8)],
}
"""For each number of dimensions the sizes at which programs run: some divide evenly by usual block sizes, most do not."""


@dataclass(frozen=True)
class Case:
    """The arguments of one call."""

    name: str
    arrays: tuple[Any, ...]

    def fresh(self, entry: htp.Entry | htp.Routine) -> list[Any]:
        """Copies of the arrays, with what is only written poisoned."""
        copies = [array.copy() for array in self.arrays]
        for parameter, array in zip(entry.parameters, copies):
            if parameter.direction == "Out":
                dtype = parameter.type.dtype
                array[...] = dtype.encode(np.full(array.shape, dtype.poison, dtype.element))
        return copies


def cases(entry: htp.Entry, *, edges: bool = True, sizes: dict[int, list[tuple[int, ...]]] = SIZES) -> Iterator[Case]:
    """Calls of an entry at all sizes: with ordinary values, and (`edges`) with zeros, infinities, NaN, denormals or extremes among them."""
    names = sorted({extent.name for parameter in entry.parameters for extent in parameter.type.extents if isinstance(extent, htp.Dim)})
    for number, chosen in enumerate(sizes.get(len(names), [])):
        bound = dict(zip(names, chosen))
        at = ", ".join(f"{name}={size}" for name, size in bound.items())
        for strange in (False, True) if edges else (False,):
            generator = np.random.default_rng([number, strange])
            arrays = tuple(_array(parameter.type, bound, generator, strange) for parameter in entry.parameters)
            yield Case(at + (" with edges" if strange else ""), arrays)


def _array(kind: htp.ShapedType, sizes: dict[str, int], generator: np.random.Generator, strange: bool) -> Any:
    dtype = kind.dtype
    shape = tuple(sizes[extent.name] if isinstance(extent, htp.Dim) else size_of(extent) for extent in kind.extents)
    if dtype.element.kind == "f":
        values = dtype.convert(generator.standard_normal(shape) * 1.5)
    elif dtype.element.kind == "b":
        values = generator.integers(0, 2, shape).astype(np.bool_)
    else:
        limits = np.iinfo(dtype.element)
        values = generator.integers(max(limits.min, -1000), min(limits.max, 1000), shape, dtype.element, endpoint=True)
    if strange and values.size:
        choices = specials(dtype)
        if dtype.element.kind == "f":  # sums that overflow on the way depend on their order, which is free
            choices = [value for value in choices if not 1e3 < abs(float(value)) < float("inf")]
        for place in generator.choice(values.size, max(1, values.size // 12), replace=False):
            values.flat[place] = choices[generator.integers(len(choices))]
    return np.ascontiguousarray(dtype.encode(values))


def size_of(extent: object) -> int:
    assert isinstance(extent, int), extent
    return extent


def import_program(source: str, name: str) -> types.ModuleType:
    """Runs a stage's text as a module of its own, that nothing else sees."""
    module = types.ModuleType(name)
    module.__file__ = name
    sys.modules[name] = module
    try:
        exec(compile(source, name, "exec"), module.__dict__)
    finally:
        del sys.modules[name]
    return module


def entry_of(module: types.ModuleType, name: str | None = None) -> htp.Entry:
    """The entry a stage's header names; of a program without a header the last one that is defined."""
    header = getattr(module, "__htp_stage__", None)
    wanted = name or (header.entry if header is not None else None)
    entries = [value for value in vars(module).values() if isinstance(value, htp.Entry)]
    if wanted is not None:
        entries = [entry for entry in entries if entry.name == wanted]
    if not entries:
        raise LookupError(f"{module.__name__} has no entry {wanted or ''}")
    return entries[-1]


def stages_of(package: Path) -> list[Path]:
    """The program.py of each stage of a package, in order."""
    stages = sorted(package.glob("ir/stages/*/program.py"), key=lambda path: path.parent.name)
    if not stages:
        raise LookupError(f"{package} has no stages")
    return stages


@dataclass(frozen=True)
class Outcome:
    """What a call left in its arguments, and how exact that is."""

    case: Case
    arrays: list[Any]
    run: htp.Run


def outcomes(entry: htp.Entry, chosen: Sequence[Case]) -> list[Outcome]:
    """Runs an entry under plain Python on each case."""
    found = []
    for case in chosen:
        arrays = case.fresh(entry)
        found.append(Outcome(case, arrays, entry.run(*arrays)))
    return found


def function_of(entry: htp.Entry, tree: ast.Module) -> ast.FunctionDef:
    """The function that computes: the entry's own, or for a schedule its workload's."""
    name = entry.function.__name__
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name == name:
            return node
    raise LookupError(f"no function {name}")
