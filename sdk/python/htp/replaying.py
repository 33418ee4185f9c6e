"""What `htp-host replay` does: runs a stage of a package under plain Python on given arrays, and tells what each of its statements made. `htp-host report
--values` asks that of all stages."""

from __future__ import annotations

import ast
import bdb
import json
import math
import pdb
import sys
import traceback
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np

from htp import runner
from htp.agreement import find_modules, program_at
from htp.entry import Entry
from htp.errors import Refused
from htp.nodes import numbered
from htp.recorded import Record, digest_of, inputs_of, record_of
from htp.testing import Case, Outcome, compare, entry_of, import_program
from htp.values import Value

KEPT: Final = 4
"""Values of a statement that are kept, each by a summary: the first ones, and the last."""
ELEMENTS: Final = 4
"""Of a value that are told."""
LONGEST: Final = 120
"""Characters of a statement that are told."""
ROWS: Final = 40
"""Statements that are told on a terminal."""


@dataclass
class Seen:
    """What a statement made."""

    node: int
    line: int
    text: str
    times: int = 0
    first: list[dict[str, Any]] = field(default_factory=list)
    last: dict[str, Any] | None = None
    not_finite: int = 0
    """Times at which an element was NaN or infinite."""


def replay(request_text: str) -> str:
    """Request and response as JSON: {"text", "result", "diagnostics"}."""
    request: dict[str, Any] = json.loads(request_text)
    try:
        return _replay(request)
    except Refused as error:
        return json.dumps({"text": "", "result": {}, "diagnostics": [error.diagnostic()]})


def _replay(request: Mapping[str, Any]) -> str:
    find_modules(request["modules"])
    path = Path(request["program"])
    entry = program_at(path, request["entry"] or None)
    case, sizes, record = _call(request, entry)
    arrays = case.fresh(entry)
    if request["pdb"]:
        _step(entry, path, arrays)
        seen: list[Seen] = []
        failed = ""
    else:
        seen, failed = _watched(path, entry.name, arrays)
    outputs = {parameter.name: array for parameter, array in zip(entry.parameters, arrays) if parameter.direction != "In"}
    if request["outputs"] and not failed:
        runner.write_arrays(request["outputs"], outputs)
    stage = path.parent.name
    rows = [_row(one, stage.partition("-")[0]) for one in seen]
    if request["trace"]:
        written = json.dumps({"schema": "htp.values/1", "stage": stage, "entry": entry.name, "sizes": sizes, "values": rows}, indent=1)
        runner.replace_output(request["trace"], lambda file: file.write(written.encode() + b"\n"))
    text = _table(seen, stage, request["node"], rows)
    result: dict[str, Any] = {"stage": stage, "entry": entry.name, "sizes": sizes, "values": rows}
    diagnostics: list[dict[str, Any]] = []
    if failed:
        diagnostics.append(Refused("run.stage-fails", stage, failed).diagnostic())
    else:
        text += "".join(f"{p.name}: {runner.summary(array, p.type.dtype)}\n" for p, array in zip(entry.parameters, arrays) if p.name in outputs)
        result["outputs"] = {name: {"dtype": str(array.dtype), "shape": list(array.shape)} for name, array in outputs.items()}
        if record is not None:
            text += _beside_record(record, Path(request["package"]), case, entry, arrays, result)
    differs = [f"the recorded outputs differ: {result['differs']}"] if "differs" in result else []
    return json.dumps({"text": text, "result": result, "diagnostics": diagnostics, "differs": differs})


def values(request_text: str) -> str:
    """What the statements of each of `stages` make in one call, a text a line: {"result": {"sizes", "stages"}, "diagnostics"}."""
    request: dict[str, Any] = json.loads(request_text)
    try:
        find_modules(request["modules"])
        paths = [Path(stage) for stage in request["stages"]]
        case, sizes, _ = _call(request, program_at(paths[0], request["entry"] or None))
        stages = {path.parent.name: _values(path, request["entry"] or None, case, request["rows"]) for path in paths}
    except Refused as error:
        return json.dumps({"result": {}, "diagnostics": [error.diagnostic()]})
    return json.dumps({"result": {"sizes": sizes, "stages": stages}, "diagnostics": []})


