"""Stages that go element by element, run faster: the same operations of the table of meanings on the same NumPy scalars, without a value object
around each.

`quick(text, name)` is the program of such a stage with its body rewritten. A name that is annotated with a dtype holds NumPy's scalar there; words
that the rewriting does not know are called with values as before, so that it is never wrong about them. What only values check (operands of one
dtype, index and rank of what is loaded) is asked where the stage runs as it is: law 2 does so at its small sizes, and holds both against each
other there, to the bit. Roundings are not counted.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from types import ModuleType
from typing import Any

import htp
from htp.testing import entry_of, import_program
from htp.values import DTYPES

BY_NAME: Mapping[str, Any] = {dtype.name: dtype for dtype in DTYPES}
OPERATORS: Mapping[str, ast.operator] = {"add": ast.Add(), "sub": ast.Sub(), "mul": ast.Mult()}
DIVISION = {"div": ast.Div()}
COMPARISONS: Mapping[str, ast.cmpop] = {"lt": ast.Lt(), "le": ast.LtE(), "gt": ast.Gt(), "ge": ast.GtE(), "eq": ast.Eq(), "ne": ast.NotEq()}
TARGET = "htp_cpu"


def quick(text: str, name: str) -> htp.Entry | None:
    """The entry of such a stage, to be run and nothing else; nothing for what is no loop over elements or has functions inside."""
    tree = ast.parse(text)
    alias = next((item.asname or item.name for node in tree.body if isinstance(node, ast.Import) for item in node.names if item.name == TARGET), None)
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    if alias is None or len(functions) != 1 or any(isinstance(node, (ast.FunctionDef, ast.Lambda)) for node in ast.walk(functions[0]) if node is not functions[0]):
        return None
    rewriting = _Rewriting(alias, functions[0])
    if not rewriting.scalars:
        return None
    rewriting.visit(functions[0])
    ast.fix_missing_locations(tree)
    return entry_of(_run(tree, rewriting.globals), name)


def _run(tree: ast.Module, given: dict[str, Any]) -> ModuleType:
    """The module, with what the rewriting refers to."""
    first = next(k for k, node in enumerate(tree.body) if isinstance(node, ast.FunctionDef))
    tree.body[first:first] = ast.parse(f"from {__name__} import BY_NAME as _dtypes, at as _at").body
    tree.body[first + 1 : first + 1] = [statement for name, source in given.items() for statement in ast.parse(f"{name} = {source}").body]
    ast.fix_missing_locations(tree)
    return import_program(compile(tree, "<quick>", "exec"), "<quick>")


def at(*index: int) -> tuple[int, ...]:
    """An index that may be below 0, which NumPy would count from the end."""
    if min(index) < 0:
        raise htp.HtpError(f"index {index} is outside")
    return index


class _Rewriting(ast.NodeTransformer):
    """Of one function."""

    def __init__(self, alias: str, function: ast.FunctionDef) -> None:
        self.alias = alias
        self.globals: dict[str, str] = {}
        """What the function is given: its name, and the expression that makes it."""
        self.counts = {
            loop.target.id for loop in ast.walk(function) if isinstance(loop, ast.For) and isinstance(loop.target, ast.Name) and _counts_from_0(loop.iter)
        }
        """Names of ints that are never below 0."""
        self.scalars: dict[str, Any] = {
            node.target.id: BY_NAME[node.annotation.id]
            for node in ast.walk(function)
            if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and isinstance(node.annotation, ast.Name) and node.annotation.id in BY_NAME
        }
        for node in ast.walk(function):  # a name that holds an int somewhere, whatever it is annotated with, is left as it is
            if isinstance(node, (ast.AnnAssign, ast.Assign)) and not (isinstance(node.value, ast.Call) and self._word(node.value)):
                for target in ast.walk(node.target if isinstance(node, ast.AnnAssign) else ast.Tuple(list(node.targets), ast.Store())):
                    self.scalars.pop(target.id if isinstance(target, ast.Name) else "", None)

    # Statements.

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        if not isinstance(node.target, ast.Name) or node.target.id not in self.scalars or node.value is None:
            self.generic_visit(node)
            return node
        return ast.Assign([node.target], self._scalar(node.value, self.scalars[node.target.id]))

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        (target,) = node.targets if len(node.targets) == 1 else (None,)
        if isinstance(target, ast.Name) and target.id in self.scalars:
            node.value = self._scalar(node.value, self.scalars[target.id])
            return node
        self.generic_visit(node)
        return node

    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        call = node.value
        if isinstance(call, ast.Call) and self._word(call) == "put" and not call.keywords and isinstance(call.args[1], ast.Name):
            target, value, *index = call.args
            dtype = self.scalars.get(call.args[1].id)
            if isinstance(target, ast.Name) and dtype is not None and dtype.storage is dtype.element and self._plain(index):
                place = ast.Subscript(ast.Attribute(target, "data", ast.Load()), self._index(index), ast.Store())
                return ast.Assign([place], value)
        self.generic_visit(node)
        return node

    # Expressions.

    def visit_Name(self, node: ast.Name) -> ast.AST:
        """A scalar where a value is expected."""
        if isinstance(node.ctx, ast.Load) and node.id in self.scalars:
            return ast.Call(self._of(f"{self.scalars[node.id].name}.of"), [ast.Name(node.id, ast.Load()), ast.Constant(0)], [])
        return node

    def _scalar(self, value: ast.expr, dtype: Any) -> ast.expr:
        """An expression whose value is NumPy's scalar of a dtype."""
        made = self._known(value, dtype) if isinstance(value, ast.Call) else None
        if made is not None:
            return made
        self_made: Any = self.visit(value)
        return ast.Attribute(self_made, "data", ast.Load())

    def _known(self, call: ast.Call, dtype: Any) -> ast.expr | None:
        word = self._word(call)
        if word is None or call.keywords:
            return None
        if word == "get":
            source, *index = call.args
            if isinstance(source, ast.Name) and source.id not in self.scalars and dtype.storage is dtype.element and self._plain(index):
                return ast.Subscript(ast.Attribute(source, "data", ast.Load()), self._index(index), ast.Load())
            return None
        if word == "splat":
            literal = _literal(call.args[1])
            return self._constant(dtype, literal) if literal is not None and dtype.element.kind == "f" else None
        if word == "cast":
            (operand, _) = call.args
            return ast.Call(self._of(f"{dtype.name}.convert"), [operand], []) if self._dtype(operand) is not None else None
        if word == "where":
            condition, *sides = call.args
            made = self._operands(sides, dtype)
            return ast.IfExp(condition, *made) if made is not None and self._dtype(condition) is BY_NAME["bool_"] else None
        dtypes = {found.name: found for found in map(self._dtype, call.args) if found is not None}
        if len(dtypes) != 1:
            return None
        ((_, operand_dtype),) = dtypes.items()
        operands = self._operands(call.args, operand_dtype)
        if operands is None or word not in operand_dtype.meanings:
            return None
        return self._operation(word, operand_dtype, operands)

    def _operation(self, word: str, dtype: Any, operands: list[ast.expr]) -> ast.expr:
        """An operator where the table's meaning is one, else the meaning itself."""
        if word in COMPARISONS:
            return ast.Compare(operands[0], [COMPARISONS[word]], [operands[1]])
        if dtype.storage is dtype.element and dtype.element.kind in "fiu" and word in OPERATORS:
            return ast.BinOp(operands[0], OPERATORS[word], operands[1])
        if dtype.storage is dtype.element and dtype.element.kind == "f" and word in DIVISION:
            return ast.BinOp(operands[0], DIVISION[word], operands[1])
        return ast.Call(self._of(f"{dtype.name}.meanings['{word}']"), operands, [])

    def _operands(self, given: list[ast.expr], dtype: Any) -> list[ast.expr] | None:
        """Scalars and literals of a dtype; nothing if one is neither."""
        made: list[ast.expr] = []
        for operand in given:
            literal = _literal(operand)
            if self._dtype(operand) is dtype:
                made.append(operand)
            elif literal is not None:
                made.append(self._constant(dtype, literal))
            else:
                return None
        return made

    def _dtype(self, node: ast.expr) -> Any:
        return self.scalars.get(node.id) if isinstance(node, ast.Name) else None

    def _word(self, call: ast.Call) -> str | None:
        function = call.func
        return function.attr if isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name) and function.value.id == self.alias else None

    def _plain(self, index: list[ast.expr]) -> bool:
        """Whether an index is made of ints alone."""
        return bool(index) and not any(isinstance(node, (ast.Call, ast.Starred)) or self._dtype(node) is not None for part in index for node in ast.walk(part) if isinstance(node, ast.expr))

    def _index(self, index: list[ast.expr]) -> ast.expr:
        if all(self._is_count(node) for part in index for node in ast.walk(part)):
            return ast.Tuple(index, ast.Load())
        return ast.Call(ast.Name("_at", ast.Load()), index, [])

    def _is_count(self, node: ast.AST) -> bool:
        """Whether a part of an expression leaves it an int that is not below 0: sums and products of such."""
        if isinstance(node, ast.Name):
            return node.id in self.counts
        return isinstance(node, (ast.BinOp, ast.Add, ast.Mult, ast.Load)) or (isinstance(node, ast.Constant) and isinstance(node.value, int))

    def _constant(self, dtype: Any, literal: str) -> ast.expr:
        return self._of(f"{dtype.name}.literal({literal})")

    def _of(self, what: str) -> ast.expr:
        """A name for something of a dtype."""
        name, rest = what.split(".", 1)
        source = f"_dtypes['{name}'].{rest}"
        for known, text in self.globals.items():
            if text == source:
                return ast.Name(known, ast.Load())
        known = f"_known_{len(self.globals)}"
        self.globals[known] = source
        return ast.Name(known, ast.Load())


def _counts_from_0(iterable: ast.expr) -> bool:
    """Whether it is `range` from 0 or a positive number on, in a loop form or not."""
    while isinstance(iterable, ast.Call) and isinstance(iterable.func, ast.Attribute) and iterable.args:
        iterable = iterable.args[0]
    if not (isinstance(iterable, ast.Call) and isinstance(iterable.func, ast.Name) and iterable.func.id == "range"):
        return False
    first = iterable.args[0] if len(iterable.args) > 1 else ast.Constant(0)
    step = iterable.args[2] if len(iterable.args) > 2 else ast.Constant(1)
    return all(isinstance(part, ast.Constant) and isinstance(part.value, int) and part.value >= 0 for part in (first, step))


def _literal(node: ast.expr) -> str | None:
    """The text of a number or a truth value."""
    inner = node.operand if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.UAdd)) else node
    return ast.unparse(node) if isinstance(inner, ast.Constant) and isinstance(inner.value, (bool, int, float)) else None
