"""How a program becomes smaller, as its Python tree: what `htp-host minimize` tries. What goes first is large: definitions, then statements, halves of lists before single ones (delta
debugging), loops around their bodies, then expressions around their operands, names that stand for another, numbers. That a candidate is a program that compiles, nobody says.
"""

from __future__ import annotations

import ast
import builtins
import copy
from collections.abc import Callable, Iterator
from typing import Any, Final

PARTS: Final = 6
"""Of a statement's value that are tried in its place, the smallest ones."""

def size_of(tree: ast.AST) -> tuple[int, int]:
    """How much there is to read: nodes, then the digits of numbers."""
    nodes = list(ast.walk(tree))
    return len(nodes), sum(len(str(node.value)) for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)))


Change = Callable[[ast.Module], bool]
"""Makes a copy of the program a candidate; False: there is no such place."""


def _lists(tree: ast.AST) -> Iterator[tuple[int, str, list[Any]]]:
    """Every list of a tree from which something can go: by its place in `ast.walk`, its field, and the list."""
    for number, node in enumerate(ast.walk(tree)):
        for name in ("body", "orelse", "decorator_list", "keywords", "names", "targets"):
            value = getattr(node, name, None)
            if isinstance(value, list) and value:
                yield number, name, value


def _node(tree: ast.AST, number: int) -> ast.AST:
    for k, node in enumerate(ast.walk(tree)):
        if k == number:
            return node
    raise LookupError(number)


def _removals(tree: ast.Module) -> Iterator[Change]:
    """Parts of lists, halves before quarters."""
    found = [(number, name, len(value)) for number, name, value in _lists(tree)]
    longest = max((length for _, _, length in found), default=0)
    part = max(longest, 1)
    while part >= 1:
        for number, name, length in found:
            if part > length or (part == length and part > 1 and name == "body" and number == 0):
                continue
            for start in range(max(length - part, 0), -1, -part):
                yield _removal(number, name, start, part)
        part //= 2


def _removal(number: int, name: str, start: int, part: int) -> Change:
    def change(tree: ast.Module) -> bool:
        node = _node(tree, number)
        value = getattr(node, name)
        del value[start : start + part]
        if not value and name == "body":
            value.append(ast.Pass())
        return bool(value) or name in ("orelse", "decorator_list", "keywords")

    return change


def _unwrappings(tree: ast.Module) -> Iterator[Change]:
    """Statements that hold others, made these; what a loop counts becomes 0, or all that it goes over."""
    for number, node in enumerate(ast.walk(tree)):
        for name in ("body", "orelse"):
            statements = getattr(node, name, None)
            if isinstance(statements, list):
                for k, statement in enumerate(statements):
                    if isinstance(statement, (ast.For, ast.While, ast.If, ast.With)):
                        yield _unwrapping(number, name, k, None)
                    if isinstance(statement, ast.For) and isinstance(statement.target, ast.Name):
                        whole = statement.iter.args[0] if isinstance(statement.iter, ast.Call) and statement.iter.args else ast.Constant(1)
                        yield _unwrapping(number, name, k, _Put(statement.target.id, ast.Constant(0), ast.Constant(0)))
                        yield _unwrapping(number, name, k, _Put(statement.target.id, whole, ast.Slice()))


def _unwrapping(number: int, name: str, k: int, put: _Put | None) -> Change:
    def change(tree: ast.Module) -> bool:
        statements = getattr(_node(tree, number), name)
        body = statements[k].body
        statements[k : k + 1] = [put.visit(statement) for statement in body] if put else body
        return True

    return change


class _Put(ast.NodeTransformer):
    """Puts something in the place of a name that is read."""

    def __init__(self, name: str, value: ast.expr, as_index: ast.expr) -> None:
        self.name, self.value, self.as_index = name, value, as_index

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return copy.deepcopy(self.value) if node.id == self.name and isinstance(node.ctx, ast.Load) else node

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        indices = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        put = [copy.deepcopy(self.as_index) if isinstance(one, ast.Name) and one.id == self.name else self.visit(one) for one in indices]
        node.value = self.visit(node.value)
        node.slice = ast.Tuple(put, ast.Load()) if isinstance(node.slice, ast.Tuple) else put[0]
        return node


