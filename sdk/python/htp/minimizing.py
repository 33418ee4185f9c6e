"""What `htp-host minimize` does: takes a program apart, as its Python tree, until nothing can go without losing what it shows.

A candidate is the program with something less; it is kept when htp-host, in a process of its own, still shows the same of it. What goes first is large: definitions,
then statements, halves of lists before single ones (delta debugging), loops around their bodies, then expressions around their operands, then numbers.
"""

from __future__ import annotations

import ast
import copy
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from htp.errors import Refused
from htp.nodes import is_header

SECONDS: Final = 60.0
"""That it takes at most as a rule."""
LONGEST: Final = 20.0
"""Seconds that a candidate may take."""
AT_ONCE: Final = max(min(os.cpu_count() or 1, 4), 1)


def minimize(request_text: str) -> str:
    """Request and response as JSON: {"text", "result", "diagnostics"}."""
    request: dict[str, Any] = json.loads(request_text)
    try:
        with tempfile.TemporaryDirectory() as folder:
            return _minimize(request, Path(folder))
    except Refused as error:
        return json.dumps({"text": "", "result": {}, "diagnostics": [error.diagnostic()]})


# ── what a program has to show ──


@dataclass
class Shown:
    """Asks htp-host whether a program shows what it should."""

    request: Mapping[str, Any]
    folder: Path
    """For candidates, each in a folder of its own beside the files that the program imports."""
    siblings: list[Path]
    wanted: str = ""
    """What the program as given shows; a candidate has to show the same."""
    asked: int = 0
    known: dict[str, bool] = field(default_factory=dict)

    def keeps(self, text: str) -> bool:
        if text not in self.known:
            self.asked += 1
            self.known[text] = self.of(text) == self.wanted
        return self.known[text]

    def of(self, text: str) -> str:
        """What a program shows, in a word; empty: nothing of what is asked for."""
        place = Path(tempfile.mkdtemp(dir=self.folder))
        try:
            program = place / self.request["name"]
            program.write_text(text)
            for sibling in self.siblings:
                shutil.copy(sibling, place)
            keeps = self.request["keeps"]
            if keeps.startswith("code "):
                return self._code(program, keeps[5:].strip())
            if keeps == "crashes":
                return self._crash(program)
            if keeps == "differs":
                return self._difference(program)
            return self._command(keeps, program)
        finally:
            shutil.rmtree(place, ignore_errors=True)

    def _host(self, *words: object) -> subprocess.CompletedProcess[str] | None:
        """None: it took too long."""
        options = ["--plugins", self.request["profile"]] if self.request["profile"] else []
        options += [word for folder in self.request["plugin_path"] for word in ("--plugin-path", folder)]
        environment = {**os.environ, "HTP_CACHE": str(self.folder / "cache")}
        return _run([self.request["host"], "--json", *options, *map(str, words)], environment)

    def _compiled(self, program: Path) -> subprocess.CompletedProcess[str] | None:
        settings = [word for name, value in self.request["set"].items() for word in ("--set", f"{name}={value}")]
        entry = ["--entry", self.request["entry"]] if self.request["entry"] else []
        return self._host("compile", program, *entry, *settings, "-o", program.parent / "package")

    def _code(self, program: Path, code: str) -> str:
        done = self._compiled(program)
        try:
            told = json.loads(done.stdout)["diagnostics"] if done else []
        except ValueError:
            return ""
        return code if any(one["code"] == code for one in told) else ""

    def _crash(self, program: Path) -> str:
        done = self._compiled(program)
        if done is None:
            return "does not end"
        if done.returncode < 0:
            return f"ends by {signal.Signals(-done.returncode).name}"
        if done.returncode < 3 or done.returncode == 130:
            return ""
        found = re.findall(r'"code": "([\w.-]+)",\s*"severity": "fault"', done.stdout) or re.findall(r'"code": "([\w.-]+)"', done.stdout)
        return f"fails with {found[0]}" if found else f"ends with {done.returncode}"

    def _difference(self, program: Path) -> str:
        done = self._compiled(program)
        if done is None or done.returncode != 0:
            return ""
        done = self._host("bisect", program.parent / "package", "--seconds", 1 if self.wanted.startswith("differs after") else 3)
        if done is None or done.returncode != 0:
            return ""
        answer = json.loads(done.stdout)
        return f"differs after {answer['pass']}" if answer["kind"] == "differs" else "differs on the target" if answer["kind"] == "target" else ""

    def _command(self, command: str, program: Path) -> str:
        done = _run(["sh", "-c", f'{command} "$1"', "sh", str(program)], dict(os.environ))
        return "shown" if done is not None and done.returncode == 0 else ""


