"""A pass that computes once what stands in a program several times."""

import ast
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from htp.extend import Context

PURE = {"add", "sub", "mul", "div", "neg", "exp", "log", "sqrt", "rsqrt", "tanh", "sigmoid", "minimum", "maximum", "where"}


def share(tree: ast.Module, c: "Context") -> ast.Module:
    """Of two values with the same operation and operands, the second is the first."""
    for function in tree.body:
        if isinstance(function, ast.FunctionDef) and function.name == c.entry:
            Sharing(function).block(function.body, {})
    return tree


class Sharing:
    def __init__(self, function: ast.FunctionDef) -> None:
        self.read_only = {a.arg for a in function.args.args if a.annotation and ast.unparse(a.annotation).startswith(("In[", "htp.In["))}
        stored = [node.id for node in ast.walk(function) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)]
        self.changing = {name for name in stored if stored.count(name) > 1}
        self.instead: dict[str, str] = {}

    def block(self, body: list[ast.stmt], known: dict[str, str]) -> None:
        """`known`: what each value is called that is computed by here."""
        known = dict(known)
        for statement in list(body):
            for node in ast.walk(statement):
                if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                    node.id = self.instead.get(node.id, node.id)
            if isinstance(statement, (ast.For, ast.If)):
                self.block(statement.body, known)
                self.block(statement.orelse, known)
            if not (isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name) and isinstance(statement.value, ast.Call)):
                continue
            name, value = statement.target.id, ast.unparse(statement.value)
            if name in self.changing or not self.is_pure(statement.value):
                continue
            if value in known:
                self.instead[name] = known[value]
                body.remove(statement)
            known.setdefault(value, name)

    def is_pure(self, call: ast.Call) -> bool:
        """What depends on its operands alone, which never change; also a load of what nobody writes."""
        word = call.func.attr if isinstance(call.func, ast.Attribute) else ""
        names = {node.id for node in ast.walk(call) if isinstance(node, ast.Name)}
        if names & self.changing:
            return False
        return word in PURE or (word == "load" and isinstance(call.args[0], ast.Name) and call.args[0].id in self.read_only)
