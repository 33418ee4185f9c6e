"""What `htp-host minimize` does: takes a program apart, as its Python tree, until nothing can go without losing what it shows.

A candidate is the program with something less (`htp.shrinking`); it is kept when htp-host, in a process of its own, still shows the same of it. Of a stage that differs, HTP's plain Python is asked
here, which takes a tenth of the time.
"""

from __future__ import annotations

import ast
import copy
import inspect
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from htp.agreement import calls_of, difference, find_modules, held, program_at
from htp.errors import Refused
from htp.nodes import is_header
from htp.shrinking import KINDS, Change, size_of, tidied, unbound, without_texts
from htp.testing import stages_of

SECONDS: Final = 60.0
"""That it takes at most as a rule."""
LONGEST: Final = 20.0
"""Seconds that a candidate's compile may take."""
MADE, HELD = 0.1, 0.25
"""Seconds by which calls are made of a candidate's source, and a stage is held against it; more where the program as given needs more to show it."""
EXIT_FAILED: Final = 3
"""With which htp-host ends where something fails inside."""
HEAD: Final = "#!/bin/sh\n# Ends with 0 when the program shows: "
"""Of a script, by which one is known again."""
AFTER: Final = "differs after "
AT_ONCE: Final = max(min(os.cpu_count() or 1, 4), 1)


def minimize(request_text: str) -> str:
    """Request and response as JSON: {"text", "result", "diagnostics"}."""
    request: dict[str, Any] = json.loads(request_text)
    find_modules(request["modules"])
    try:
        with tempfile.TemporaryDirectory() as folder:
            return _minimize(request, Path(folder))
    except Refused as error:
        return json.dumps({"text": "", "result": {}, "diagnostics": [error.diagnostic()]})


# ── what a program has to show ──

Asking = Generator[list[str], "subprocess.CompletedProcess[str] | None", str]
"""Asks by commands, each answered by what became of it (None: it took too long); returns what a program shows, in a word; empty: nothing of what is asked for."""


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
    call: str = ""
    """Of those that differ the last one, which is tried first."""
    longer: float = 1.0
    """Times MADE and HELD."""
    refused: str = ""
    """What the compiler said of the last program that it refused."""

    def keep(self, texts: Sequence[str]) -> list[bool]:
        """Of each whether it shows the same still; they are asked side by side."""
        new = [text for text in dict.fromkeys(texts) if text not in self.known]
        self.asked += len(new)
        self.known |= {text: shown == self.wanted for text, shown in zip(new, self.of(new))}
        return [self.known[text] for text in texts]

    def of(self, texts: Sequence[str]) -> list[str]:
        """What each program shows."""
        places = [Path(tempfile.mkdtemp(dir=self.folder)) for _ in texts]
        try:
            return _side_by_side([self._asking(text, place) for text, place in zip(texts, places)], {**os.environ, "HTP_CACHE": str(self.folder / "cache"), "HTP_REPRODUCE": "off"})
        except OSError as error:
            raise Refused("minimize.not-shown", self.request["name"], self.request["keeps"], hint=f"what asks does not start: {error}") from None
        finally:
            for place in places:
                shutil.rmtree(place, ignore_errors=True)

    def _asking(self, text: str, place: Path) -> Asking:
        program = place / self.request["name"]
        program.write_text(text)
        for sibling in self.siblings:
            shutil.copy(sibling, place)
        keeps = self.request["keeps"]
        if keeps not in ("crashes", "differs") and not keeps.startswith("code "):
            done = yield ["sh", "-c", f'{keeps} "$1"', "sh", str(program)]
            return "shown" if done is not None and done.returncode == 0 else ""
        settings = [word for name, value in self.request["set"].items() for word in ("--set", f"{name}={value}")]
        entry = ["--entry", self.request["entry"]] if self.request["entry"] else []
        package = place / "package"
        done = yield self._host("compile", program, *entry, *settings, "-o", package)
        if keeps == "crashes":
            return _crash(done)
        if keeps != "differs":
            return _code(done, keeps[5:].strip())
        if done is None or done.returncode != 0:
            self.refused = _first_error(done)
            return ""
        if self.wanted.startswith(AFTER):
            return self.wanted if self._differs_after(package, self.wanted.removeprefix(AFTER)) else ""
        done = yield self._host("bisect", package, "--seconds", 1 if self.wanted else 5)
        if done is None or done.returncode != 0:
            return ""
        answer = json.loads(done.stdout)
        return f"{AFTER}{answer['pass']}" if answer["kind"] == "differs" else "differs on the target" if answer["kind"] == "target" else ""

    def _host(self, *words: object) -> list[str]:
        options = ["--plugins", self.request["profile"]] if self.request["profile"] else []
        options += [word for folder in self.request["plugin_path"] for word in ("--plugin-path", folder)]
        return [self.request["host"], "--json", *options, *map(str, words)]

    def _differs_after(self, package: Path, made_by: str) -> bool:
        """Whether the stage that a pass made computes something else than the source, and the one before it does not."""
        paths = stages_of(package)
        begin = time.monotonic()
        for before, path in zip(paths, paths[1:]):
            if path.parent.name.partition("-")[2] != made_by:
                continue
            try:
                source, stage = program_at(paths[0]), program_at(path)
                calls = calls_of(source, {}, begin + MADE * self.longer, [before, path], first=self.call, patience=LONGEST / 10)
                verdict = held(stage, calls, begin + HELD * self.longer, all_orders=False, patience=LONGEST / 10)
                if verdict.outcome is None or difference(program_at(before), verdict.outcome, patience=LONGEST / 10, calls=calls):
                    continue
            except Refused:
                continue
            self.call = verdict.outcome.case.name
            return True
        return False


