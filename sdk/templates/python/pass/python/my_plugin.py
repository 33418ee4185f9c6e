"""my-plugin.reciprocals: `tile.div(x, 8)` becomes `tile.mul(x, 0.125)` where x holds floats."""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from htp.extend import Context

FLOATS = ("f16", "bf16", "f32", "f64")


def use_reciprocals(tree: ast.Module, c: Context) -> ast.Module:
    for call, function, factor in divisions(tree, c):
        function.attr = "mul"  # `tile.div`: the function changes, the module's name does not
        call.args[1] = ast.copy_location(ast.Constant(factor), call.args[1])
    return tree


def has_reciprocals(tree: ast.Module, c: Context) -> bool:
    for call, _, _ in divisions(tree, c):
        c.report(call, "my-plugin.division", "a division that could be a multiplication", hint="multiply by the reciprocal")
        return False
    return True


def divisions(tree: ast.Module, c: Context) -> Iterator[tuple[ast.Call, ast.Attribute, float]]:
    """The calls in the entry that can be replaced: each with its function, and the factor to multiply by."""
    tile = {name.asname or name.name for node in tree.body if isinstance(node, ast.Import) for name in node.names if name.name == "htp_tile"}
    for entry in tree.body:
        if not isinstance(entry, ast.FunctionDef) or entry.name != c.entry:
            continue
        typed = [node for node in ast.walk(entry) if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)]
        floats = {ast.unparse(node.target) for node in typed if holds_floats(node.annotation)}
        for node in ast.walk(entry):
            match node:
                case ast.Call(func=ast.Attribute(value=ast.Name(id=module), attr="div") as function, args=[ast.Name(id=name), divisor]):
                    factor = exact_reciprocal(divisor)
                    if module in tile and name in floats and factor is not None:
                        yield node, function, factor


def holds_floats(annotation: ast.expr) -> bool:
    """Whether it is the type of floats: `f32`, `Tile[f32, 8]`."""
    match annotation:
        case ast.Subscript(slice=ast.Tuple(elts=[dtype, *_])):
            return holds_floats(dtype)
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name in FLOATS
    return False


def exact_reciprocal(divisor: ast.expr) -> float | None:
    """What the literal is the exact reciprocal of, in every float type."""
    match divisor:
        case ast.Constant(value=int(number) | float(number)) if number > 0:
            fraction, exponent = math.frexp(number)
            return 1 / number if fraction == 0.5 and abs(exponent - 1) <= 14 else None  # f16 has normal numbers from 2**-14
    return None
