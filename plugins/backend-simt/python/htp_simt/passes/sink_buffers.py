"""simt.sink_buffers: a buffer that each iteration of a loop fills before it reads it is the iteration's own.

    e = cpu.alloc(f32, N)                 for p in range(i_n):
    for p in range(i_n):             →        e = cpu.alloc(f32, N)
        for q in range(N):                    for q in range(N):
            cpu.put(e, …, q)                      cpu.put(e, …, q)

What iterations share keeps them from running at once. Every element that the loop reads was written in the same iteration: the first
statement that names the buffer writes it, in loops over the very ranges in which it is read.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from .forms import Module, bounds_of, names_in, statements

if TYPE_CHECKING:
    from htp.extend import Context


def run(tree: ast.Module, c: Context) -> ast.Module:
    module = Module(tree, c.entry)
    while _sink(module, module.entry.body):
        pass
    return tree


def is_sunk(tree: ast.Module, c: Context) -> bool:
    """The verifier of what this pass provides."""
    module = Module(tree, c.entry)
    found = _first(module, module.entry.body)
    if found is not None:
        c.report(found[0][found[1]], "simt.not-sunk", "iterations of the loop behind it fill it before they read it", hint="begin from the stage before `simt.sink_buffers`")
    return found is None


def _sink(m: Module, body: list[ast.stmt]) -> bool:
    """One buffer one loop further in."""
    found = _first(m, body)
    if found is not None:
        around, at, loop = found
        loop.body.insert(0, around.pop(at))
    return found is not None


def _first(m: Module, body: list[ast.stmt]) -> tuple[list[ast.stmt], int, ast.For] | None:
    """A buffer's allocation, by the block and where in it, and the loop that it may stand in."""
    for at, s in enumerate(body):
        if isinstance(s, ast.AnnAssign) and isinstance(s.target, ast.Name) and m.called(s.value) == "alloc":
            name = s.target.id
            users = [other for other in body[at + 1 :] if name in names_in(other)]
            if len(users) == 1 and isinstance(users[0], ast.For) and _own(m, users[0], name) and not _depends(s, users[0]):
                return body, at, users[0]
        for inside in ("body", "orelse"):
            if (found := _first(m, getattr(s, inside, []))) is not None:
                return found
    return None


def _depends(alloc: ast.AnnAssign, loop: ast.For) -> bool:
    """Whether the extents are ints that the loop binds itself."""
    bound = {n.id for n in ast.walk(loop) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    return bool(names_in(alloc.value or alloc) & bound)


def _own(m: Module, loop: ast.For, name: str) -> bool:
    first = next((s for s in loop.body if name in names_in(s)), None)
    if first is None or name in names_in(loop.iter):
        return False
    written = _writes(m, first, name, {})
    return written is not None and all(_covered(m, s, name, written, {}) for s in loop.body)


def _writes(m: Module, s: ast.stmt, name: str, ranges: dict[str, str]) -> list[str] | None:
    """Over which ranges a statement writes the whole of what is read later, one for each dimension; it reads nothing of it before."""
    if isinstance(s, ast.For) and isinstance(s.target, ast.Name):
        inner = {**ranges, s.target.id: ast.unparse(m.form(s)[1])}
        first = next((t for t in s.body if name in names_in(t)), None)
        return None if first is None or name in names_in(s.iter) else _writes(m, first, name, inner)
    match s:
        case ast.Expr(value=ast.Call(args=[ast.Name(target), value, *index]) as call) if m.called(call) == "put" and target == name:
            if name in names_in(value):
                return None
            over = [ranges.get(i.id) if isinstance(i, ast.Name) else ast.unparse(i) if isinstance(i, ast.Constant) else None for i in index]
            known = [i.id for i in index if isinstance(i, ast.Name)]
            if len(set(known)) != len(known) or any(n not in ranges for n in known):
                return None
            return [text for text in over if text is not None] if None not in over else None
    return None


def _covered(m: Module, s: ast.stmt, name: str, written: list[str], ranges: dict[str, str]) -> bool:
    """Whether all that a statement reads of the buffer was written."""
    if isinstance(s, ast.For) and isinstance(s.target, ast.Name):
        over = m.form(s)[1]
        inner = {**ranges, s.target.id: ast.unparse(over)}
        return name not in names_in(s.iter) and all(_covered(m, t, name, written, inner) for t in s.body)
    if isinstance(s, (ast.If, ast.While)):
        return name not in names_in(s.test) and all(_covered(m, t, name, written, ranges) for t in statements([*s.body, *s.orelse]) if not hasattr(t, "body"))
    for node in ast.walk(s):
        match node:
            case ast.Call(args=[ast.Name(source), *index]) if source == name:
                if m.called(node) == "put":
                    if name in {n for i in index for n in names_in(i)}:
                        return False
                    continue
                if m.called(node) != "get" or len(index) != len(written):
                    return False
                for i, text in zip(index, written):
                    if not (_same(i, text, ranges) or _within(m, i, text)):
                        return False
    return True


def _same(index: ast.expr, over: str, ranges: dict[str, str]) -> bool:
    return ranges.get(index.id) == over if isinstance(index, ast.Name) else ast.unparse(index) == over


def _within(m: Module, index: ast.expr, over: str) -> bool:
    """A number, of a range of numbers."""
    value = m.number(index)
    call = ast.parse(over, mode="eval").body
    if value is None or not isinstance(call, ast.Call):
        return False
    start, stop, step = (m.number(e) for e in bounds_of(call))
    return start is not None and stop is not None and step == 1 and start <= value < stop