def _first_error(done: subprocess.CompletedProcess[str] | None) -> str:
    try:
        told = json.loads(done.stdout)["diagnostics"] if done else []
    except ValueError:
        return ""
    return next((f"{one['code']}: {one['message']}" for one in told if one["severity"] != "warning"), "")


def _code(done: subprocess.CompletedProcess[str] | None, code: str) -> str:
    try:
        told = json.loads(done.stdout)["diagnostics"] if done else []
    except ValueError:
        return ""
    return code if any(one["code"] == code for one in told) else ""


def _crash(done: subprocess.CompletedProcess[str] | None) -> str:
    if done is None:
        return "does not end"
    if done.returncode < 0:
        return f"ends by {signal.Signals(-done.returncode).name}"
    if done.returncode < 3 or done.returncode == 130:
        return ""
    found = re.findall(r'"code": "([\w.-]+)",\s*"severity": "fault"', done.stdout) or re.findall(r'"code": "([\w.-]+)"', done.stdout)
    return f"fails with {found[0]}" if found else f"ends with {done.returncode}"


def _side_by_side(askings: Sequence[Asking], environment: Mapping[str, str]) -> list[str]:
    """What each says in the end; the commands that they ask by run beside each other."""
    said = [""] * len(askings)
    answers: dict[int, subprocess.CompletedProcess[str] | None] = dict.fromkeys(range(len(askings)))
    while answers:
        running: list[tuple[int, subprocess.Popen[str]]] = []
        try:
            for k, answer in answers.items():
                try:
                    command = askings[k].send(answer) if inspect.getgeneratorstate(askings[k]) != inspect.GEN_CREATED else next(askings[k])
                    running.append((k, subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, errors="replace", env=environment, start_new_session=True)))
                except StopIteration as stop:
                    said[k] = stop.value
            end = time.monotonic() + LONGEST
            answers = {k: _done(process, end) for k, process in running}
        finally:
            for _, process in running:
                _end(process)
    return said


def _done(process: subprocess.Popen[str], end: float) -> subprocess.CompletedProcess[str] | None:
    """None: it took too long."""
    try:
        out, _ = process.communicate(timeout=max(end - time.monotonic(), 0.0))
        return subprocess.CompletedProcess(process.args, process.returncode, out, "")
    except subprocess.TimeoutExpired:
        return None


def _end(process: subprocess.Popen[str]) -> None:
    """With all that it started."""
    if process.returncode is None:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    if process.stdout:
        process.stdout.close()


