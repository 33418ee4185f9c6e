"""What `htp-host diff` does: says what of two packages is another, program first, and, when it is asked, whether they compute the same.

Statements are aligned by what they are, function by function, not by their lines; a statement that stands elsewhere has moved.
"""

from __future__ import annotations

import ast
import difflib
import json
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from htp import runner
from htp.agreement import Calls, called_alike, calls_of, find_modules, held, held_on_target, program_at, source_at
from htp.errors import Refused
from htp.nodes import is_header, numbered
from htp.testing import stages_of

SECONDS: Final = 10.0
"""For which calls are made, unless it is said otherwise."""
ON_TARGETS: Final = 3
"""Calls that each package makes on its target."""
PATIENCE: Final = 10.0
"""Seconds behind the end that a call on a target may take: the first one builds."""
SHOWN: Final = 12
"""Rows of a part that are told; all of them are in the answer."""


def differ(request_text: str) -> str:
    """Request and response as JSON: {"text", "result", "diagnostics"}."""
    request: dict[str, Any] = json.loads(request_text)
    try:
        return _differ(request)
    except Refused as error:
        return json.dumps({"text": "", "result": {}, "diagnostics": [error.diagnostic()]})


@dataclass
class Side:
    """A package with all of its stages."""

    name: str
    folder: Path
    manifest: dict[str, Any]
    stages: dict[str, Path]
    """By the name of their folder."""
    found_by: dict[str, Any] = field(default_factory=dict)
    """The "profile" and the "plugin_path" by which its plugins are found."""


# ── programs, statement by statement ──


@dataclass(frozen=True)
class Statement:
    """A statement of a function, without those in it."""

    node: int
    what: str
    """By which statements are the same: the text, and in how many loops and branches it stands."""
    text: str


DEFINED: Final = "the definition of"
"""Stands for a function among the statements around it; what it says stands by itself."""


def functions_of(text: str, whole: bool = False) -> dict[str, tuple[str, list[Statement]]]:
    """Of a stage each function by name: its decorators and its statements in order. What the module says outside of functions has the name "". Docstrings are left out and, unless the whole is asked for, headers and imports."""
    tree = ast.parse(text)
    numbers = {id(node): number for number, node in numbered(tree)}
    found: dict[str, tuple[str, list[Statement]]] = {"": ("", [])}

    def go(body: Sequence[ast.stmt], into: list[Statement], place: str, within: str) -> None:
        for k, statement in enumerate(body):
            if not whole and (is_header(statement) or isinstance(statement, (ast.Import, ast.ImportFrom))):
                continue
            if k == 0 and isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant) and isinstance(statement.value.value, str):
                continue
            number = numbers.get(id(statement), 0)  # a header has none
            if isinstance(statement, ast.FunctionDef):
                name = f"{within}.{statement.name}" if within else statement.name
                while name in found:  # another of that name
                    name += "'"
                words = ", ".join(f"@{ast.unparse(one)}" for one in statement.decorator_list)
                says = f"def {statement.name}({ast.unparse(statement.args)})" + (f" -> {ast.unparse(statement.returns)}" if statement.returns else "")
                found[name] = (words, [Statement(number, f"{words} {says}", says)])
                into.append(Statement(number, f"{place} {DEFINED} {name}", f"{DEFINED} {name}"))
                go(statement.body, found[name][1], "", name)
                continue
            bodies = [("", statement.body), ("e", getattr(statement, "orelse", []))] if isinstance(statement, (ast.For, ast.While, ast.If, ast.With)) else []
            written = ast.unparse(statement)
            line = written.splitlines()[0] if bodies else written
            into.append(Statement(number, f"{place} {line}", line))
            for branch, one in bodies:
                go(one, into, f"{place}{branch}.", within)

    go(tree.body, found[""][1], "", "")
    return found


