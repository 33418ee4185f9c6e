"""What `htp-host policy-check` does: finds what was changed between two programs, stages, packages' stages or plugins, and which rule of a policy allows each.

A change is judged by what it is in the tree: the function that it is in, the form of its statement, which parts of it are others. Files and lines decide nothing.
"""

from __future__ import annotations

import ast
import io
import json
import tokenize
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any, Final

from htp.differing import Statement, functions_of, program_rows
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
    decorators: list[list[str]]
    """Of the function in the first and in the second, where it is there."""
    statement: str
    """What it is now; of what was removed what it was."""
    statements: list[str]
    """What it was and what it is."""
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
        changes = [change for pair in request["pairs"] for change in _changes(pair)]
    except Refused as error:
        return json.dumps({"text": "", "result": {}, "diagnostics": [error.diagnostic()]})
    rows: list[dict[str, Any]] = []
    diagnostics: list[dict[str, Any]] = []
    text = ""
    for change in changes:
        rule, why = judged(change, request["policy"])
        rows.append({"file": change.file, "line": change.line, "function": change.function, "statement": change.statement, "change": change.change, "parts": change.parts, "key": change.key, "was": change.was, "is": change.is_, "allowed": not why, "rule": rule})
        file = _printable(change.file)
        where = f"{file}:{change.line}" if change.line else file
        text += f"  {'denied ' if why else 'allowed'} {where}: {_said(change)}" + (f", by `{rule}`" if rule else "") + "\n"
        if why:
            diagnostics.append({"code": "policy.not-allowed", "message": f"the policy does not allow this: {_said(change)}: {why}", "severity": "error", "place": {"file": change.file, "line": change.line, "column": 1, "end_line": change.line, "end_column": 1} if change.line and change.change != "removed" else None, "hints": [], "notes": []})
    allowed = not diagnostics
    head = f"{_printable(request['a'])} → {_printable(request['b'])}: " + ("nothing was changed" if not rows else f"{len(rows)} change{'s' * (len(rows) != 1)}, " + ("all allowed" if allowed else f"{len(diagnostics)} not allowed"))
    return json.dumps({"text": f"{head}\n{text}", "result": {"a": request["a"], "b": request["b"], "allowed": allowed, "changes": rows}, "diagnostics": diagnostics})


def _said(change: Change) -> str:
    what = f"key `{_printable(change.key)}`" if change.key else f"{_article(change.statement)} in " + (f"`{change.function}`" if change.function else "the module")
    return f"{what} was {change.change}" + (f" ({', '.join(change.parts)})" if change.change == "changed" else "")


def _printable(text: str) -> str:
    """A name as a terminal shows it safely: pictures of control characters, U+FFFD for what is none."""
    return "".join(chr(0x2400 + ord(c)) if c < " " else "\u2421" if c == "\x7f" else c if c.isprintable() else "\ufffd" for c in text)


def _article(word: str) -> str:
    return f"{'an' if word[0] in 'aeio' else 'a'} `{word}`"


# ── what was changed ──


def _changes(pair: Mapping[str, Any]) -> list[Change]:
    try:
        return list(changes_of(pair))
    except (RecursionError, MemoryError):
        raise Refused("policy.no-python", pair["file_b"] or pair["file_a"], "it is nested too deep") from None


def changes_of(pair: Mapping[str, Any]) -> Iterator[Change]:
    """Of two files: {"kind": "python" | "manifest" | "bytes", "file_a", "file_b", "a", "b"}, their paths and what they are: bytes in hex, keys, a digest; null where there is no such file. `headed`: which of the two are stages, whose first statement says what wrote it."""
    if pair["kind"] == "python":
        yield from _python(pair)
    elif pair["kind"] == "manifest":
        yield from _keys(pair, pair["a"] or {}, pair["b"] or {}, "")
    elif pair["a"] != pair["b"]:
        word = "added" if pair["a"] is None else "removed" if pair["b"] is None else "changed"
        yield Change(pair["file_b"] or pair["file_a"], 0, "", [], "library", ["library"], word, ["form"], [], "", pair["a"] or "", pair["b"] or "")