def smallest(text: str, shown: Shown, end: float, tell: Callable[[str], None]) -> str:
    """The program with nothing left that can go, or what was reached in time."""
    tree = ast.parse(text)
    tree.body = [statement for statement in tree.body if not is_header(statement)]
    unbound_before = unbound(tree)
    for longer, plain in ((longer, plain) for longer in (1.0, 4.0, 16.0) for plain in (without_texts(tree), tree)):
        shown.known.clear()
        shown.longer = longer
        if shown.keep([ast.unparse(tidied(copy.deepcopy(plain)))])[0]:
            tree = tidied(plain)
            break
    else:
        return text
    changed = True
    while changed and time.monotonic() < end:
        changed = False
        for kind in KINDS:
            at = 0
            while (found := _next(tree, kind, at, shown, end, unbound_before)) is not None:
                (tree, at), changed = found, True
                tell(f"{len(ast.unparse(tree).splitlines())} lines after {shown.asked} candidates")
    whole = ast.unparse(tree)
    dense = "\n".join(line for line in whole.splitlines() if line)
    return (dense if ast.dump(ast.parse(dense)) == ast.dump(ast.parse(whole)) else whole) + "\n"


def _next(tree: ast.Module, kind: Callable[[ast.Module], Iterator[Change]], at: int, shown: Shown, end: float, unbound_before: set[str]) -> tuple[ast.Module, int] | None:
    """The first smaller program of a kind that is kept, from the change at a place on and round, and that place."""
    size = size_of(tree)
    changes = list(kind(tree))
    some: list[tuple[ast.Module, int, str]] = []
    for number in [*range(at, len(changes)), *range(min(at, len(changes)))]:
        if time.monotonic() > end:
            return None
        candidate = copy.deepcopy(tree)
        try:
            if not changes[number](candidate):
                continue
            candidate = tidied(candidate)
            text = ast.unparse(ast.fix_missing_locations(candidate))
            candidate = ast.parse(text)
        except (SyntaxError, ValueError, IndexError, AttributeError, LookupError, TypeError):
            continue
        if size_of(candidate) >= size or shown.known.get(text) is False or unbound(candidate) - unbound_before:
            continue
        some.append((candidate, number, text))
        if len(some) == AT_ONCE:
            if (found := _kept(some, shown)) is not None:
                return found
            some.clear()
    return _kept(some, shown)


def _kept(some: Sequence[tuple[ast.Module, int, str]], shown: Shown) -> tuple[ast.Module, int] | None:
    for (candidate, number, _), keeps in zip(some, shown.keep([text for _, _, text in some])):
        if keeps:
            return candidate, number
    return None


# ── the answer ──


def _minimize(request: dict[str, Any], folder: Path) -> str:
    begin = time.monotonic()
    text = str(request["text"])
    try:
        ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise Refused("minimize.no-python", request["name"], f"{error.msg}, in line {error.lineno}" if isinstance(error, SyntaxError) else error) from None
    out = Path(request["output"])
    shown = Shown(request, folder, siblings(request, text))
    keep_what_is_there(out, request, shown.siblings)
    [wanted] = shown.of([text])
    if not wanted:
        raise Refused("minimize.not-shown", request["name"], request["keeps"], hint=f"it is refused: {shown.refused}" if shown.refused else "")
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
    write(out, found, request["name"], shown.siblings, script(request, wanted))
    lines = len(found.splitlines())
    spent = time.monotonic() - begin
    told = f"{printable(out)}/{printable(request['name'])}: {lines} line{'s' * (lines != 1)} of {len(text.splitlines())}, after {shown.asked} candidates in {spent:.1f} s; it {_still(request['keeps'], wanted)}\n\n{found}\nsh {printable(quoted(f'{out}/reproduce.sh'))} shows it\n"
    result = {"folder": str(out), "program": found, "lines": lines, "shows": wanted, "candidates": shown.asked, "seconds": spent, "whole": spent < seconds}
    return json.dumps({"text": told, "result": result, "diagnostics": []})


def _still(keeps: str, wanted: str) -> str:
    return f"is still refused with `{wanted}`" if keeps.startswith("code ") else "still passes the command" if wanted == "shown" else f"still {wanted}"


