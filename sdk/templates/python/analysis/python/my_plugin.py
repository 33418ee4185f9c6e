"""my-plugin.work: how much work each loop over blocks does; my-plugin.notes: the numbers as comments, for people."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from htp.extend import Context


def work(tree: ast.Module, c: Context) -> dict[ast.AST, int]:
    tile = {name.asname or name.name for node in tree.body if isinstance(node, ast.Import) for name in node.names if name.name == "htp_tile"}

    def calls(node: ast.AST) -> list[str]:
        """The tile language's intrinsics that are called within the node."""
        return [
            inner.func.attr
            for inner in ast.walk(node)
            if isinstance(inner, ast.Call) and isinstance(inner.func, ast.Attribute) and isinstance(inner.func.value, ast.Name) and inner.func.value.id in tile
        ]

    loops = [node for node in ast.walk(tree) if isinstance(node, ast.For) and "tiles" in calls(node.iter)]
    return {loop: sum(name != "tiles" for statement in loop.body for name in calls(statement)) for loop in loops}


def write_notes(tree: ast.Module, c: Context) -> ast.Module:
    for loop, calls in c.analysis("my-plugin.work").items():
        assert isinstance(loop, ast.For)  # the keys of any analysis are nodes
        c.comment(loop, f"{calls} call" + ("" if calls == 1 else "s"))
    return tree
