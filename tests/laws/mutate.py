"""Mutants of a stage: programs in which one executable statement of the entry is gone or computes something else.

A stage is the program: each mutant must give another result or raise. There is no list of exceptions. What is mutated:
every statement is deleted (a docstring and `pass` do not execute), and in every call of an elementwise intrinsic the intrinsic is
exchanged for another one. A mutant whose loops never end raises after some steps. What cannot change a result by HTP's semantics is not mutated: block sizes, and how a loop may run.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from dataclasses import dataclass

from programs import entry_of, function_of, import_program

_EXCHANGED = {
    "add": "sub", "sub": "add", "mul": "add", "div": "mul", "maximum": "minimum", "minimum": "maximum", "exp": "neg", "tanh": "neg",
    "sqrt": "neg", "rsqrt": "neg", "log": "neg", "sigmoid": "neg", "absolute": "neg", "neg": "absolute", "lt": "ge", "le": "gt",
    "gt": "le", "ge": "lt", "eq": "ne", "ne": "eq", "reduce_max": "reduce_min", "reduce_min": "reduce_max",
    "reduce_sum": "reduce_max",
}  # fmt: skip

MOST_STEPS = 20_000
"""Iterations that the `while` loops of one call may have together."""


@dataclass(frozen=True)
class Mutant:
    """A changed program, and what was changed."""

    what: str
    line: int
    source: str


def mutants(source: str, name: str | None = None) -> Iterator[Mutant]:
    """Every mutant of the entry of a program."""
    tree = ast.parse(source)
    entry = entry_of(import_program(source, "<mutated>"), name)
    for number, statement in enumerate(_statements(function_of(entry, tree))):
        yield Mutant(f"without `{_first_line(statement)}`", statement.lineno, _changed(tree, entry.function.__name__, number, None))
        for place, node in enumerate(ast.walk(statement)):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _EXCHANGED:
                if _owner(statement, node):
                    other = _EXCHANGED[node.func.attr]
                    what = f"`{node.func.attr}` made `{other}` in `{_first_line(statement)}`"
                    yield Mutant(what, statement.lineno, _changed(tree, entry.function.__name__, number, (place, other)))


def _owner(statement: ast.stmt, call: ast.Call) -> bool:
    """Whether the call stands in the statement itself, not in one inside it."""
    inner = [child for child in ast.iter_child_nodes(statement) if isinstance(child, ast.stmt)]
    return all(call is not node for child in inner for node in ast.walk(child))


def _statements(function: ast.FunctionDef) -> list[ast.stmt]:
    """The executable statements of a function, outermost first."""
    found: list[ast.stmt] = []

    def visit(body: list[ast.stmt]) -> None:
        for statement in body:
            text = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
            declaration = isinstance(statement, ast.AnnAssign) and statement.value is None
            if not (text or declaration or isinstance(statement, ast.Pass)):
                found.append(statement)
                for field in ("body", "orelse"):
                    visit(getattr(statement, field, []))

    visit(function.body)
    return found


def _changed(tree: ast.Module, function: str, number: int, exchange: tuple[int, str] | None) -> str:
    changed = copy.deepcopy(tree)
    (found,) = [node for node in changed.body if isinstance(node, ast.FunctionDef) and node.name == function]
    statement = _statements(found)[number]
    if exchange is not None:
        call = list(ast.walk(statement))[exchange[0]]
        assert isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute)
        call.func.attr = exchange[1]
    else:
        for parent in ast.walk(found):
            for field in ("body", "orelse"):
                body = getattr(parent, field, None)
                if isinstance(body, list) and statement in body:
                    body[body.index(statement)] = ast.Pass()
    for loop in ast.walk(found):
        if isinstance(loop, ast.While):
            loop.body[:0] = ast.parse("_steps.pop()").body
    changed.body += ast.parse(f"_steps = [0] * {MOST_STEPS}").body
    return ast.unparse(ast.fix_missing_locations(changed))


def _first_line(statement: ast.stmt) -> str:
    return ast.unparse(statement).splitlines()[0]
