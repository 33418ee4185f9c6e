"""Strength reduction on the typed form, where every operation is `name: Tile[dtype, …] = tile.op(a, b)`."""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from htp.extend import Context

FLOATS = {"f16": 14, "bf16": 126, "f32": 126, "f64": 1022}
"""The largest power of two whose inverse is a normal number."""


def operations(tree: ast.Module) -> Iterator[tuple[ast.Call, str, str]]:
    """Each call of a tile intrinsic that defines a name: the call, the intrinsic, the dtype of its result."""
    for node in ast.walk(tree):
        match node:
            case ast.AnnAssign(
                annotation=ast.Subscript(slice=ast.Tuple(elts=[ast.Name(id=dtype), *_])),
                value=ast.Call(func=ast.Attribute(value=ast.Name(id="tile"), attr=name)) as call,
            ):
                yield call, name, dtype


def power_of_two(node: ast.expr, dtype: str) -> float | None:
    """The value of a literal that is one, and whose inverse is exact in the dtype."""
    if not isinstance(node, ast.Constant) or not isinstance(node.value, (int, float)) or node.value <= 0 or dtype not in FLOATS:
        return None
    fraction, exponent = math.frexp(node.value)
    return float(node.value) if fraction == 0.5 and abs(exponent - 1) <= FLOATS[dtype] else None


def reduce(tree: ast.Module, c: Context) -> ast.Module:
    for call, name, dtype in operations(tree):
        if name == "div" and len(call.args) == 2 and (value := power_of_two(call.args[1], dtype)):
            call.func.attr = "mul"
            call.args[1] = ast.copy_location(ast.Constant(1 / value), call.args[1])
        elif name == "mul" and c.options["doubles"] and len(call.args) == 2 and power_of_two(call.args[1], dtype) == 2.0:
            call.func.attr = "add"
            call.args[1] = call.args[0]  # one object in two places: two nodes
    for loop, count in c.analysis("quick.statements").items():
        assert isinstance(count, int) and count >= len(loop.body)
    return tree


def is_reduced(tree: ast.Module, c: Context) -> bool:
    assert c.term == "Quick.Reduced"
    for call, name, dtype in operations(tree):
        if name == "div" and len(call.args) == 2 and power_of_two(call.args[1], dtype):
            c.report(call, "quick.not-reduced", f"`{ast.unparse(call)}` divides by a power of two")
            return False
    return True


def statements(tree: ast.Module, c: Context) -> dict[ast.AST, int]:
    blocks = [node for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.For))]
    return {block: sum(isinstance(node, ast.stmt) for node in ast.walk(block)) - 1 for block in blocks}