def _python(pair: Mapping[str, Any]) -> Iterator[Change]:
    headed = pair.get("headed", [False, False])
    trees = [_tree(pair[f"file_{side}"], bytes.fromhex(pair[side] or ""), headed[k]) for k, side in enumerate("ab")]
    # What Python's tree says, written by Python: the text is such that nothing of it is unseen by a tree.
    texts = [ast.unparse(tree) for tree in trees]
    whole = [_placed(text, tree) for text, tree in zip(texts, trees)]
    nodes = [{number: node for number, node in numbered(tree)} for tree, _ in whole]
    rows = program_rows(texts[0], texts[1], whole=True)
    sides = [functions_of(text, whole=True) for text in texts]
    for row in rows:
        old, new = (_named(nodes[k], row[key]) for k, key in enumerate(("was_node", "is_node")))
        at = new or old
        if at is None:
            continue  # the net below has it
        lines = whole[1 if new else 0][1]
        words = [_decorators(nodes[k], side, row["function"]) for k, side in enumerate(sides)]
        forms = [_form(one, row["function"]) for one in (old, new) if one is not None]
        yield Change(
            pair["file_b"] if new is not None else pair["file_a"], lines.get(id(at), 0), row["function"], [one for one, side in zip(words, sides) if row["function"] in side], forms[-1], forms, row["change"],
            _parts(old, new) if old is not None and new is not None and row["change"] == "changed" else ["form"], sorted(_calls(old) | _calls(new)), "", row["was"], row["is"],
        )  # fmt: skip
    if not _told(rows, nodes, whole) or not rows and ast.dump(trees[0]) != ast.dump(trees[1]):  # nothing may pass unseen
        yield Change(pair["file_b"] or pair["file_a"], 0, "", [], "other", ["other"], "changed", ["form"], [], "", "", "")
    elif not rows and (pair["a"] is None) != (pair["b"] is None):
        yield Change(pair["file_b"] or pair["file_a"], 0, "", [], "other", ["other"], "added" if pair["a"] is None else "removed", ["form"], [], "", "", "")


def _decorators(nodes: Mapping[int, ast.AST], side: Mapping[str, tuple[str, list[Statement]]], function: str) -> list[str]:
    defined = nodes.get(side[function][1][0].node) if function in side and side[function][1] else None
    return [f"@{ast.unparse(one)}" for one in defined.decorator_list] if function and isinstance(defined, ast.FunctionDef) else []


def _tree(file: str, code: bytes, headed: bool) -> ast.Module:
    """A program's tree as Python reads its bytes, without its docstrings and, of a stage, the header."""
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(code).readline)
        if encoding not in ("utf-8", "utf-8-sig"):
            raise Refused("policy.no-python", file, f"it is written in {encoding}, not in UTF-8")
        tree = ast.parse(code)
        for node in ast.walk(tree):
            if isinstance(node, (ast.Module, ast.FunctionDef)) and ast.get_docstring(node) is not None:
                del node.body[0]
                if not isinstance(node, ast.Module) and not node.body:
                    node.body = [ast.copy_location(ast.Pass(), node)]
        for k, statement in enumerate(tree.body if headed else []):
            if not isinstance(statement, (ast.Import, ast.ImportFrom)):
                if is_header(statement) and _is_literal(statement):
                    del tree.body[k]
                break
        ast.unparse(tree)
        return tree
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise Refused("policy.no-python", file, getattr(error, "msg", "") or str(error) or "it is nested too deep") from None


def _is_literal(header: ast.stmt) -> bool:
    """Whether all that a header says is written out, so that it does nothing."""
    call = header.value if isinstance(header, ast.Expr) else None
    if not isinstance(call, ast.Call) or any(one.arg is None for one in call.keywords):
        return False
    try:
        for one in [*call.args, *(of.value for of in call.keywords)]:
            ast.literal_eval(one)
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        return False
    return True


def _placed(text: str, tree: ast.Module) -> tuple[ast.Module, dict[int, int]]:
    """The tree of the text that was written of a tree, and by each statement the line that it has in the file."""
    written = ast.parse(text)
    lines = {id(mine): its.lineno for mine, its in zip(ast.walk(written), ast.walk(tree)) if isinstance(mine, ast.stmt) and isinstance(its, ast.stmt)}
    return written, lines


def _named(nodes: Mapping[int, ast.AST], name: str) -> ast.stmt | None:
    found = nodes.get(int(name.partition(":")[2])) if name else None
    return found if isinstance(found, ast.stmt) else None