def _expressions(tree: ast.Module) -> Iterator[tuple[int, str, int, ast.expr]]:
    """Every expression: its parent's place, the field, the place in it (-1: no list), and it."""
    for number, node in enumerate(ast.walk(tree)):
        for name, value in ast.iter_fields(node):
            if name in ("decorator_list", "annotation", "returns") or isinstance(node, (ast.Import, ast.ImportFrom)):
                continue
            for k, one in enumerate(value) if isinstance(value, list) else [(-1, value)]:
                if isinstance(one, ast.expr) and not isinstance(one, ast.Slice):
                    yield number, name, k, one


def _simpler(expression: ast.expr) -> list[ast.expr]:
    """What may take its place: each of its operands; of a number a smaller one."""
    found: list[ast.expr] = []
    if isinstance(expression, ast.Call):
        found = [*expression.args, *(keyword.value for keyword in expression.keywords)]
    elif isinstance(expression, (ast.BinOp, ast.Compare, ast.BoolOp, ast.UnaryOp, ast.IfExp)):
        found = [child for child in ast.iter_child_nodes(expression) if isinstance(child, ast.expr)]
    elif isinstance(expression, ast.Tuple) and isinstance(expression.ctx, ast.Load):
        found = list(expression.elts)
    elif isinstance(expression, ast.Constant) and isinstance(expression.value, (int, float)) and not isinstance(expression.value, bool):
        smaller: list[int | float] = [0, 1, 2, 8] if isinstance(expression.value, int) else [1.0, 0.5]
        found = [ast.Constant(value) for value in smaller if value < abs(expression.value) or (isinstance(expression.value, float) and len(str(value)) < len(str(expression.value)))]
    elif isinstance(expression, ast.Name) and isinstance(expression.ctx, ast.Load):
        return []
    if isinstance(expression, (ast.Call, ast.BinOp)):
        found.append(ast.Constant(1.0))
    return [one for one in found if not isinstance(one, ast.Starred)]


def _replacements(tree: ast.Module) -> Iterator[Change]:
    """Statements first: of a whole value each part may be left."""
    found = list(_expressions(tree))
    nodes = list(ast.walk(tree))
    for number, name, k, expression in found:
        if isinstance(nodes[number], ast.stmt) and name == "value":
            parts = [one for one in ast.walk(expression) if isinstance(one, (ast.Name, ast.Subscript, ast.Call)) and isinstance(getattr(one, "ctx", ast.Load()), ast.Load)]
            for part in sorted(parts, key=lambda one: size_of(one)[0])[:PARTS]:
                yield _replacement(number, name, k, part)
    for number, name, k, expression in found:
        for other in _simpler(expression):
            yield _replacement(number, name, k, other)


def _replacement(number: int, name: str, k: int, other: ast.expr) -> Change:
    def change(tree: ast.Module) -> bool:
        node = _node(tree, number)
        if k < 0:
            setattr(node, name, copy.deepcopy(other))
        else:
            getattr(node, name)[k] = copy.deepcopy(other)
        return True

    return change


def _inlinings(tree: ast.Module) -> Iterator[Change]:
    """A name that is given a value once, made that value."""
    for number, node in enumerate(ast.walk(tree)):
        for k, statement in enumerate(body) if isinstance(body := getattr(node, "body", None), list) else ():
            target = statement.targets[0] if isinstance(statement, ast.Assign) and len(statement.targets) == 1 else getattr(statement, "target", None) if isinstance(statement, ast.AnnAssign) else None
            if isinstance(target, ast.Name) and (not isinstance(node, ast.Module) or isinstance(getattr(statement, "value"), ast.Constant)):
                yield _inlining(number, k, target.id)


