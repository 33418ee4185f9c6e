"""What the laws share: importing a stage by itself, finding its entry, and making inputs from the entry's own annotations (all of it in the
SDK, for the tests of plugins), and where a stage's own code stands."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import htp
import htp.testing
import numpy as np
from htp.testing import SIZES, Case, Outcome, compare, entry_of, import_program, outcomes, stages_of
from inputs import FEW, INPUTS, LONG_ROWS, MORE, SMALLER, TASKS

modelled = False
"""Whether programs run by a model of a machine, which takes minutes for some: set by what reads the profile."""

__all__ = ["SIZES", "Case", "Outcome", "cases", "compare", "entry_of", "function_of", "import_program", "outcomes", "stages_of"]


def cases(entry: htp.Entry, *, edges: bool = True, sizes: dict[int, list[tuple[int, ...]]] = SIZES) -> Iterator[Case]:
    """Calls of an entry at all sizes, with inputs that it can use."""
    if modelled and entry.name in FEW and sizes is SIZES:
        sizes = {**SIZES, len(FEW[entry.name][0]): FEW[entry.name]}
    if entry.name in SMALLER and sizes is SIZES:
        sizes = {**SIZES, len(SMALLER[entry.name][0]): SMALLER[entry.name]}
    if entry.name in MORE and sizes is SIZES:
        sizes = {rank: [*usual, *(more for more in MORE[entry.name] if len(more) == rank)] for rank, usual in SIZES.items()}
    if not modelled and entry.name in LONG_ROWS and sizes is SIZES:
        own = LONG_ROWS[entry.name]  # before the larger ones: much shows at them alone
        sizes = {rank: [*usual[:4], *(more for more in own if len(more) == rank), *usual[4:]] for rank, usual in SIZES.items()}
    if modelled and entry.name in TASKS and sizes is SIZES:
        sizes = {rank: [*usual, *(more for more in TASKS[entry.name] if len(more) == rank)] for rank, usual in SIZES.items()}
    for number, case in enumerate(htp.testing.cases(entry, edges=edges, sizes=sizes)):
        if entry.name in INPUTS:
            arrays = {parameter.name: array for parameter, array in zip(entry.parameters, case.arrays)}
            INPUTS[entry.name](arrays, np.random.default_rng(number))
        yield case


def function_of(entry: htp.Entry, tree: ast.Module) -> ast.FunctionDef:
    """The function that computes: the entry's own, or for a schedule its workload's."""
    name = entry.function.__name__
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name == name:
            return node
    raise LookupError(f"no function {name}")
