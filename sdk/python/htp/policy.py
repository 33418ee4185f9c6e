"""What `htp-host policy-check` does: finds what was changed between two programs, stages, packages' stages or plugins, and which rule of a policy allows each.

A change is judged by what it is in the tree: the function that it is in, the form of its statement, which parts of it are others. Files and lines decide nothing.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

from htp.differing import program_rows
from htp.errors import Refused
from htp.nodes import is_header, numbered

FORMS: dict[type[ast.stmt], str] = {
    ast.Assign: "assign",
    ast.AnnAssign: "assign",
    ast.AugAssign: "assign",
    ast.FunctionDef: "def",
    ast.For: "for",
    ast.While: "while",
    ast.If: "if",
    ast.With: "with",
    ast.Return: "return",
    ast.Import: "import",
    ast.ImportFrom: "import",
}


@dataclass
class Change:
    """What a policy is asked of."""

    file: str
    """The file in the second; of what was removed that in the first."""
    line: int
    """There; 0: of the whole file."""
    function: str
    decorators: list[str]
    statement: str
    change: str
    parts: list[str]
    calls: list[str]
    key: str
    was: str
    is_: str


def check(request_text: str) -> str:
    """Request and response as JSON: {"text", "result", "diagnostics"}."""
    request: dict[str, Any] = json.loads(request_text)
    try:
        changes = [change for pair in request["pairs"] for change in changes_of(pair)]
    except Refused as error:
        return json.dumps({"text": "", "result": {}, "diagnostics": [error.diagnostic()]})
    rows: list[dict[str, Any]] = []
    diagnostics: list[dict[str, Any]] = []
    text = ""
    for change in changes:
        rule, why = judged(change, request["policy"])
        rows.append({"file": change.file, "line": change.line, "function": change.function, "statement": change.statement, "change": change.change, "parts": change.parts, "key": change.key, "was": change.was, "is": change.is_, "allowed": not why, "rule": rule})
        where = f"{change.file}:{change.line}" if change.line else change.file
        text += f"  {'denied ' if why else 'allowed'} {where}: {_said(change)}" + (f", by `{rule}`" if rule else "") + "\n"
        if why:
            diagnostics.append({"code": "policy.not-allowed", "message": f"the policy does not allow this: {_said(change)}: {why}", "severity": "error", "place": {"file": change.file, "line": change.line, "column": 1, "end_line": change.line, "end_column": 1} if change.line and change.change != "removed" else None, "hints": [], "notes": []})
    allowed = not diagnostics
    head = f"{request['a']} → {request['b']}: " + ("nothing was changed" if not rows else f"{len(rows)} change{'s' * (len(rows) != 1)}, " + ("all allowed" if allowed else f"{len(diagnostics)} not allowed"))
    return json.dumps({"text": f"{head}\n{text}", "result": {"a": request["a"], "b": request["b"], "allowed": allowed, "changes": rows}, "diagnostics": diagnostics})


def _said(change: Change) -> str:
    what = f"key `{change.key}`" if change.key else f"{_article(change.statement)} in " + (f"`{change.function}`" if change.function else "the module")
    return f"{what} was {change.change}" + (f" ({', '.join(change.parts)})" if change.change == "changed" else "")


def _article(word: str) -> str:
    return f"{'an' if word[0] in 'aeio' else 'a'} `{word}`"


# ── what was changed ──


def changes_of(pair: Mapping[str, Any]) -> Iterator[Change]:
    """Of two files: {"kind": "python" | "manifest" | "bytes", "file_a", "file_b", "a", "b"}, their paths and texts; a text is null where there is no such file."""
    if pair["kind"] == "python":
        yield from _python(pair)
    elif pair["kind"] == "manifest":
        yield from _keys(pair, pair["a"] or {}, pair["b"] or {}, "")
    elif pair["a"] != pair["b"]:
        word = "added" if pair["a"] is None else "removed" if pair["b"] is None else "changed"
        yield Change(pair["file_b"] or pair["file_a"], 0, "", [], "library", word, ["form"], [], "", pair["a"] or "", pair["b"] or "")


def _python(pair: Mapping[str, Any]) -> Iterator[Change]:
    texts = [pair["a"] or "", pair["b"] or ""]
    try:
        trees = [ast.parse(text) for text in texts]
    except SyntaxError as error:
        raise Refused("policy.no-python", pair["file_b"] or pair["file_a"], error.msg) from None
    nodes = [dict(numbered(tree)) for tree in trees]
    rows = program_rows(texts[0], texts[1], imports=True)
    if not rows and _dumped(trees[0]) != _dumped(trees[1]):  # nothing may pass unseen
        yield Change(pair["file_b"] or pair["file_a"], 0, "", [], "other", "changed", ["form"], [], "", "", "")
    for row in rows:
        old, new = (nodes[k].get(int(row[key].partition(":")[2])) if row[key] else None for k, key in enumerate(("was_node", "is_node")))
        at = new or old
        assert isinstance(at, ast.stmt)
        yield Change(
            pair["file_b"] if new is not None else pair["file_a"], at.lineno, row["function"], [one for one in row["kind"].split(", ") if one], _form(at, row["function"]), row["change"],
            _parts(old, new) if old is not None and new is not None and row["change"] == "changed" else ["form"], sorted(_calls(old) | _calls(new)), "", row["was"], row["is"],
        )  # fmt: skip


def _dumped(tree: ast.Module) -> str:
    """What a program says, without its docstrings and its header."""

    class Bare(ast.NodeTransformer):
        def visit_Expr(self, node: ast.Expr) -> ast.stmt | None:
            return None if is_header(node) or (isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)) else node

    return ast.dump(Bare().visit(tree))


def _form(statement: ast.stmt, function: str) -> str:
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        return "call"
    if not function and isinstance(statement, ast.Assign) and isinstance(statement.value, (ast.Constant, ast.UnaryOp)):
        return "constant"
    return FORMS.get(type(statement), "other")


def _own(node: ast.AST) -> Iterator[tuple[str, Any]]:
    """The fields of a statement without the statements in it."""
    for name, value in ast.iter_fields(node):
        if not (isinstance(node, ast.stmt) and name in ("body", "orelse", "finalbody", "handlers")):
            yield name, value


def _calls(node: ast.AST | None) -> set[str]:
    """The last names of what a statement calls."""
    if node is None:
        return set()
    found = set()
    todo: list[ast.AST] = [node]
    while todo:
        one = todo.pop()
        if isinstance(one, ast.Call):
            found.add(one.func.attr if isinstance(one.func, ast.Attribute) else one.func.id if isinstance(one.func, ast.Name) else "")
        for _, value in _own(one):
            todo += [child for child in (value if isinstance(value, list) else [value]) if isinstance(child, ast.AST)]
    return found


def _parts(a: ast.AST, b: ast.AST) -> list[str]:
    """Which parts of two statements are others."""
    found: set[str] = set()

    def differ(x: object, y: object, of: str) -> None:
        """`of`: the part that all in it counts as; empty: what it is by itself."""
        if isinstance(x, list) and isinstance(y, list):
            if len(x) != len(y):
                found.add(of or "form")
            for one, other in zip(x, y):
                differ(one, other, of)
        elif isinstance(x, (ast.operator, ast.unaryop, ast.cmpop, ast.boolop)):
            if type(x) is not type(y):
                found.add(of or "operators")
        elif isinstance(x, ast.AST) and isinstance(y, ast.AST):
            if type(x) is not type(y):
                found.add(of if of == "types" else "form")
            elif isinstance(x, ast.Constant) and isinstance(y, ast.Constant):
                if x.value != y.value or type(x.value) is not type(y.value):
                    number = all(isinstance(one.value, (int, float)) and not isinstance(one.value, bool) for one in (x, y))
                    found.add(of or ("numbers" if number else "form"))
            else:
                for (name, one), (_, other) in zip(_own(x), _own(y)):
                    differ(one, other, of or {"annotation": "types", "returns": "types", "decorator_list": "form"}.get(name, "calls" if isinstance(x, ast.Call) and name == "func" else ""))
        elif x != y:
            found.add(of or ("names" if isinstance(x, str) and isinstance(y, str) else "form"))

    differ(a, b, "")
    return sorted(found) or ["form"]


def _keys(pair: Mapping[str, Any], a: Any, b: Any, path: str) -> Iterator[Change]:
    """Keys of two manifests that are others, by their path."""
    if isinstance(a, dict) and isinstance(b, dict):
        for key in dict.fromkeys([*a, *b]):
            yield from _keys(pair, a.get(key), b.get(key), f"{path}.{key}" if path else str(key))
    elif isinstance(a, list) and isinstance(b, list) and all(isinstance(one, dict) for one in [*a, *b]):
        sides = [{str(one.get("name", one.get("code", number))): one for number, one in enumerate(of)} for of in (a, b)]
        for key in dict.fromkeys([*sides[0], *sides[1]]):
            yield from _keys(pair, sides[0].get(key), sides[1].get(key), f"{path}.{key}")
    elif a != b:
        word = "added" if a is None else "removed" if b is None else "changed"
        yield Change(pair["file_b"] or pair["file_a"], 0, "", [], "key", word, ["form"], [], path, *("" if one is None else one if isinstance(one, str) else json.dumps(one) for one in (a, b)))


# ── what a policy says of it ──


def judged(change: Change, policy: Mapping[str, Any]) -> tuple[str, str]:
    """The rule that decides, and why the change is not allowed; empty: it is."""
    for rule in policy["deny"]:
        if _speaks_of(rule, change, any_part=True):
            return rule["name"], f"`{rule['name']}` denies it"
    for rule in policy["allow"]:
        if _speaks_of(rule, change, any_part=False):
            return rule["name"], ""
    return "", "no rule allows it"


def _speaks_of(rule: Mapping[str, Any], change: Change, any_part: bool) -> bool:
    """Whether the rule is about the change: an allowance about all of its parts, a denial about one of them."""
    if rule["keys"] or rule["functions"] or rule["decorators"] or rule["calls"]:
        if bool(rule["keys"]) != bool(change.key):
            return False
    if rule["keys"] and not _like(change.key, rule["keys"]):
        return False
    if rule["functions"] and not _like(change.function or "<module>", rule["functions"]):
        return False
    if rule["decorators"] and not any(_like(one, rule["decorators"]) for one in change.decorators):
        return False
    if rule["calls"]:
        named = [_like(one, rule["calls"]) for one in change.calls]
        if not named or not (any(named) if any_part else all(named)):
            return False
    if rule["statements"] and change.statement not in rule["statements"]:
        return False
    if rule["changes"] and change.change not in rule["changes"]:
        return False
    if rule["parts"]:
        parts = [one in rule["parts"] for one in change.parts]
        return any(parts) if any_part else all(parts)
    return True


def _like(text: str, patterns: Sequence[str]) -> bool:
    return any(fnmatchcase(text, pattern) for pattern in patterns)