def _values(path: Path, name: str | None, case: Case, most: int) -> dict[str, Any]:
    entry = program_at(path, name)
    seen, failed = _watched(path, entry.name, case.fresh(entry))
    rows = [{"line": one.line, "times": one.times, "not_finite": one.not_finite, "value": _words(one.first[0])} for one in seen[:most]]
    return {"failed": failed, "left_out": len(seen) - len(rows), "rows": rows}


def _call(request: Mapping[str, Any], entry: Entry) -> tuple[Case, dict[str, int], Record | None]:
    """The call that the command line asks for: its arrays, the sizes of dimensions, and what was recorded of it."""
    archive = runner.read_archive(request["inputs"]) if request["inputs"] else {}
    given, record = inputs_of(archive), record_of(archive)
    unknown = sorted(set(given) - {parameter.name for parameter in entry.parameters})
    if unknown:
        raise Refused("run.unknown-input", request["inputs"], unknown[0], entry.name)
    given |= runner.scalars_of(entry, request["args"])
    sizes = runner.sizes_of(entry, given, request)
    runner.check_memory(entry, sizes)
    generator = np.random.default_rng(request["seed"])
    arrays = tuple(runner.array_for(parameter, given, sizes, generator, bool(request["inputs"])) for parameter in entry.parameters)
    return Case(entry.name, arrays), sizes, record


class _Noting(ast.NodeTransformer):
    """Has each statement of a function that gives a name a value tell of it: `_htp_seen(number, name)` behind it."""

    def __init__(self, numbers: Mapping[ast.AST, int]) -> None:
        self.numbers = numbers
        self.seen: dict[int, Seen] = {}
        self._within = False

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        outer, self._within = self._within, True
        self.generic_visit(node)
        self._within = outer
        return node

    def _noted(self, node: ast.Assign | ast.AnnAssign | ast.AugAssign) -> Any:
        name = _target(node)
        if not self._within or not name:
            return node
        number = self.numbers[node]
        self.seen[number] = Seen(number, node.lineno, " ".join(ast.unparse(node).split())[:LONGEST])
        call = ast.Expr(ast.Call(ast.Name("_htp_seen", ast.Load()), [ast.Constant(number), ast.Name(name, ast.Load())], []))
        return [node, ast.fix_missing_locations(ast.copy_location(call, node))]

    visit_Assign = visit_AnnAssign = visit_AugAssign = _noted


def _watched(path: Path, name: str, arrays: list[Any]) -> tuple[list[Seen], str]:
    """Runs a stage, and tells what was seen of it; and what it raised, with the line."""
    tree = ast.parse(path.read_text())
    noting = _Noting({node: number for number, node in numbered(tree)})
    code = compile(noting.visit(tree), str(path), "exec")

    latest: dict[int, object] = {}

    def note(number: int, value: object) -> None:
        one = noting.seen[number]
        one.times += 1
        if one.times > KEPT and _single(value):
            latest[number] = value
            one.not_finite += isinstance(value, Value) and not math.isfinite(value.data)
            return
        told = summarised(value)
        one.not_finite += bool(told.get("not_finite"))
        if len(one.first) < KEPT:
            one.first.append(told)
        else:
            one.last = told
            latest.pop(number, None)

    entry = entry_of(import_program(code, path.parent.name, path), name)
    entry.function.__globals__["_htp_seen"] = note
    failed = ""
    try:
        entry.run(*arrays)
    except Exception as error:
        lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(path)]
        failed = (f"line {lines[-1]}: " if lines else "") + f"{type(error).__name__}: {error}"
    for number, value in latest.items():
        noting.seen[number].last = summarised(value)
    return [one for one in noting.seen.values() if one.times], failed


def _single(value: object) -> bool:
    """A number, which nothing changes later."""
    return isinstance(value.data if isinstance(value, Value) else value, (np.floating, np.integer, int, float))


def _target(node: ast.stmt) -> str:
    """The name that a statement gives a value to."""
    target = node.targets[0] if isinstance(node, ast.Assign) and len(node.targets) == 1 else getattr(node, "target", None)
    return target.id if isinstance(target, ast.Name) and getattr(node, "value", None) is not None else ""


