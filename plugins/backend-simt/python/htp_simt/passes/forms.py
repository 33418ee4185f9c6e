"""What the passes read and write of the tree: the forms of docs/extending/loops.md, and SIMT's own."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence

FORMS = ("parallel", "vectorized", "unrolled", "pipelined")


class Module:
    """The module and its entry, and by which names it knows what is imported."""

    def __init__(self, tree: ast.Module, entry: str) -> None:
        self.tree = tree
        self.entry = next(s for s in reversed(tree.body) if isinstance(s, ast.FunctionDef) and s.name == entry)
        self.htp = self._alias("htp") or self._imported("htp", "htp")
        self.loops = self._alias("htp_cpu") or "htp_cpu"
        self.simt = self._alias("htp_simt") or ""
        self.constants = dict(_constants(tree))
        self.dtypes = {
            s.target.id: s.annotation
            for s in ast.walk(self.entry)
            if isinstance(s, ast.AnnAssign) and isinstance(s.target, ast.Name) and not isinstance(s.annotation, ast.Subscript)
        }
        """What the scalars of the entry are, by name."""
        self.ints = {t: s for s in ast.walk(self.entry) if isinstance(s, ast.stmt) and (t := target_of(s)) and t not in self.dtypes}
        """Where other names are bound: ints and buffers."""

    def _alias(self, module: str) -> str | None:
        for s in self.tree.body:
            if isinstance(s, ast.Import):
                for alias in s.names:
                    if alias.name == module:
                        return alias.asname or alias.name
        return None

    def _imported(self, module: str, name: str) -> str:
        self.tree.body.insert(self._first(), ast.Import(names=[ast.alias(name=module, asname=None if name == module else name)]))
        return name

    def _first(self) -> int:
        """Where an import may stand: behind the docstring and the stage's header."""
        at = 0
        while at < len(self.tree.body) and not isinstance(self.tree.body[at], (ast.Import, ast.ImportFrom)):
            at += 1
        return min(at + 1, len(self.tree.body))

    def collective(self, name: str, *arguments: ast.expr) -> ast.Call:
        if not self.simt:
            self.simt = self._imported("htp_simt", "simt")
        return ast.Call(func=_attribute(self.simt, name), args=list(arguments), keywords=[])

    # ── reading ───────────────────────────────────────────────────────────────────────────────────────────────────────

    def called(self, node: ast.AST | None) -> str:
        """`get` of `cpu.get(…)`, `simt.barrier` of a call of that; empty of anything else."""
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(owner), attr=name)):
                return name if owner == self.loops else f"simt.{name}" if owner == self.simt and owner else ""
        return ""

    def form(self, loop: ast.For) -> tuple[set[str], ast.Call]:
        """The forms around a loop's range, and the range."""
        forms, inner = set(), loop.iter
        while True:
            match inner:
                case ast.Call(func=ast.Attribute(value=ast.Name(owner), attr=name), args=[within]) if owner == self.htp and name in FORMS:
                    forms.add(name)
                    inner = within
                case ast.Call():
                    return forms, inner
                case _:
                    raise ValueError(ast.unparse(loop.iter))

    def number(self, node: ast.expr) -> int | None:
        match node:
            case ast.Constant(value=int(value)) if not isinstance(value, bool):
                return value
            case ast.Name(name):
                return self.constants.get(name)
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                of = self.number(operand)
                return None if of is None else -of
            case ast.BinOp(left=left, op=op, right=right):
                a, b = self.number(left), self.number(right)
                return None if a is None or b is None else _arithmetic(op, a, b)
        return None

    def most(self, e: ast.expr) -> int | None:
        """A number that an int is not above."""
        known = self.number(e)
        if known is not None:
            return known
        match e:
            case ast.Call(func=ast.Name("min"), args=[a, b]):
                numbers = [n for n in (self.most(a), self.most(b)) if n is not None]
                return min(numbers) if numbers else None
            case ast.Name(name):
                bound = self.ints.get(name)
                return self.most(bound.value) if isinstance(bound, ast.Assign) and name not in names_in(bound.value) else None
            case ast.BinOp(left=left, op=ast.Sub(), right=right):
                if isinstance(left, ast.BinOp) and isinstance(left.op, ast.Add) and ast.unparse(left.left) == ast.unparse(right):
                    return self.most(left.right)
        return None

    def is_scalar(self, name: str) -> bool:
        return name in self.dtypes

    # ── writing ───────────────────────────────────────────────────────────────────────────────────────────────────────

    def call(self, name: str, *arguments: ast.expr) -> ast.Call:
        return ast.Call(func=_attribute(self.loops, name), args=list(arguments), keywords=[])

    def get(self, memory: str, *index: ast.expr) -> ast.Call:
        return self.call("get", load(memory), *index)

    def put(self, memory: str, value: ast.expr, *index: ast.expr) -> ast.Expr:
        return ast.Expr(value=self.call("put", load(memory), value, *index))

    def alloc(self, name: str, dtype: ast.expr, extents: Sequence[ast.expr], space: str) -> ast.AnnAssign:
        """`e: Tensor[f32, 256, htp.space("shared")] = cpu.alloc(f32, 256)`"""
        named = ast.Call(func=_attribute(self.htp, "space"), args=[ast.Constant(space)], keywords=[])
        type_ = ast.Subscript(value=_attribute(self.htp, "Tensor"), slice=ast.Tuple(elts=[dtype, *extents, named], ctx=ast.Load()), ctx=ast.Load())
        return ast.AnnAssign(target=store(name), annotation=type_, value=self.call("alloc", dtype, *extents), simple=1)

    def parallel(self, target: str, over: ast.expr, level: str, body: list[ast.stmt]) -> ast.For:
        form = ast.Call(func=_attribute(self.htp, "parallel"), args=[over], keywords=[ast.keyword(arg="level", value=ast.Constant(level))])
        return ast.For(target=store(target), iter=form, body=body, orelse=[])

    def lanes(self, target: str, count: int, body: list[ast.stmt]) -> ast.For:
        return self.parallel(target, range_of(ast.Constant(count)), "lane", body)