def _run(command: list[str], environment: dict[str, str]) -> subprocess.CompletedProcess[str] | None:
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, errors="replace", env=environment, start_new_session=True) as process:
        try:
            out, _ = process.communicate(timeout=LONGEST)
        except BaseException as error:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            if isinstance(error, subprocess.TimeoutExpired):
                return None
            raise
        return subprocess.CompletedProcess(command, process.returncode, out, "")


# ── candidates ──


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
    """Statements that hold others, made these."""
    for number, node in enumerate(ast.walk(tree)):
        for name in ("body", "orelse"):
            statements = getattr(node, name, None)
            if isinstance(statements, list):
                for k, statement in enumerate(statements):
                    if isinstance(statement, (ast.For, ast.While, ast.If, ast.With)):
                        yield _unwrapping(number, name, k)


def _unwrapping(number: int, name: str, k: int) -> Change:
    def change(tree: ast.Module) -> bool:
        statements = getattr(_node(tree, number), name)
        statements[k : k + 1] = statements[k].body
        return True

    return change


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
    for number, name, k, expression in _expressions(tree):
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
    """A name that is given a value once and used once, made that value."""
    for number, node in enumerate(ast.walk(tree)):
        for k, statement in enumerate(body) if isinstance(body := getattr(node, "body", None), list) else ():
            target = statement.targets[0] if isinstance(statement, ast.Assign) and len(statement.targets) == 1 else getattr(statement, "target", None) if isinstance(statement, ast.AnnAssign) else None
            if isinstance(target, ast.Name) and not isinstance(node, ast.Module):
                yield _inlining(number, k, target.id)


def _inlining(number: int, k: int, name: str) -> Change:
    def change(tree: ast.Module) -> bool:
        body: list[ast.stmt] = getattr(_node(tree, number), "body")
        statement = body.pop(k)
        value: ast.expr | None = getattr(statement, "value")
        uses = [node for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id == name]
        if value is None or len(uses) != 1 or not body:
            return False

        put = value

        class Put(ast.NodeTransformer):
            def visit_Name(self, node: ast.Name) -> ast.expr:
                return put if node is uses[0] else node

        Put().visit(tree)
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


KINDS: Final[tuple[Callable[[ast.Module], Iterator[Change]], ...]] = (_removals, _unwrappings, _parameters, _replacements, _inlinings)


def smallest(text: str, shown: Shown, end: float, tell: Callable[[str], None]) -> str:
    """The program with nothing left that can go, or what was reached in time."""
    tree = ast.parse(text)
    tree.body = [statement for statement in tree.body if not is_header(statement)]
    for plain in (_without_texts(tree), tree):
        if shown.keeps(ast.unparse(tidied(copy.deepcopy(plain)))):
            tree = tidied(plain)
            break
    else:
        return text
    with ThreadPoolExecutor(AT_ONCE) as pool:
        changed = True
        while changed and time.monotonic() < end:
            changed = False
            for kind in KINDS:
                while (smaller := _next(tree, kind, shown, pool, end)) is not None:
                    tree, changed = smaller, True
                    tell(f"{len(ast.unparse(tree).splitlines())} lines after {shown.asked} candidates")
    return ast.unparse(tree) + "\n"


def _without_texts(tree: ast.Module) -> ast.Module:
    tree = copy.deepcopy(tree)
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list) and body and isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant) and isinstance(body[0].value.value, str):
            body[:1] = [] if body[1:] else [ast.Pass()]
    return tree


def _next(tree: ast.Module, kind: Callable[[ast.Module], Iterator[Change]], shown: Shown, pool: ThreadPoolExecutor, end: float) -> ast.Module | None:
    """The first smaller program of a kind that is kept."""
    size = size_of(tree)
    some: list[tuple[ast.Module, str]] = []

    def kept() -> ast.Module | None:
        for (candidate, _), keeps in zip(some, list(pool.map(lambda one: shown.keeps(one[1]), some))):
            if keeps:
                return candidate
        some.clear()
        return None

    for change in kind(tree):
        if time.monotonic() > end:
            return None
        candidate = copy.deepcopy(tree)
        try:
            if not change(candidate):
                continue
            candidate = tidied(candidate)
            text = ast.unparse(ast.fix_missing_locations(candidate))
            candidate = ast.parse(text)
        except (SyntaxError, ValueError, IndexError, AttributeError, LookupError, TypeError):
            continue
        if size_of(candidate) >= size or shown.known.get(text) is False:
            continue
        some.append((candidate, text))
        if len(some) == AT_ONCE and (found := kept()) is not None:
            return found
    return kept()