def siblings(request: Mapping[str, Any], text: str) -> list[Path]:
    """Files beside the program that it, or one of them, imports."""
    beside = {path.stem: path for path in Path(request["folder"]).glob("*.py")} if request["folder"] else {}
    found: list[Path] = []
    texts = [text]
    while texts:
        try:
            tree = ast.parse(texts.pop())
        except (SyntaxError, ValueError, RecursionError):  # which the compile tells
            continue
        for node in ast.walk(tree):
            modules = [alias.name for alias in node.names] if isinstance(node, ast.Import) else [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            for module in modules:
                path = beside.get(module)
                if path is not None and path not in found and path.name != request["name"]:
                    found.append(path)
                    texts.append(path.read_text(errors="replace"))
    return found


def printable(text: object) -> str:
    """As a terminal may show it, in one line."""
    return "".join(c if c.isprintable() else chr(0x2400 + ord(c)) if ord(c) < 0x20 else "\ufffd" for c in str(text))


def quoted(word: str) -> str:
    """As a shell reads it."""
    return word if re.fullmatch(r"[\w./=:+-]+", word) else "'" + word.replace("'", "'\\''") + "'"


def keep_what_is_there(out: Path, request: Mapping[str, Any], beside: Sequence[Path]) -> None:
    """Refuses a folder in which something would be lost: the program itself, or files that an earlier call of the same did not make."""
    name = request["name"]
    if request["folder"] and out.resolve() == Path(request["folder"]).resolve():
        raise Refused("cli.in-the-way", out / name, hint="name another folder: `-o DIR`")
    try:
        before = (out / "reproduce.sh").read_text(errors="replace")
    except OSError:
        before = ""
    made = before.startswith(HEAD) and f" {quoted(name)}" in before
    for one in [out / name, *(out / path.name for path in beside), out / "reproduce.sh", *([] if out.is_dir() else [out])]:
        if one.is_symlink() or (one.exists() and not made):
            raise Refused("cli.in-the-way", one, hint="name another folder: `-o DIR`")


def write(out: Path, text: str, name: str, beside: Sequence[Path], reproduce: str) -> None:
    """A folder with a program, what it imports beside itself, and a script that shows what it shows."""
    try:
        out.mkdir(parents=True, exist_ok=True)
        (out / name).write_text(text)
        for sibling in beside:
            shutil.copy(sibling, out)
        (out / "reproduce.sh").write_text(reproduce)
    except OSError as error:
        raise Refused("io.unwritable", out, error.strerror or error) from None


def fails_inside(wanted: str = "") -> str:
    """The end of a script: whether the command before it ended as a fault does, not as one that is not there (127), was stopped (130) or took too long (124)."""
    codes = [EXIT_FAILED, *(128 + one for one in (signal.SIGILL, signal.SIGABRT, signal.SIGBUS, signal.SIGFPE, signal.SIGSEGV))]
    if wanted == "does not end":
        codes = [124]
    elif wanted.startswith("ends by "):
        codes = [128 + signal.Signals[wanted.removeprefix("ends by ")]]
    elif wanted.startswith("ends with "):
        codes = [int(wanted.removeprefix("ends with "))]
    return f"case $? in {'|'.join(str(int(code)) for code in codes)}) exit 0 ;; *) exit 1 ;; esac\n"


def script(request: Mapping[str, Any], wanted: str) -> str:
    """It ends with 0 when the program beside it shows what is wanted."""
    words = ["--plugins", request["profile"]] if request["profile"] else []
    words += [word for folder in request["plugin_path"] for word in ("--plugin-path", folder)]
    options = " ".join(map(quoted, words))
    entry = ["--entry", request["entry"]] if request["entry"] else []
    settings = [word for name, value in request["set"].items() for word in ("--set", f"{name}={value}")]
    more = " ".join(map(quoted, [*entry, *settings]))
    name, keeps = quoted(request["name"]), request["keeps"]
    compile_ = " ".join(f'timeout {LONGEST:.0f} "$host" --json {options} compile {name} {more} -o "$made/package"'.split())
    head = f'{HEAD}{wanted}. HTP_HOST is the htp-host that is asked.\nexport HTP_REPRODUCE=off\nhost=${{HTP_HOST:-htp-host}}\ncd "$(dirname "$0")" || exit 2\nmade=$(mktemp -d) || exit 2\ntrap \'rm -r "$made"\' EXIT\n'
    if keeps.startswith("code "):
        return head + f"{compile_} | grep -q '\"code\": \"{wanted}\"'\n"
    if keeps == "crashes":
        return head + f"{compile_}\n{fails_inside(wanted)}"
    if keeps == "differs":
        return head + f'{compile_} > /dev/null && "$host" {options} bisect "$made/package"\n'
    command = quoted(keeps + ' "$1"')
    return head + f"sh -c {command} sh {name}\n"