def _inlining(number: int, k: int, name: str) -> Change:
    def change(tree: ast.Module) -> bool:
        node = _node(tree, number)
        body: list[ast.stmt] = getattr(node, "body")
        value: ast.expr | None = getattr(body.pop(k), "value")
        if value is None or not body:
            return False
        _Put(name, value, value).visit(node)
        return True

    return change


def _merges(tree: ast.Module) -> Iterator[Change]:
    """A dimension made another: of what the module names by calls of one function."""
    calls = [(k, statement.targets[0].id, ast.dump(statement.value.func)) for k, statement in enumerate(tree.body) if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name) and isinstance(statement.value, ast.Call)]
    for k, name, function in calls:
        for _, other, called in calls:
            if other != name and called == function:
                yield _merge(k, name, other)


def _merge(k: int, name: str, other: str) -> Change:
    def change(tree: ast.Module) -> bool:
        del tree.body[k]
        put = ast.Name(other, ast.Load())
        _Put(name, put, put).visit(tree)
        return True

    return change


def _withouts(tree: ast.Module) -> Iterator[Change]:
    """A name with all that speaks of it: statements go, and of expressions that part."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            for name in [parameter.arg for parameter in node.args.args]:
                yield _without(name)
            for statement in node.body:
                if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
                    yield _without(statement.targets[0].id)


def _without(name: str) -> Change:
    def change(tree: ast.Module) -> bool:
        _Without(name).visit(tree)
        return True

    return change


def _speaks_of(node: ast.AST, name: str) -> bool:
    return any(isinstance(one, ast.Name) and one.id == name for one in ast.walk(node))


class _Without(ast.NodeTransformer):
    """Drops a name. What has nothing left goes too."""

    def __init__(self, name: str) -> None:
        self.name = name

    def visit_Expr(self, node: ast.Expr) -> ast.stmt | None:
        return None if _speaks_of(node, self.name) else node

    def visit_Assign(self, node: ast.Assign) -> ast.stmt | None:
        rest = self.rest(node.value)
        if rest is None or any(_speaks_of(target, self.name) for target in node.targets):
            return None
        node.value = rest
        return node

    def visit_For(self, node: ast.For) -> ast.stmt | None:
        self.generic_visit(node)
        return node if node.body else None

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.stmt | None:
        node.args.args = [parameter for parameter in node.args.args if parameter.arg != self.name]
        self.generic_visit(node)
        return node if node.body else None

    def rest(self, expression: ast.expr) -> ast.expr | None:
        """What is left of an expression: it, or the first operand of which something is."""
        if not _speaks_of(expression, self.name):
            return expression
        operands = [one for one in _simpler(expression) if not isinstance(one, ast.Constant)]
        return next((left for one in operands if (left := self.rest(one)) is not None), None)


def _spans(tree: ast.Module) -> Iterator[Change]:
    """All loops over the same, made their bodies, which index all of it."""
    spans = {ast.dump(node.iter): node.iter for node in ast.walk(tree) if isinstance(node, ast.For) and isinstance(node.iter, ast.Call) and node.iter.args}
    for text, call in spans.items():
        if isinstance(call, ast.Call):
            yield _span(text, call.args[0])


def _span(text: str, whole: ast.expr) -> Change:
    class Unwrapped(ast.NodeTransformer):
        def visit_For(self, node: ast.For) -> ast.stmt | list[ast.stmt]:
            if ast.dump(node.iter) != text or not isinstance(node.target, ast.Name):
                self.generic_visit(node)
                return node
            put = _Put(node.target.id, whole, ast.Slice())
            return [self.visit(put.visit(statement)) for statement in node.body]

        def visit_Call(self, node: ast.Call) -> ast.expr:
            self.generic_visit(node)
            return copy.deepcopy(whole) if ast.dump(node) == text else node

    def change(tree: ast.Module) -> bool:
        Unwrapped().visit(tree)
        return True

    return change


def _joins(tree: ast.Module) -> Iterator[Change]:
    """What is handed over, `X.f(value)` here and `X.g()` there, put where it is used: that statement comes here."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and not node.args and isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name):
            yield _join(node.func.value.id, ast.dump(node))