def program_rows(was: str, is_: str, stage_a: str = "00", stage_b: str = "00", whole: bool = False) -> list[dict[str, Any]]:
    """What of a program is another: {"function", "change", "was", "is", "was_node", "is_node"}."""
    before, after = functions_of(was, whole), functions_of(is_, whole)
    rows: list[dict[str, Any]] = []
    for name in dict.fromkeys([*before, *after]):
        a, b = (of.get(name, ("", []))[1] for of in (before, after))
        kind = (after if name in after else before)[name][0]
        gone: dict[str, list[dict[str, Any]]] = {}
        for word, i, j, k, m in difflib.SequenceMatcher(None, [one.what for one in a], [one.what for one in b], autojunk=False).get_opcodes():
            if word == "equal":
                continue
            paired = j - i if word == "replace" and j - i == m - k else 0
            for n in range(max(j - i, m - k) if paired else j - i + m - k):
                old = a[i + n] if n < j - i else None
                new = b[k + n] if paired else b[k + n - (j - i)] if n >= j - i else None
                row = {"function": name, "kind": kind, "change": "changed" if old and new else "removed" if old else "added"}
                row |= {"was": old.text if old else "", "is": new.text if new else ""}
                row |= {"was_node": f"{stage_a}:{old.node}" if old else "", "is_node": f"{stage_b}:{new.node}" if new else ""}
                rows.append(row)
                if not (old and new):
                    gone.setdefault((old or new or a[0]).text, []).append(row)
        for same in gone.values():
            _pair(same, rows)
    return [row for row in rows if row["change"] == "moved" or not all(text.startswith(DEFINED) for text in (row["was"], row["is"]) if text)]


def _pair(same: list[dict[str, Any]], rows: list[dict[str, Any]]) -> None:
    """A statement that went here and came there has moved."""
    went, came = ([row for row in same if row["change"] == word] for word in ("removed", "added"))
    for old, new in zip(went, came):
        new |= {"change": "moved", "was": old["was"], "was_node": old["was_node"]}
        rows.remove(old)


# ── types, effects, plan, code ──


def type_rows(was: str, is_: str) -> list[dict[str, str]]:
    """Names whose type is another, of two stages that say types: {"function", "name", "was", "is", "of"}."""
    before, after = _types(was), _types(is_)
    return [{"function": key[0], "name": key[1], "was": before[key], "is": after[key], "of": _of(before[key], after[key])} for key in before if key in after and before[key] != after[key]]


def _types(text: str) -> dict[tuple[str, str], str]:
    found: dict[tuple[str, str], str] = {}

    def go(node: ast.AST, function: str) -> None:
        for child in ast.iter_child_nodes(node):
            inner = function
            if isinstance(child, ast.FunctionDef):
                inner = f"{function}.{child.name}" if function else child.name
                for parameter in child.args.args:
                    if parameter.annotation is not None:
                        found[inner, parameter.arg] = ast.unparse(parameter.annotation)
            elif isinstance(child, ast.AnnAssign) and isinstance(child.target, ast.Name):
                found[function, child.target.id] = ast.unparse(child.annotation)
            go(child, inner)

    go(ast.parse(text), "")
    return found


def _of(was: str, is_: str) -> str:
    """What of a type is another: its dtype, its extents, or where and how it lies, which are calls."""

    def parts(text: str) -> tuple[list[str], list[str], list[str]]:
        node = ast.parse(text, mode="eval").body
        while isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Subscript):  # In[Tensor[…]]
            node = node.slice
        elements = node.slice.elts if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Tuple) else [node]
        placed = [ast.unparse(one) for one in elements if isinstance(one, ast.Call)]
        rest = [ast.unparse(one) for one in elements if not isinstance(one, ast.Call)]
        return rest[:1], rest[1:], placed

    try:
        return ", ".join(word for word, a, b in zip(("dtype", "extents", "layout"), parts(was), parts(is_)) if a != b) or "form"
    except SyntaxError:
        return "form"


def calls_in(text: str) -> Counter[str]:
    """How often a stage calls each intrinsic, by its full name."""
    return Counter(ast.unparse(node.func) for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name))


def _effect_rows(a: Counter[str], b: Counter[str], effects: Mapping[str, str]) -> list[dict[str, Any]]:
    """Intrinsics with an effect that one last stage calls more often than the other."""
    return [{"intrinsic": name, "effects": effects[name], "was": a[name], "is": b[name]} for name in sorted({*a, *b}) if effects.get(name) and a[name] != b[name]]