# ── the answer ──


def _minimize(request: dict[str, Any], folder: Path) -> str:
    begin = time.monotonic()
    text = str(request["text"])
    shown = Shown(request, folder, _siblings(request, text))
    wanted = shown.of(text)
    if not wanted:
        raise Refused("minimize.not-shown", request["name"], request["keeps"])
    shown.wanted = wanted
    seconds = float(request.get("seconds") or SECONDS)
    line = request["progress"] == "line"

    def tell(what: str) -> None:
        if line:
            print(f"\r\033[K{what}", end="", file=sys.stderr, flush=True)

    try:
        found = smallest(text, shown, begin + seconds, tell)
    finally:
        if line:
            print("\r\033[K", end="", file=sys.stderr, flush=True)
    out = Path(request["output"])
    _write(out, found, request, wanted, shown.siblings)
    lines = len(found.splitlines())
    spent = time.monotonic() - begin
    told = f"{out}/{request['name']}: {lines} line{'s' * (lines != 1)} of {len(text.splitlines())}, after {shown.asked} candidates in {spent:.1f} s; it {_still(request['keeps'], wanted)}\n\n{found}\nsh {out}/reproduce.sh shows it\n"
    result = {"folder": str(out), "program": found, "lines": lines, "shows": wanted, "candidates": shown.asked, "seconds": spent, "whole": spent < seconds}
    return json.dumps({"text": told, "result": result, "diagnostics": []})


def _still(keeps: str, wanted: str) -> str:
    return f"is still refused with `{wanted}`" if keeps.startswith("code ") else "still passes the command" if wanted == "shown" else f"still {wanted}"


def _siblings(request: Mapping[str, Any], text: str) -> list[Path]:
    """Files beside the program that it, or one of them, imports."""
    beside = {path.stem: path for path in Path(request["folder"]).glob("*.py")} if request["folder"] else {}
    found: list[Path] = []
    texts = [text]
    while texts:
        for node in ast.walk(ast.parse(texts.pop())):
            modules = [alias.name for alias in node.names] if isinstance(node, ast.Import) else [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            for module in modules:
                path = beside.get(module)
                if path is not None and path not in found and path.name != request["name"]:
                    found.append(path)
                    texts.append(path.read_text())
    return found


def _quoted(word: str) -> str:
    return word if re.fullmatch(r"[\w./=:+-]+", word) else "'" + word.replace("'", "'\\''") + "'"


def _write(out: Path, text: str, request: Mapping[str, Any], wanted: str, siblings: list[Path]) -> None:
    """A folder with the program and a script that shows what it shows."""
    try:
        out.mkdir(parents=True, exist_ok=True)
        (out / request["name"]).write_text(text)
        for sibling in siblings:
            shutil.copy(sibling, out)
        (out / "reproduce.sh").write_text(_script(request, wanted))
    except OSError as error:
        raise Refused("io.unwritable", out, error.strerror or error) from None


def _script(request: Mapping[str, Any], wanted: str) -> str:
    words = ["--plugins", request["profile"]] if request["profile"] else []
    words += [word for folder in request["plugin_path"] for word in ("--plugin-path", folder)]
    options = " ".join(map(_quoted, words))
    entry = ["--entry", request["entry"]] if request["entry"] else []
    settings = [word for name, value in request["set"].items() for word in ("--set", f"{name}={value}")]
    more = " ".join(map(_quoted, [*entry, *settings]))
    name, keeps = _quoted(request["name"]), request["keeps"]
    compile_ = " ".join(f'timeout {LONGEST:.0f} "$host" --json {options} compile {name} {more} -o "$made/package"'.split())
    head = f'#!/bin/sh\n# Ends with 0 when the program shows: {wanted}. HTP_HOST is the htp-host that is asked.\nhost=${{HTP_HOST:-htp-host}}\ncd "$(dirname "$0")" || exit 2\nmade=$(mktemp -d) || exit 2\ntrap \'rm -r "$made"\' EXIT\n'
    if keeps.startswith("code "):
        return head + f"{compile_} | grep -q '\"code\": \"{wanted}\"'\n"
    if keeps == "crashes":
        return head + f"{compile_}\n[ $? -ge 3 ]\n"
    if keeps == "differs":
        return head + f'{compile_} > /dev/null && "$host" {options} bisect "$made/package"\n'
    command = _quoted(keeps + ' "$1"')
    return head + f"sh -c {command} sh {name}\n"