def _join(name: str, taken: str) -> Change:
    def change(tree: ast.Module) -> bool:
        bodies = [body for node in ast.walk(tree) if isinstance(body := getattr(node, "body", None), list)]
        given = [(body, k, statement.value.args[0]) for body in bodies for k, statement in enumerate(body) if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call) and statement.value.args and _speaks_of(statement.value.func, name)]
        uses = [(body, k, statement) for body in bodies for k, statement in enumerate(body) if isinstance(statement, ast.Assign) and any(ast.dump(one) == taken for one in ast.walk(statement))]
        if len(given) != 1 or len(uses) != 1:
            return False
        (here, k, value), (there, j, use) = given[0], uses[0]

        class Given(ast.NodeTransformer):
            def visit_Call(self, node: ast.Call) -> ast.expr:
                self.generic_visit(node)
                return value if ast.dump(node) == taken else node

        here[k] = Given().visit(use)
        del there[j]
        _Without(name).visit(tree)
        return True

    return change


def _parameters(tree: ast.Module) -> Iterator[Change]:
    """Parameters that nothing uses any more, with what calls give for them."""
    for number, node in enumerate(ast.walk(tree)):
        if isinstance(node, ast.FunctionDef):
            for k, parameter in enumerate(node.args.args):
                used = sum(isinstance(one, ast.Name) and one.id == parameter.arg for statement in node.body for one in ast.walk(statement))
                if not used and len(node.args.args) > 1:
                    yield _parameter(number, k, node.name)


def _parameter(number: int, k: int, function: str) -> Change:
    def change(tree: ast.Module) -> bool:
        node = _node(tree, number)
        assert isinstance(node, ast.FunctionDef)
        del node.args.args[k]
        for call in ast.walk(tree):
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == function and k < len(call.args):
                del call.args[k]
        return True

    return change


def tidied(tree: ast.Module) -> ast.Module:
    """Without imports and module constants that nothing names."""
    while True:
        named = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
        body: list[ast.stmt] = []
        for statement in tree.body:
            if isinstance(statement, ast.ImportFrom) and statement.module != "__future__":
                statement.names = [alias for alias in statement.names if (alias.asname or alias.name) in named or alias.name == "*"]
                if not statement.names:
                    continue
            elif isinstance(statement, ast.Import) and not any((alias.asname or alias.name.split(".")[0]) in named for alias in statement.names):
                continue
            elif isinstance(statement, ast.Assign) and all(isinstance(target, ast.Name) and target.id not in named for target in statement.targets):
                continue
            body.append(statement)
        if len(body) == len(tree.body):
            return tree
        tree.body = body


def unbound(tree: ast.Module) -> set[str]:
    """Names that are read and that nothing gives."""
    given = set(dir(builtins))
    for node in ast.walk(tree):
        match node:
            case ast.Name(ctx=ast.Store()):
                given.add(node.id)
            case ast.FunctionDef() | ast.ClassDef():
                given.add(node.name)
            case ast.arg():
                given.add(node.arg)
            case ast.alias():
                given.add((node.asname or node.name).split(".")[0])
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)} - given if "*" not in given else set()


KINDS: Final[tuple[Callable[[ast.Module], Iterator[Change]], ...]] = (_removals, _spans, _joins, _withouts, _unwrappings, _parameters, _replacements, _inlinings, _merges)


def without_texts(tree: ast.Module) -> ast.Module:
    tree = copy.deepcopy(tree)
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list) and body and isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant) and isinstance(body[0].value.value, str):
            body[:1] = [] if body[1:] else [ast.Pass()]
    return tree
