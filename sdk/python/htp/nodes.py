"""The numbers of a stage's nodes, as files name them: `NN:k` is node k, in preorder, of stage NN (R3)."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

_NO_NODES: Final = (ast.expr_context, ast.operator, ast.unaryop, ast.boolop, ast.cmpop)
"""What Python's tree has as nodes and HTP's as words of their node."""


def numbered(tree: ast.Module) -> Iterator[tuple[int, ast.AST]]:
    """Each node of a stage with its number. The header is none of the program's statements and has no numbers."""
    number = 0

    def visit(node: ast.AST) -> Iterator[tuple[int, ast.AST]]:
        nonlocal number
        yield number, node
        number += 1
        for child in ast.iter_child_nodes(node):
            if not isinstance(child, _NO_NODES) and not is_header(child):
                yield from visit(child)

    yield from visit(tree)


def is_header(node: ast.AST) -> bool:
    """Whether it is the statement `htp.stage(…)`."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and ast.unparse(node.value.func) == "htp.stage"


def statements_by_line(text: str) -> dict[int, int]:
    """By each line of a stage the number of the innermost statement that stands there."""
    found: dict[int, int] = {}
    for number, node in numbered(ast.parse(text)):
        if isinstance(node, ast.stmt):
            for line in range(node.lineno, (node.end_lineno or node.lineno) + 1):
                found[line] = number
    return found
