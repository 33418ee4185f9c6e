"""simt.insert_barriers: between a lane's write and another lane's access to the same memory stands a barrier.

A loop over lanes runs side by side with what stands next to it, unless something waits. What a group does is followed in order, with the
accesses since the last barrier: one that meets a write of these, or writes what these access, waits. Behind a loop its beginning
follows again, behind a branch what either way did. Memory of a lane alone needs none, and neither does what all groups only read.
"""

from __future__ import annotations

import ast
import copy
from typing import TYPE_CHECKING

from .forms import Module, level_of, statements

if TYPE_CHECKING:
    from htp.extend import Context

Accesses = dict[str, bool]
"""By memory: whether it was written, or only read."""


def run(tree: ast.Module, c: Context) -> ast.Module:
    m = Module(tree, c.entry)
    Barriers(m).host(m.entry.body)
    return tree


class Barriers:
    def __init__(self, m: Module) -> None:
        self.m = m
        self.private = {
            s.target.id
            for s in ast.walk(m.entry)
            if isinstance(s, ast.AnnAssign) and isinstance(s.target, ast.Name) and "'private'" in ast.unparse(s.annotation)
        }

    def host(self, body: list[ast.stmt]) -> None:
        for s in body:
            if isinstance(s, ast.For) and level_of(s) == "group":
                self.block(s.body, {})
            else:
                for inside in ("body", "orelse"):
                    self.host(getattr(s, inside, []))

    def way(self, body: list[ast.stmt], before: Accesses) -> Accesses:
        """One way of a branch. Where lanes wait within it, they do at its end too: pocl up to 3.1 runs what follows a wait in a branch for lanes
        that have nothing to do there."""
        end = self.block(body, before)
        if any(self.m.called(getattr(s, "value", None)) == "simt.barrier" for s in statements(body)):
            body.append(ast.copy_location(ast.Expr(value=self.m.collective("barrier")), body[-1]))
            return {}
        return end

    def accesses(self, node: ast.AST) -> Accesses:
        found: Accesses = {}
        for n in ast.walk(node):
            match n:
                case ast.Call(args=[ast.Name(memory), *_]) if memory not in self.private and (called := self.m.called(n)) in ("get", "put"):
                    found[memory] = found.get(memory, False) or called == "put"
        return found

    def block(self, body: list[ast.stmt], before: Accesses) -> Accesses:
        """Puts barriers among statements behind which `before` happened; gives what has happened since the last one."""
        pending = dict(before)
        at = 0
        while at < len(body):
            s = body[at]
            if level_of(s) == "lane" or not hasattr(s, "body"):
                own = self.accesses(s)
                if _meets(pending, own):
                    body.insert(at, ast.copy_location(ast.Expr(value=self.m.collective("barrier")), s))
                    pending = {}
                    at += 1
                pending = _joined(pending, own)
            elif level_of(s) == "group":
                pending = self.block(s.body, pending)
            elif isinstance(s, ast.If):
                pending = _joined(self.way(s.body, pending), self.way(s.orelse, pending))
            else:
                # Its beginning follows its end: what that leaves is found first.
                end = self.block(copy.deepcopy(s.body), pending)
                again = self.block(copy.deepcopy(s.body), _joined(pending, end))
                pending = _joined(pending, self.block(s.body, _joined(pending, _joined(end, again))))
            at += 1
        return pending


def _meets(before: Accesses, now: Accesses) -> bool:
    return any(memory in before and (writes or before[memory]) for memory, writes in now.items())


def _joined(a: Accesses, b: Accesses) -> Accesses:
    return {memory: a.get(memory, False) or b.get(memory, False) for memory in {**a, **b}}