def _plan_rows(a: Mapping[str, Any], b: Mapping[str, Any]) -> list[dict[str, str]]:
    rows = []

    def row(what: str, was: object, is_: object) -> None:
        if was != is_:
            rows.append({"what": what, "was": was if isinstance(was, str) else json.dumps(was), "is": is_ if isinstance(is_, str) else json.dumps(is_)})

    row("target", a["target"]["backend"], b["target"]["backend"])
    row("contract", a["target"]["contract"], b["target"]["contract"])
    for what in ("options", "hardware"):
        x, y = a["target"].get(what) or {}, b["target"].get(what) or {}
        for key in dict.fromkeys([*x, *y]):
            row(f"{what} {key}", x.get(key, ""), y.get(key, ""))
    row("constants", a["identity"]["set"], b["identity"]["set"])
    row("capabilities", " ".join(sorted(set(a["capabilities"]) - set(b["capabilities"]))), " ".join(sorted(set(b["capabilities"]) - set(a["capabilities"]))))
    passes = [{one["name"]: one for one in of["plan"]["passes"]} for of in (a, b)]
    for name in dict.fromkeys([*passes[0], *passes[1]]):
        x, y = passes[0].get(name), passes[1].get(name)
        row(f"pass {name}", "" if x is None else "runs", "" if y is None else "runs")
        if x and y:
            row(f"options of {name}", x["options"], y["options"])
    plugins = [{one["id"]: one for one in of["plugins"]} for of in (a, b)]
    for name in dict.fromkeys([*plugins[0], *plugins[1]]):
        x, y = plugins[0].get(name), plugins[1].get(name)
        if x and y and x["version"] == y["version"]:
            row(f"plugin {name}", *("" if x == y else f"{x['version']}, build {one['library_sha256'][:8] or one['manifest_sha256'][:8]}" for one in (x, y)))
        else:
            row(f"plugin {name}", x["version"] if x else "", y["version"] if y else "")
    return rows


def _lines(a: str, b: str) -> tuple[int, int]:
    """Lines that are only in the second, and only in the first."""
    more = less = 0
    for word, i, j, k, m in difflib.SequenceMatcher(None, a.splitlines(), b.splitlines(), autojunk=False).get_opcodes():
        if word != "equal":
            less, more = less + j - i, more + m - k
    return more, less


def _file_rows(a: Side, b: Side) -> list[dict[str, Any]]:
    """Emitted files that are not the same; stages are told by themselves."""
    rows = []
    files = [{one["path"]: one["sha256"] for one in of.manifest["outputs"]} for of in (a, b)]
    for path in dict.fromkeys([*files[0], *files[1]]):
        if path.startswith("ir/") or files[0].get(path) == files[1].get(path):
            continue
        texts = [(of.folder / path).read_bytes().decode(errors="replace") if path in mine else "" for of, mine in ((a, files[0]), (b, files[1]))]
        more, less = _lines(*texts)
        rows.append({"path": path, "change": "changed" if path in files[0] and path in files[1] else "removed" if path in files[0] else "added", "more": more, "less": less})
    return rows


def _stage_rows(a: Side, b: Side) -> list[dict[str, Any]]:
    """Stages of passes that both ran, or only one: which of them are another text."""
    passes = [{path.partition("-")[2]: (path, file.read_text()) for path, file in of.stages.items()} for of in (a, b)]
    rows = []
    for name in dict.fromkeys([*passes[0], *passes[1]]):
        x, y = passes[0].get(name), passes[1].get(name)
        texts = [_without_header(one[1]) if one else "" for one in (x, y)]
        if texts[0] == texts[1]:
            continue
        more, less = _lines(*texts)
        rows.append({"pass": name, "was": x[0] if x else "", "is": y[0] if y else "", "more": more, "less": less})
    return rows


def _without_header(text: str) -> str:
    tree = ast.parse(text)
    tree.body = [statement for statement in tree.body if not is_header(statement)]
    return ast.unparse(tree)


def _typed(side: Side) -> str:
    """The first stage that says the types of names; the last one where none does."""
    texts = [path.read_text() for path in side.stages.values()]
    return next((text for text in texts if any(isinstance(node, ast.AnnAssign) for node in ast.walk(ast.parse(text)))), texts[-1])