def level_of(loop: ast.AST) -> str:
    """Of `htp.parallel(…, level="lane")` the level."""
    match loop:
        case ast.For(iter=ast.Call(func=ast.Attribute(attr="parallel"), keywords=[ast.keyword(arg="level", value=ast.Constant(value=str(level)))])):
            return level
    return ""


def statements(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """All of them, those within others behind them."""
    for s in body:
        yield s
        for inside in ("body", "orelse"):
            yield from statements(getattr(s, inside, []))


def target_of(s: ast.stmt) -> str:
    match s:
        case ast.Assign(targets=[ast.Name(name)]) | ast.AnnAssign(target=ast.Name(name)):
            return name
    return ""


def names_in(node: ast.AST | Iterable[ast.AST]) -> set[str]:
    nodes = [node] if isinstance(node, ast.AST) else node
    return {n.id for top in nodes for n in ast.walk(top) if isinstance(n, ast.Name)}


def size_of(dtype: str) -> int:
    return 1 if dtype == "bool_" or dtype.startswith("f8") else int(dtype.lstrip("biuf")) // 8


def load(name: str) -> ast.Name:
    return ast.Name(id=name, ctx=ast.Load())


def store(name: str) -> ast.Name:
    return ast.Name(id=name, ctx=ast.Store())


def assign(name: str, value: ast.expr, dtype: ast.expr | None = None) -> ast.stmt:
    """`v = …`, or where it is bound first `v: f32 = …`."""
    if dtype is None:
        return ast.Assign(targets=[store(name)], value=value)
    return ast.AnnAssign(target=store(name), annotation=dtype, value=value, simple=1)


def expression(text: str) -> ast.expr:
    parsed = ast.parse(text, mode="eval")
    assert isinstance(parsed, ast.Expression)
    return parsed.body


def number(value: int) -> ast.expr:
    return ast.Constant(value) if value >= 0 else ast.UnaryOp(op=ast.USub(), operand=ast.Constant(-value))


def binary(left: ast.expr, op: str, right: ast.expr) -> ast.expr:
    """Of ints, without what changes nothing."""
    a, b = (e.value if isinstance(e, ast.Constant) and isinstance(e.value, int) else None for e in (left, right))
    ops: dict[str, ast.operator] = {"+": ast.Add(), "-": ast.Sub(), "*": ast.Mult(), "//": ast.FloorDiv(), "%": ast.Mod()}
    if a is not None and b is not None:
        return number(_arithmetic(ops[op], a, b) or 0)
    if (op == "+" and b == 0) or (op == "-" and b == 0) or (op in "*//" and b == 1):
        return left
    if (op == "+" and a == 0) or (op == "*" and a == 1):
        return right
    if op == "*" and isinstance(left, ast.Constant):
        left, right = right, left
    return ast.BinOp(left=left, op=ops[op], right=right)


def least(a: ast.expr, b: ast.expr) -> ast.expr:
    if isinstance(a, ast.Constant) and isinstance(b, ast.Constant):
        return a if a.value <= b.value else b
    return ast.Call(func=load("min"), args=[a, b], keywords=[])


def range_of(*arguments: ast.expr) -> ast.Call:
    """`range(0, N, 1)` is `range(N)`."""
    def is_int(e: ast.expr, value: int) -> bool:
        return isinstance(e, ast.Constant) and e.value == value
    given = list(arguments)
    if len(given) == 3 and is_int(given[2], 1):
        given.pop()
    if len(given) == 2 and is_int(given[0], 0):
        given.pop(0)
    return ast.Call(func=load("range"), args=given, keywords=[])


def bounds_of(over: ast.Call) -> tuple[ast.expr, ast.expr, ast.expr]:
    """Start, stop and step of a range."""
    a = over.args
    return (a[0] if len(a) > 1 else ast.Constant(0)), (a[1] if len(a) > 1 else a[0]), (a[2] if len(a) > 2 else ast.Constant(1))


def _attribute(owner: str, name: str) -> ast.Attribute:
    return ast.Attribute(value=load(owner), attr=name, ctx=ast.Load())


def _arithmetic(op: ast.operator, a: int, b: int) -> int | None:
    match op:
        case ast.Add():
            return a + b
        case ast.Sub():
            return a - b
        case ast.Mult():
            return a * b
        case ast.FloorDiv():
            return a // b if b else None
        case ast.Mod():
            return a % b if b else None
    return None


def _constants(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """The ints that the module names: what is assigned once, from literals and those above."""
    found: dict[str, int] = {}
    for s in tree.body:
        match s:
            case ast.Assign(targets=[ast.Name(name)], value=value):
                known = _constant(value, found)
                if known is not None:
                    found[name] = known
                    yield name, known


def _constant(node: ast.expr, found: dict[str, int]) -> int | None:
    match node:
        case ast.Constant(value=int(value)) if not isinstance(value, bool):
            return value
        case ast.Name(name):
            return found.get(name)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            of = _constant(operand, found)
            return None if of is None else -of
        case ast.BinOp(left=left, op=op, right=right):
            a, b = _constant(left, found), _constant(right, found)
            return None if a is None or b is None else _arithmetic(op, a, b)
    return None