def _told(rows: Sequence[Mapping[str, Any]], nodes: Sequence[Mapping[int, ast.AST]], whole: Sequence[tuple[ast.Module, Any]]) -> bool:
    """Whether the rows are all that is another: what is left of both programs without them is the same, in the same order."""
    left = []
    for k, key in enumerate(("was_node", "is_node")):
        told = {id(_named(nodes[k], row[key])) for row in rows if row[key]}

        def rest(body: Sequence[ast.stmt], told: set[int] = told) -> list[Any]:
            found: list[Any] = []
            for one in body:
                inner = [rest(getattr(one, name)) for name in ("body", "orelse") if hasattr(one, name)] if isinstance(one, BODIES) else []
                if id(one) in told:
                    found += [line for part in inner for line in part]
                else:
                    found.append([type(one).__name__, [ast.dump(value) if isinstance(value, ast.AST) else [ast.dump(x) if isinstance(x, ast.AST) else x for x in value] if isinstance(value, list) else value for name, value in _own(one)], inner])
            return found

        left.append(rest(whole[k][0].body))
    return bool(left[0] == left[1])


BODIES: Final = (ast.FunctionDef, ast.For, ast.While, ast.If, ast.With)
"""Statements whose own statements are told by themselves; of any other the whole is told."""


def _form(statement: ast.stmt, function: str) -> str:
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        return "call"
    if not function and isinstance(statement, ast.Assign) and [type(one) for one in statement.targets] == [ast.Name]:
        value = statement.value.operand if isinstance(statement.value, ast.UnaryOp) and isinstance(statement.value.op, ast.USub) else statement.value
        if isinstance(value, ast.Constant) and isinstance(value.value, (int, float)) and not isinstance(value.value, bool):
            return "constant"
    return FORMS.get(type(statement), "other")


def _own(node: ast.AST) -> Iterator[tuple[str, Any]]:
    """The fields of a statement without the statements in it."""
    for name, value in ast.iter_fields(node):
        if not (isinstance(node, BODIES) and name in ("body", "orelse", "finalbody", "handlers")):
            yield name, value


def _calls(node: ast.AST | None) -> set[str]:
    """The last names of what a statement calls."""
    if node is None:
        return set()
    found = set()
    if isinstance(node, ast.stmt) and not isinstance(node, BODIES):  # with all that is in it
        node = ast.Module([node], [])
        todo: list[ast.AST] = list(ast.walk(node))
    else:
        todo = [node]
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
    if any(hasattr(one, "body") and not isinstance(one, BODIES) or hasattr(one, "cases") for one in (a, b)):
        return ["form"]

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
        names = [[str(one.get("name", one.get("code", number))) for number, one in enumerate(of)] for of in (a, b)]
        if any(len(set(of)) != len(of) for of in names):  # a name that stands twice says nothing
            names = [[str(number) for number, _ in enumerate(of)] for of in (a, b)]
        sides = [dict(zip(words, of)) for words, of in zip(names, (a, b))]
        for key in dict.fromkeys([*sides[0], *sides[1]]):
            yield from _keys(pair, sides[0].get(key), sides[1].get(key), f"{path}.{key}")
    elif a != b:
        word = "added" if a is None else "removed" if b is None else "changed"
        yield Change(pair["file_b"] or pair["file_a"], 0, "", [], "key", ["key"], word, ["form"], [], path, *("" if one is None else one if isinstance(one, str) else json.dumps(one) for one in (a, b)))


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
    some = any if any_part else all
    if rule["decorators"] and not (change.decorators and some(any(_like(one, rule["decorators"]) for one in side) for side in change.decorators)):
        return False
    if rule["calls"]:
        named = [_like(one, rule["calls"]) for one in change.calls]
        if not named or not (any(named) if any_part else all(named)):
            return False
    if rule["statements"] and not some(one in rule["statements"] for one in change.statements):
        return False
    if rule["changes"] and change.change not in rule["changes"]:
        return False
    if rule["parts"]:
        parts = [one in rule["parts"] for one in change.parts]
        return any(parts) if any_part else all(parts)
    return True


def _like(text: str, patterns: Sequence[str]) -> bool:
    return any(fnmatchcase(text, pattern) for pattern in patterns)