# ── results ──


def _results(a: Side, b: Side, request: Mapping[str, Any]) -> dict[str, Any]:
    """Whether the programs, and what the second was made, compute what the first does: {"same", "calls", "why", "stage"}; "same" is null where they cannot be held against each other."""
    paths = list(b.stages.values())
    source = source_at(next(iter(a.stages.values())), request.get("entry", ""))
    other = program_at(paths[0])
    if not called_alike(source, other):
        return {"same": None, "calls": "", "why": f"they are called otherwise: {source!r} and {other!r}", "stage": ""}
    begin = time.monotonic()
    seconds = float(request.get("seconds") or SECONDS)
    calls = calls_of(source, request, begin + seconds * 0.3, [*a.stages.values(), *paths])
    if not calls.outcomes:
        return {"same": None, "calls": "", "why": calls.refused[-1] if calls.refused else "the first runs no call", "stage": ""}
    ends = [paths[0], paths[-1], list(a.stages.values())[-1]]
    for number, path in enumerate(dict.fromkeys(ends)):
        try:
            verdict = held(program_at(path), calls, begin + seconds * (0.3 + 0.4 * (number + 1) / len(ends)))
        except Refused as error:
            return {"same": None, "calls": "", "why": str(error), "stage": str(path.parent.name)}
        if verdict.outcome is not None:
            whose = a if path == ends[2] else b
            if request.get("output"):
                _write_call(request["output"], calls, verdict.outcome.case.arrays)
            return {"same": False, "calls": calls.described(), "why": verdict.differs[0], "stage": f"{whose.name}: {path.parent.name}"}
        if verdict.unshown:
            return {"same": None, "calls": "", "why": verdict.unshown, "stage": str(path.parent.name)}
    shows = [one for one in calls.outcomes if any(array.size for parameter, array in zip(source.parameters, one.arrays) if parameter.direction != "In")]
    if not shows:
        return {"same": None, "calls": calls.described(), "why": f"no output has an element in {calls.described()}, which shows nothing", "stage": ""}
    few = Calls(source, [shows[k] for k in dict.fromkeys((0, len(shows) // 2, len(shows) - 1))][:ON_TARGETS], [])
    for number, side in enumerate((a, b)):
        name = source.name if side is a else other.name
        verdict = held_on_target(side.folder, name, {**request, **side.found_by}, few, begin + seconds * (0.85 + 0.15 * number), PATIENCE)
        where = f"{side.name}: its target {side.manifest['target']['backend']}"
        if verdict.outcome is not None:
            if request.get("output"):
                _write_call(request["output"], calls, verdict.outcome.case.arrays)
            return {"same": False, "calls": calls.described(), "why": verdict.differs[0], "stage": where}
        if not verdict.calls:
            verdict.unshown = verdict.unshown or "no call was made"
        if verdict.unshown:
            return {"same": None, "calls": calls.described(), "why": f"the same in the stages; the target was not run: {verdict.unshown}", "stage": where}
    return {"same": True, "calls": calls.described(), "why": "", "stage": ""}


def _write_call(path: str, calls: Calls, arrays: Sequence[Any]) -> None:
    try:
        runner.write_arrays(path, {parameter.name: array for parameter, array in zip(calls.entry.parameters, arrays) if parameter.direction != "Out"})
    except OSError as error:
        raise Refused("io.unwritable", path, error.strerror or error) from None


# ── the answer ──


def _differ(request: Mapping[str, Any]) -> str:
    find_modules(request["modules"])
    sides = [Side(one["package"], folder := Path(one["folder"]), json.loads((folder / "manifest.json").read_text()), {path.parent.name: path for path in stages_of(Path(one["stages"]))}, {key: one[key] for key in ("profile", "plugin_path")}) for one in request["packages"]]
    a, b = sides
    first, last = ((texts[0], texts[1]) for texts in ([list(of.stages.values())[k].read_text() for of in sides] for k in (0, -1)))
    result: dict[str, Any] = {
        "a": a.name,
        "b": b.name,
        "parameters": _parameter_rows(a.manifest, b.manifest),
        "program": program_rows(*first),
        "types": type_rows(_typed(a), _typed(b)),
        "effects": _effect_rows(calls_in(last[0]), calls_in(last[1]), request["effects"]),
        "plan": _plan_rows(a.manifest, b.manifest),
        "stages": _stage_rows(a, b),
        "files": _file_rows(a, b),
        "cost": request.get("cost"),
    }
    if request.get("semantic"):
        result["results"] = _results(a, b, request)
    return json.dumps({"text": _told(result), "result": result, "diagnostics": []})


def _parameter_rows(a: Mapping[str, Any], b: Mapping[str, Any]) -> list[dict[str, str]]:
    rows = []
    entries = [{entry["name"]: entry for entry in of["entries"]} for of in (a, b)]
    for name in dict.fromkeys([*entries[0], *entries[1]]):
        sides = [{one["name"]: f"{one['direction']} {one['type']}" for one in of.get(name, {"parameters": []})["parameters"]} for of in entries]
        for parameter in dict.fromkeys([*sides[0], *sides[1]]):
            was, is_ = (of.get(parameter, "") for of in sides)
            if was != is_:
                rows.append({"entry": name, "name": parameter, "was": was, "is": is_})
    return rows


def _told(result: Mapping[str, Any]) -> str:
    parts: list[tuple[str, list[str]]] = [
        ("parameters", [f"{row['entry']}: {_arrow(row['name'], row['was'], row['is'])}" for row in result["parameters"]]),
        ("program", [_program_text(row) for row in result["program"]]),
        ("types", [f"{row['function']}: {_arrow(row['name'], row['was'], row['is'])} ({row['of']})" for row in result["types"]]),
        ("effects", [f"{row['intrinsic']} ({row['effects']}): {row['was']} → {row['is']} calls in the last stage" for row in result["effects"]]),
        ("plan", [_arrow(row["what"], row["was"], row["is"]) for row in result["plan"]]),
        ("stages", [f"{row['is'] or row['was']}: +{row['more']} −{row['less']} lines" + ("" if row["was"] and row["is"] else ", only in " + (result["a"] if row["was"] else result["b"])) for row in result["stages"]]),
        ("emitted", [f"{row['path']}: {row['change']}, +{row['more']} −{row['less']} lines" for row in result["files"]]),
    ]
    text = f"{result['a']} → {result['b']}\n"
    for name, rows in parts:
        if rows:
            text += f"{name}\n" + "".join(f"  {row}\n" for row in rows[:SHOWN]) + (f"  and {len(rows) - SHOWN} more\n" if len(rows) > SHOWN else "")
    if not any(rows for _, rows in parts):
        text += "nothing differs\n"
    if cost := result["cost"]:
        sizes = ", ".join(f"{name}={size}" for name, size in cost["sizes"].items())
        text += f"predicted time: {cost['was'] * 1e6:.4g} → {cost['is'] * 1e6:.4g} µs" + (f" ({cost['is'] / cost['was']:.2f} times)" if cost["was"] else "") + (f" at {sizes}" if sizes else "") + f", by {cost['by']}\n"
    if found := result.get("results"):
        if found["same"]:
            text += f"results: the same, in {found['calls']}\n"
        elif found["same"] is None:
            text += f"results: {found['why']}\n" if found["stage"] and found["calls"] else f"results: not held against each other: {found['why']}\n"
        else:
            text += f"results: others, in {found['stage']}\n  {found['why']}\n"
    return text


def _arrow(what: str, was: str, is_: str) -> str:
    return f"{what}: {was} → {is_}" if was and is_ else f"{what}: {was}, which is gone" if was else f"{what}: {is_}, which is new"


def _program_text(row: Mapping[str, Any]) -> str:
    where = (f"{row['kind']} " if row["kind"] else "") + (row["function"] or "the module")
    nodes = " → ".join(node for node in (row["was_node"], row["is_node"]) if node)
    if row["change"] == "moved":
        return f"{where}, node {nodes}, moved: {row['is']}"
    lines = [f"{sign} {line}" for sign, text in (("-", row["was"]), ("+", row["is"])) for line in text.splitlines()]
    return f"{where}, node {nodes}" + "".join(f"\n    {line}" for line in lines)
