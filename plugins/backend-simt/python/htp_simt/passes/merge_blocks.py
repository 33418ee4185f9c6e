"""simt.merge_blocks: a loop over blocks and the loop over a block's elements are one loop, where nothing stands between them.

    for i_at in range(0, M, 8):                     for i in range(M):
        i_n = min(8, M - i_at)            →             for q in htp.vectorized(range(N)):
        for p in range(i_n):                                v = cpu.get(x, i, q)
            for q in htp.vectorized(range(N)):              …
                v = cpu.get(x, i_at + p, q)
                …

How many elements a work-group has the machine decides then. Iterations of both loops, and of those between them, are independent, so that
their order does not matter. Blocks that something else needs, as those of a product, stay.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from .forms import Module, assign, binary, bounds_of, load, names_in, range_of, statements, store

if TYPE_CHECKING:
    from htp.extend import Context


def run(tree: ast.Module, c: Context) -> ast.Module:
    m = Module(tree, c.entry)
    independent = {loop for loop, text in c.analysis("simt.dependences").items() if not text}
    _block(m, c, m.entry.body, independent)
    return tree


def is_merged(tree: ast.Module, c: Context) -> bool:
    """The verifier of what this pass provides: every loop over blocks has more to do than to go through each."""
    m = Module(tree, c.entry)
    independent = {loop for loop, text in c.analysis("simt.dependences").items() if not text}
    for s in statements(m.entry.body):
        if isinstance(s, ast.For) and _pair(m, _nest(m, s, independent)) is not None:
            c.report(s, "simt.not-merged", "nothing stands between a loop over blocks and the loop over a block's elements", hint="begin from the stage before `simt.merge_blocks`")
            return False
    return True


def _block(m: Module, c: Context, body: list[ast.stmt], independent: set[ast.AST]) -> None:
    for at, s in enumerate(body):
        if isinstance(s, ast.For):
            while (nest := _nest(m, s, independent)) and (pair := _pair(m, nest)) is not None:
                s = body[at] = _merged(m, c, nest, *pair, independent)
        for inside in ("body", "orelse"):
            _block(m, c, getattr(s, inside, []), independent)


def _nest(m: Module, loop: ast.For, independent: set[ast.AST]) -> list[ast.For]:
    """Loops around one another, with nothing but ints and scalars of their own between."""
    nest: list[ast.For] = []
    inner: ast.stmt = loop
    while isinstance(inner, ast.For) and inner in independent and isinstance(inner.target, ast.Name):
        nest.append(inner)
        if not inner.body or not all(_computes(m, s) for s in inner.body[:-1]):
            break
        inner = inner.body[-1]
    return nest


def _computes(m: Module, s: ast.stmt) -> bool:
    match s:
        case ast.Assign(value=value) | ast.AnnAssign(value=value):
            return m.called(value) not in ("alloc", "get", "position", "holds")
    return False


def _pair(m: Module, nest: list[ast.For]) -> tuple[ast.For, ast.For, str, int] | None:
    """A loop over blocks, the loop over the elements of one, the int that says how many these are, and at most."""
    for k, outer in enumerate(nest):
        start, stop, step = bounds_of(m.form(outer)[1])
        by = m.number(step)
        if by is None or by < 2 or not isinstance(outer.target, ast.Name):
            continue
        for s in outer.body[:-1]:
            match s:
                case ast.Assign(targets=[ast.Name(length)], value=ast.Call(func=ast.Name("min"), args=[most, rest])) if (
                    m.number(most) == by and ast.unparse(rest) == ast.unparse(ast.BinOp(left=stop, op=ast.Sub(), right=load(outer.target.id)))
                ):
                    for inner in nest[k + 1 :]:
                        over = m.form(inner)[1]
                        if len(over.args) == 1 and isinstance(over.args[0], ast.Name) and over.args[0].id == length:
                            return outer, inner, length, by
    return None


def _merged(m: Module, c: Context, nest: list[ast.For], outer: ast.For, inner: ast.For, length: str, by: int, independent: set[ast.AST]) -> ast.For:
    """The first of the loops of the nest, as they are then."""
    assert isinstance(outer.target, ast.Name) and isinstance(inner.target, ast.Name)
    block, element = outer.target.id, inner.target.id
    start, stop, _ = bounds_of(m.form(outer)[1])
    whole = c.fresh(block.removesuffix("_at"))
    # What stands between them and needs the block moves into the loop.
    moved: list[ast.stmt] = []
    needs = {block}
    for loop in nest[nest.index(outer) : nest.index(inner)]:
        for s in list(loop.body[:-1]):
            if names_in(s) & needs:
                needs |= {n.id for n in ast.walk(s) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
                loop.body.remove(s)
                moved.append(s)
    together = _Together(block, element, whole)
    body = [together.visit(s) for s in [*moved, *inner.body]]
    while True:  # an int that nothing needs any more
        unused = [s for k, s in enumerate(body) if s in moved and not _reads(body[:k] + body[k + 1 :], s)]
        if not unused:
            break
        body = [s for s in body if s not in unused]
    left = names_in(body)
    if {block, element} & left:
        begin: list[ast.stmt] = [assign(element, binary(binary(load(whole), "-", start), "%", ast.Constant(by)))]
        if block in left:
            begin.append(assign(block, binary(load(whole), "-", load(element))))
        body = [*(ast.copy_location(s, inner) for s in begin), *body]
    forms = inner.iter
    made = ast.copy_location(ast.For(target=store(whole), iter=_over(m, forms, range_of(start, stop)), body=body, orelse=[]), inner)
    independent.add(made)
    loops = [made if loop is inner else loop for loop in nest if loop is not outer]
    own = [s for s in outer.body[:-1]]  # what does not need the block stands before
    for around, within in zip(loops, loops[1:]):
        around.body[-1] = within
    loops[0].body[:0] = own
    return loops[0]


def _over(m: Module, forms: ast.expr, over: ast.Call) -> ast.expr:
    """`htp.vectorized(range(n))` over something else."""
    if isinstance(forms, ast.Call) and isinstance(forms.func, ast.Attribute):
        forms.args[0] = _over(m, forms.args[0], over)
        return forms
    return over


def _reads(body: list[ast.stmt], s: ast.stmt) -> bool:
    bound = {n.id for n in ast.walk(s) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    return any(isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load) and n.id in bound for t in body for n in ast.walk(t))


class _Together(ast.NodeTransformer):
    """`i_at + p` is `i`."""

    def __init__(self, block: str, element: str, whole: str) -> None:
        self.names, self.whole = {block, element}, whole

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        match node:
            case ast.BinOp(left=ast.Name(a), op=ast.Add(), right=ast.Name(b)) if {a, b} == self.names:
                return ast.copy_location(load(self.whole), node)
        self.generic_visit(node)
        return node
