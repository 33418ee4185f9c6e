"""What the laws share: importing a stage by itself, finding its entry, and making inputs from the entry's own annotations (all of it in the
SDK, for the tests of plugins), and where a stage's own code stands."""

from __future__ import annotations

import ast

import htp
from htp.testing import SIZES, Case, Outcome, cases, compare, entry_of, import_program, outcomes, stages_of

__all__ = ["SIZES", "Case", "Outcome", "cases", "compare", "entry_of", "function_of", "import_program", "outcomes", "stages_of"]


def function_of(entry: htp.Entry, tree: ast.Module) -> ast.FunctionDef:
    """The function that computes: the entry's own, or for a schedule its workload's."""
    name = entry.function.__name__
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name == name:
            return node
    raise LookupError(f"no function {name}")
