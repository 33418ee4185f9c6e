"""Mutants of a stage: programs in which one executable statement of the entry is gone or computes something else.

A stage is the program: each mutant must give another result or raise. There is no list of exceptions. What is mutated:
every statement is deleted (a docstring and `pass` do not execute), and in every call of an elementwise intrinsic the intrinsic is
exchanged for another one. A mutant whose loops never end raises after some steps. What cannot change a result by HTP's semantics is not mutated: block sizes, and how a loop may run.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from types import CodeType

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
    code: CodeType
    deletes: bool = False


def mutants(source: str, name: str | None = None) -> Iterator[Mutant]:
    """Every mutant of the entry of a program. The tree is changed in place, and changed back when a mutant is compiled."""
    tree = ast.parse(source)
    function = function_of(entry_of(import_program(source, "<mutated>"), name), tree)
    statements = list(_statements(function))
    _count_steps(tree, function)
    for statement, body in statements:
        first_line = _head(statement)  # as it is without what counts steps: that stands behind it
        place = body.index(statement)
        body[place] = ast.copy_location(ast.Pass(), statement)
        yield Mutant(f"without `{first_line}`", statement.lineno, compile(tree, "<mutant>", "exec"), deletes=True)
        body[place] = statement
        for node in _own(statement):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _EXCHANGED:
                word = node.func.attr
                node.func.attr = _EXCHANGED[word]
                what = f"`{word}` made `{node.func.attr}` in `{first_line}`"
                yield Mutant(what, statement.lineno, compile(tree, "<mutant>", "exec"))
                node.func.attr = word


def heads(source: str) -> Iterator[str]:
    """The first line of every executable statement of the entry of a program."""
    function = function_of(entry_of(import_program(source, "<read>")), ast.parse(source))
    return (_head(statement) for statement, _ in _statements(function))


def _head(statement: ast.stmt) -> str:
    return ast.unparse(statement).splitlines()[0]


def _own(statement: ast.stmt) -> Iterator[ast.AST]:
    """What stands in the statement itself, not in one inside it."""
    left: list[ast.AST] = [statement]
    while left:
        node = left.pop()
        yield node
        left += [child for child in ast.iter_child_nodes(node) if not isinstance(child, ast.stmt)]


def _statements(function: ast.FunctionDef) -> Iterator[tuple[ast.stmt, list[ast.stmt]]]:
    """The executable statements of a function, outermost first, each with the list that it stands in."""

    def visit(body: list[ast.stmt]) -> Iterator[tuple[ast.stmt, list[ast.stmt]]]:
        for statement in body:
            text = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
            declaration = isinstance(statement, ast.AnnAssign) and statement.value is None
            if not (text or declaration or isinstance(statement, ast.Pass)):
                yield statement, body
                for field in ("body", "orelse"):
                    yield from visit(getattr(statement, field, []))

    return visit(function.body)


def _count_steps(tree: ast.Module, function: ast.FunctionDef) -> None:
    """Has each iteration of a `while` take one of so many steps: without any left it raises."""
    for loop in ast.walk(function):
        if isinstance(loop, ast.While):
            loop.body[:0] = ast.parse("_steps.pop()").body
    tree.body += ast.parse(f"_steps = [0] * {MOST_STEPS}").body
    ast.fix_missing_locations(tree)