def summarised(value: object) -> dict[str, Any]:
    """A value in few numbers."""
    if not isinstance(value, Value):
        return {"value": value} if isinstance(value, (bool, int, float, str)) and value == value else {"value": str(value)[:60]}
    data = np.asarray(value.data)
    told: dict[str, Any] = {"dtype": type(value).name, "shape": list(data.shape)}
    if data.size and data.dtype.kind in "fiub":
        wide = data.astype(np.float64)
        finite = wide[np.isfinite(wide)]
        told["elements"] = [_number(one) for one in wide.reshape(-1)[:ELEMENTS]]
        if finite.size:
            told |= {"min": float(finite.min()), "max": float(finite.max()), "mean": float(finite.mean())}
        if finite.size != wide.size:
            told["not_finite"] = int(wide.size - finite.size)
    return told


def _number(value: float) -> float | str:
    return float(value) if np.isfinite(value) else str(float(value))


def _row(one: Seen, stage: str) -> dict[str, Any]:
    row: dict[str, Any] = {"node": f"{stage}:{one.node}", "line": one.line, "text": one.text, "times": one.times, "first": one.first}
    if one.last is not None:
        row["last"] = one.last
    if one.not_finite:
        row["not_finite"] = one.not_finite
    return row


def _table(seen: list[Seen], stage: str, node: str, rows: list[dict[str, Any]]) -> str:
    if node:
        chosen = [row for row in rows if node in (row["node"], row["node"].partition(":")[2])]
        if not chosen:
            raise Refused("replay.unknown-node", node, stage, hint=f"it has {', '.join(row['node'] for row in rows[:12])}" if rows else "none of its statements gives a name a value")
        (row,) = chosen
        text = f"{row['node']}, line {row['line']}: {row['text']}\n  {row['times']} time{'s' * (row['times'] != 1)}\n"
        text += "".join(f"  {_words(one)}\n" for one in row["first"])
        return text + (f"  …\n  {_words(row['last'])}\n" if "last" in row else "")
    text = ""
    width = max((len(one.text) for one in seen[:ROWS]), default=0)
    for one, row in zip(seen[:ROWS], rows):
        times = f"{one.times}×" if one.times > 1 else ""
        text += f"{row['node']:>8} {times:>6}  {one.text:<{min(width, 72)}}  {_words(one.first[0])}\n"
    if len(seen) > ROWS:
        text += f"and {len(seen) - ROWS} more: `--trace FILE` writes all, `--node {rows[ROWS]['node']}` tells of one\n"
    return text


def _words(told: Mapping[str, Any]) -> str:
    if "value" in told:
        return str(told["value"])
    shape = "x".join(map(str, told["shape"])) or "scalar"
    words = f"{told['dtype']} {shape}"
    if "min" in told and told["shape"]:
        words += f", {told['min']:.5g}…{told['max']:.5g}"
    elif "elements" in told:
        words += f" {told['elements'][0]}"
    return words + (f", {told['not_finite']} not finite" if told.get("not_finite") else "")


def _beside_record(record: Record, package: Path, case: Case, entry: Entry, arrays: list[Any], result: dict[str, Any]) -> str:
    """How what was recorded of a run on the target lies beside this one."""
    result["same_package"] = record.digest == digest_of(package)
    text = "" if result["same_package"] else "it was recorded of another package, or of another compile of this one\n"
    if not record.outputs:
        result["recorded"] = "no outputs"
        return text + "the recorded run left no outputs: it did not end\n"
    ran = list(arrays)
    for number, parameter in enumerate(entry.parameters):
        if parameter.direction != "In" and parameter.name in record.outputs:
            ran[number] = record.outputs[parameter.name]
    lengths = entry.run(*case.fresh(entry))
    differs = compare(entry, ran, Outcome(case, arrays, lengths))
    result["recorded"] = "differs" if differs else "agrees"
    if differs:
        result["differs"] = differs[0]
        return text
    return text + "the recorded outputs agree\n"


def _step(entry: Entry, path: Path, arrays: list[Any]) -> None:
    """Steps through the stage with pdb, from the first statement of the entry."""
    first = next((node.body[0].lineno for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.FunctionDef) and node.name == entry.function.__name__), 1)
    debugger = pdb.Pdb(stdin=sys.stdin, stdout=sys.stderr, nosigint=True, readrc=False)
    debugger.use_rawinput = sys.stdin.isatty()
    debugger.set_break(str(path), first, temporary=True)
    debugger.reset()
    debugger.botframe = sys._getframe()
    debugger.set_continue()
    sys.settrace(debugger.trace_dispatch)
    try:
        entry.run(*arrays)
    except bdb.BdbQuit:
        raise Refused("replay.left", path.parent.name) from None
    finally:
        sys.settrace(None)
