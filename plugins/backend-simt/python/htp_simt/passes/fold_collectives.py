"""simt.fold_collectives: what lanes compute together they compute in memory that they share, in two steps.

    largest: f32 = simt.reduce_max(parts)           for lane in htp.parallel(range(16), level="lane"):
                                                        some = cpu.get(parts, lane)
                                                        for k in range(lane + 16, 256, 16):
                                            →               some = cpu.maximum(some, cpu.get(parts, k))
                                                        cpu.put(parts, some, lane)
                                                    largest = cpu.get(parts, 0)
                                                    for k in range(1, 16):
                                                        largest = cpu.maximum(largest, cpu.get(parts, k))

A square root of the lanes each join as many parts, then every lane joins what these give: two waits, where a tree has one at each level. A
target with shuffles takes a pass of its own in this one's place.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from .forms import Module, assign, load, number, range_of, store

if TYPE_CHECKING:
    from htp.extend import Context

JOINS = {"sum": "add", "prod": "mul", "max": "maximum", "min": "minimum", "any": "bit_or", "all": "bit_and"}


def run(tree: ast.Module, c: Context) -> ast.Module:
    m = Module(tree, c.entry)
    extents = {
        s.target.id: m.number(s.value.args[1])
        for s in ast.walk(m.entry)
        if isinstance(s, ast.AnnAssign) and isinstance(s.target, ast.Name) and isinstance(s.value, ast.Call) and m.called(s.value) == "alloc" and len(s.value.args) > 1
    }
    _block(m, c, m.entry.body, extents)
    return tree


def is_folded(tree: ast.Module, c: Context) -> bool:
    """The verifier of what this pass provides."""
    m = Module(tree, c.entry)
    for node in ast.walk(m.entry):
        if m.called(node).startswith("simt.reduce_"):
            c.report(node, "simt.not-folded", f"`{ast.unparse(node)}` is left", hint="begin from the stage before `simt.fold_collectives`")
            return False
    return True


def _block(m: Module, c: Context, body: list[ast.stmt], extents: dict[str, int | None]) -> None:
    at = 0
    while at < len(body):
        s = body[at]
        for inside in ("body", "orelse"):
            if hasattr(s, inside):
                _block(m, c, getattr(s, inside), extents)
        match s:
            case ast.AnnAssign(target=ast.Name(name), annotation=dtype, value=ast.Call(args=[ast.Name(parts)]) as call) if m.called(call).startswith("simt.reduce_"):
                count = extents.get(parts)
                if count is not None:
                    made = [ast.copy_location(t, s) for t in _fold(m, c, name, dtype, JOINS[m.called(call)[12:]], parts, count)]
                    body[at : at + 1] = made
                    at += len(made) - 1
        at += 1


def _fold(m: Module, c: Context, name: str, dtype: ast.expr, join: str, parts: str, count: int) -> list[ast.stmt]:
    first = 1
    while first * first < count:
        first *= 2

    def joined(into: str, over: ast.Call) -> list[ast.stmt]:
        k, part = c.fresh("k"), c.fresh(into + "_k")
        inner = [assign(part, m.get(parts, load(k)), dtype), assign(into, m.call(join, load(into), load(part)))]
        return [ast.For(target=store(k), iter=over, body=inner, orelse=[])]

    out: list[ast.stmt] = []
    if first < count and count > 16:
        lane, some = c.fresh("lane"), c.fresh(name + "_some")
        over = range_of(ast.BinOp(left=load(lane), op=ast.Add(), right=number(first)), number(count), number(first))
        out.append(m.lanes(lane, first, [assign(some, m.get(parts, load(lane)), dtype), *joined(some, over), m.put(parts, load(some), load(lane))]))
    else:
        first = count
    out.append(assign(name, m.get(parts, number(0)), dtype))
    if first > 1:
        out += joined(name, range_of(number(1), number(first)))
    return out
