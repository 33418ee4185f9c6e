"""What `htp-host tune` does: the fastest of a program's schedules and choices, by the target's cost model first, then measured.

A candidate is an entry and a value for each choice. Entries that share a body, as the schedules of one workload do, are alternatives of each
other. Where a program leaves nothing to choose, an entry may have `proposals`: text that follows the program's and schedules it. An entry may have a
`baseline` too, text of an alternative that chooses nothing: it is measured beside the candidates. Every candidate is compiled to its last stage and judged by the model; what is refused there is never run. The program as written, and
then the best by the model, are built and run; what they compute is held against the program under plain Python, where no schedule counts.

Results are kept after each step, in a file of the form "htp.tune/1": what they depend on, under `inputs`, and each candidate with what is
known of it. With the same inputs they are taken up again.
"""

from __future__ import annotations

import ast
import contextlib
import hashlib
import itertools
import json
import platform
import random
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np

from htp import native, runner
from htp.entry import Entry
from htp.errors import Diagnosed, HtpError, Refused
from htp.testing import Case, Outcome, compare, entry_of, import_program, outcomes

SCHEMA: Final = "htp.tune/1"
MOST: Final = 512
"""Of a larger space so many candidates are drawn, by the seed."""
PROPOSED: Final = 32
"""So many schedules are proposed for a workload that has none."""


@dataclass
class Candidate:
    """An entry with a value for each choice, and what is known of it so far."""

    entry: str
    set: dict[str, str]
    status: str = "open"
    """open; refused by the compiler; predicted; measured; wrong: it computed something else; failed: it did not run."""
    predicted: float | None = None
    measured: float | None = None
    why: str = ""
    schedule: str = ""
    """What follows the program's text; the entry is in it."""

    @property
    def name(self) -> str:
        lines = [line.strip() for line in self.schedule.splitlines() if line.startswith("    ")]
        return " ".join([self.entry, *(f"{name}={value}" for name, value in self.set.items())]) + (f": {'; '.join(lines)}" if lines else "")


@dataclass
class Search:
    """A search as far as it came."""

    request: dict[str, Any]
    inputs: dict[str, Any]
    sizes: dict[str, int]
    candidates: list[Candidate]
    baseline: Candidate | None = None
    """What the candidates are compared with, and none of them: the program without a schedule."""
    model: str = ""
    known: int = 0
    """So many measurements are from the file."""
    said: list[str] = field(default_factory=list)

    def keep(self) -> None:
        """Writes the file, whole or not at all."""
        baseline = asdict(self.baseline) if self.baseline else None
        kept = {"schema": SCHEMA, "inputs": self.inputs, "model": self.model, "baseline": baseline, "candidates": [asdict(c) for c in self.candidates]}
        text = json.dumps(kept, indent=1)
        path = Path(self.request["kept"])
        try:
            runner.replace_file(path, lambda file: file.write(f"{text}\n".encode()))
        except OSError as error:
            raise Refused("io.unwritable", path, error.strerror, hint="give `--kept` a file in a folder that may be written") from None

    def take_up(self) -> None:
        """What the file knows of these inputs."""
        path = Path(self.request["kept"])
        if not path.exists():
            return
        try:
            kept = json.loads(path.read_text())
            if kept["schema"] != SCHEMA:
                raise ValueError(kept["schema"])
            found = {candidate.name: candidate for candidate in (Candidate(**c) for c in kept["candidates"])}
            baseline = Candidate(**kept["baseline"]) if kept.get("baseline") else None
        except (OSError, ValueError, TypeError, KeyError):
            raise Refused("tune.not-kept", path) from None
        if kept["inputs"] != self.inputs:
            changed = [name for name in self.inputs if kept["inputs"].get(name) != self.inputs[name]]
            self.said.append(f"{path} is of other inputs ({', '.join(changed)}), and is written anew")
            return
        self.model = kept["model"]
        self.candidates = [found.get(candidate.name, candidate) for candidate in self.candidates]
        if self.baseline and baseline and baseline.schedule == self.baseline.schedule:
            self.baseline = baseline
        self.known = sum(candidate.measured is not None for candidate in self.candidates)


def tune(request_text: str) -> str:
    """Request and response as JSON, as host/cli/tune.cpp has them."""
    request: dict[str, Any] = json.loads(request_text)
    for folder in [str(Path(request["program"]).resolve().parent), *request["modules"]]:
        if folder not in sys.path:
            sys.path.append(folder)
    progress = Progress(request["progress"])
    search: Search | None = None
    try:
        try:
            source, entries, search = _begin(request)
            _predict(search, progress)
            _measure(search, entries[0], progress)
        except KeyboardInterrupt:
            progress.end()
            if search is None:
                return _response("interrupted; nothing is known yet\n", {}, [], interrupted=True)
            search.keep()
            return _answer(search, source, interrupted=True)
        progress.end()
        return _answer(search, source, interrupted=False)
    except Diagnosed as error:
        progress.end()
        return _response("", {}, [runner.plain(diagnostic) for diagnostic in error.diagnostics])
    except Refused as error:
        progress.end()
        return _response("", {}, [error.diagnostic()])


class Progress:
    """What is under way, on standard error: a line that goes away, or a line for each step."""

    def __init__(self, kind: str) -> None:
        self._kind = kind

    def at(self, done: int, of: int, what: str, *, step: bool = False) -> None:
        if self._kind == "line":
            print(f"\r\033[K{done}/{of} {what}", end="", file=sys.stderr, flush=True)
        elif self._kind == "lines" and step:
            print(f"{done}/{of} {what}", file=sys.stderr, flush=True)

    def end(self) -> None:
        if self._kind == "line":
            print("\r\033[K", end="", file=sys.stderr, flush=True)


# ── the space ───────────────────────────────────────────────────────────────────────────────────────────────────────────────


def choices(source: str) -> dict[str, list[tuple[str, ast.expr]]]:
    """The module's choices: each name with its alternatives as text, and where they stand in the call."""
    found: dict[str, list[tuple[str, ast.expr]]] = {}
    tree = ast.parse(source)
    own = {a.asname or a.name for n in tree.body if isinstance(n, ast.ImportFrom) and n.module == "htp" for a in n.names if a.name == "choice"}
    for node in tree.body:
        target = node.targets[0] if isinstance(node, ast.Assign) and len(node.targets) == 1 else node.target if isinstance(node, ast.AnnAssign) else None
        value = node.value if isinstance(node, (ast.Assign, ast.AnnAssign)) else None
        if isinstance(target, ast.Name) and isinstance(value, ast.Call) and ast.unparse(value.func) in {"htp.choice", *own}:
            texts = [argument.value if isinstance(argument, ast.Constant) and isinstance(argument.value, str) else ast.unparse(argument) for argument in value.args]
            found[target.id] = list(zip(dict.fromkeys(texts), value.args))
    return found


def apply(source: str, chosen: dict[str, str]) -> str:
    """The program with a value in the place of each choice; nothing else of it changes."""
    tree = ast.parse(source)
    lines = source.encode().splitlines(keepends=True)
    known = choices(source)
    places: list[tuple[ast.expr, bytes]] = []
    for node in tree.body:
        name = node.targets[0] if isinstance(node, ast.Assign) else node.target if isinstance(node, ast.AnnAssign) else None
        if isinstance(name, ast.Name) and name.id in chosen and name.id in known and isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value:
            text = dict((text, ast.unparse(value)) for text, value in known[name.id]).get(chosen[name.id], chosen[name.id])
            places.append((node.value, text.encode()))
    for value, replacement in sorted(places, key=lambda place: (-place[0].lineno, -place[0].col_offset)):
        first, last = value.lineno - 1, (value.end_lineno or value.lineno) - 1
        after = lines[last][value.end_col_offset :]
        lines[first : last + 1] = [lines[first][: value.col_offset] + replacement + after]
    return b"".join(lines).decode()


def _begin(request: dict[str, Any]) -> tuple[str, list[Entry], Search]:
    source = Path(request["program"]).read_text(encoding="utf-8")
    try:
        module = import_program(source, "tuned")
    except Exception as error:  # whatever the program does
        with tempfile.TemporaryDirectory() as folder:  # a compiler's diagnostics say more
            native.compile_program(request["program"], profile=request["profile"], out=Path(folder) / "package", plugin_path=request["plugin_path"])
        raise Refused("tune.not-run", f"{type(error).__name__}: {error}") from None
    entries = [value for value in vars(module).values() if isinstance(value, Entry)]
    try:
        wanted = entry_of(module, request["entry"] or None)
    except LookupError:
        raise Refused("tune.unknown-entry", request["entry"], hint=f"it has {', '.join(entry.name for entry in entries)}") from None
    plain = next(entry for entry in entries if entry.function is wanted.function)
    schedules = [entry for entry in entries if entry.function is wanted.function and entry is not plain]
    if not request["entry"] and {entry.function for entry in entries} != {wanted.function}:
        raise Refused("tune.which-entry", hint=f"choose one with `--entry`: {', '.join(entry.name for entry in entries)}")
    alternatives = [wanted] if wanted is not plain and request["entry"] else schedules or [plain]
    # What is set is no choice any more.
    space = {name: [text for text, _ in values] for name, values in choices(source).items() if name not in request["set"]}
    every = [
        Candidate(entry.name, dict(zip(space, values)))
        for entry in alternatives
        for values in itertools.product(*space.values())
    ]  # fmt: skip
    if len(every) < 2 and not schedules:
        every += _proposed(request, source, plain)
    if len(every) < 2:
        raise Refused("tune.nothing-open", request["program"])
    written = every[0]
    if len(every) > MOST:
        every = [written, *random.Random(request["seed"]).sample(every[1:], MOST - 1)]
    given = (runner.read_arrays(request["inputs"]) if request["inputs"] else {}) | runner.scalars_of(wanted, request["args"])
    sizes = runner.sizes_of(wanted, given, request)
    name = _free_name(source, "unscheduled")
    text: str = getattr(plain, "baseline", lambda name: "")(name) if schedules else ""
    baseline = Candidate(name, {}, schedule=text) if text else None
    search = Search(request, {**_depends_on(request, every), "sizes": sizes, "set": request["set"], "seed": request["seed"]}, sizes, every, baseline)
    search.take_up()
    return source, [plain, *alternatives], search


def _proposed(request: dict[str, Any], source: str, plain: Entry) -> list[Candidate]:
    """Schedules for an entry that has none, when it can propose some."""
    name = _free_name(source, "tuned")
    proposals = getattr(plain, "proposals", None)
    texts: list[str] = proposals(source, name, PROPOSED, request["seed"]) if proposals else []
    return [Candidate(name, {}, schedule=text) for text in texts]


def _free_name(source: str, name: str) -> str:
    while name in source:
        name += "_"
    return name


@contextlib.contextmanager
def _written(request: dict[str, Any], candidate: Candidate) -> Iterator[str]:
    """The program to compile: as it is, or followed by the candidate's schedule, with the files beside it that it may import."""
    if not candidate.schedule:
        yield request["program"]
        return
    program = Path(request["program"])
    with tempfile.TemporaryDirectory() as folder:
        for file in program.parent.glob("*.py"):
            shutil.copy(file, folder)
        path = Path(folder) / program.name
        path.write_text(program.read_text(encoding="utf-8") + candidate.schedule, encoding="utf-8")
        yield str(path)


def _depends_on(request: dict[str, Any], candidates: list[Candidate]) -> dict[str, Any]:
    """What predictions and measurements depend on: everything that a compile reads, by its digest, the inputs, and the machine."""
    with tempfile.TemporaryDirectory() as folder:
        first: Diagnosed | None = None
        for candidate in candidates:
            try:
                package = _compile(request, candidate, Path(folder) / "package")
                break
            except Diagnosed as error:
                first = first or error
        else:
            assert first is not None
            raise first
        manifest = json.loads((package / "manifest.json").read_text())
    plugins = [(one["id"], one["manifest_sha256"], one.get("library_sha256", "")) for one in manifest["plugins"]]
    data = Path(request["inputs"]).read_bytes() if request["inputs"] else b""
    cpus = [line.partition(":")[2].strip() for line in _lines("/proc/cpuinfo") if line.startswith("model name")]
    return {
        "program": _digest([(one["path"], one["sha256"]) for one in manifest["inputs"]]),
        "plugins": _digest(plugins),
        "target": _digest(manifest["target"]),
        "arrays": hashlib.sha256(data).hexdigest(),
        "machine": f"{platform.machine()} {cpus[0] if cpus else ''} x {len(cpus)}",
    }


def _digest(value: object) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()


def _lines(path: str) -> list[str]:
    try:
        return Path(path).read_text().splitlines()
    except OSError:
        return []


# ── the search ──────────────────────────────────────────────────────────────────────────────────────────────────────────────


def _predict(search: Search, progress: Progress) -> None:
    """Every candidate by the model; those that the compiler refuses are told apart here."""
    request = search.request
    for number, candidate in enumerate(search.candidates):
        if candidate.status != "open":
            continue
        progress.at(number, len(search.candidates), f"judging {candidate.name}")
        try:
            with _written(request, candidate) as program:
                search.model, seconds = native.estimated(
                    program, profile=request["profile"], entry=candidate.entry, set={**request["set"], **candidate.set},
                    sizes=search.sizes, plugin_path=request["plugin_path"],
                )  # fmt: skip
            candidate.status, candidate.predicted = "predicted", seconds if search.model else None
        except Diagnosed as error:
            candidate.status, candidate.why = "refused", _first(error)
    search.keep()


def _measure(search: Search, plain: Entry, progress: Progress) -> None:
    """The program as written, then the best by the model, until the budget is spent."""
    request = search.request
    open_ones = [candidate for candidate in search.candidates if candidate.status == "predicted"]
    written = search.candidates[0]
    open_ones.sort(key=lambda one: (one is not written, one.predicted if one.predicted is not None else 0.0, search.candidates.index(one)))
    trials = request["trials"] - search.known
    if not open_ones or trials <= 0:
        return
    begin = time.monotonic()
    expected = _expected(request, plain, search.sizes)
    if search.baseline and search.baseline.status == "open":
        progress.at(0, min(trials, len(open_ones)), "measuring it without a schedule")
        try:
            _try(request, search.baseline, expected)
        except Diagnosed as error:
            search.baseline.status, search.baseline.why = "failed", _first(error)
    for number, candidate in enumerate(open_ones[:trials]):
        if time.monotonic() - begin > request["seconds"]:
            break
        progress.at(number, min(trials, len(open_ones)), f"measuring {candidate.name}")
        try:
            _try(request, candidate, expected)
        except Diagnosed as error:
            candidate.status, candidate.why = "failed", _first(error)
        took = candidate.why or f"{_milliseconds(candidate.measured)} ms"
        progress.at(number + 1, min(trials, len(open_ones)), f"{candidate.name}: {took}", step=True)
        search.keep()


def _expected(request: dict[str, Any], plain: Entry, sizes: dict[str, int]) -> Outcome:
    given = (runner.read_arrays(request["inputs"]) if request["inputs"] else {}) | runner.scalars_of(plain, request["args"])
    generator = np.random.default_rng(request["seed"])
    try:
        runner.check_memory(plain, sizes)
        arrays = tuple(runner.array_for(parameter, given, sizes, generator, bool(request["inputs"])) for parameter in plain.parameters)
        return outcomes(plain, [Case("these sizes", arrays)])[0]
    except Refused:
        raise
    except HtpError as error:
        raise Refused("tune.not-run", error) from None


def _try(request: dict[str, Any], candidate: Candidate, expected: Outcome) -> None:
    with tempfile.TemporaryDirectory() as folder:
        package = _compile(request, candidate, Path(folder) / "package")
        with native.bind(package, profile=request["profile"], plugin_path=request["plugin_path"]) as opened:
            (routine,) = opened.routines.values()
            arrays = expected.case.fresh(routine)
            routine(*arrays)
            wrong = compare(routine, arrays, expected)
            if wrong:
                candidate.status, candidate.why = "wrong", wrong[0]
                return
            times: list[float] = []
            while len(times) < 5 or (sum(times) < 0.2 and len(times) < 1000):
                begin = time.perf_counter()
                routine(*arrays)
                times.append(time.perf_counter() - begin)
            candidate.status, candidate.measured = "measured", min(times)


def _compile(request: dict[str, Any], candidate: Candidate, out: Path) -> Path:
    chosen = {**request["set"], **candidate.set}
    with _written(request, candidate) as program:
        return native.compile_program(program, profile=request["profile"], out=out, entry=candidate.entry, set=chosen, plugin_path=request["plugin_path"])


def _first(error: Diagnosed) -> str:
    found = next((d for d in error.diagnostics if d.get("severity") == "error"), None)
    return f"{found['code']}: {found['message']}" if found else str(error).splitlines()[0]


# ── what came out ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def rank_correlation(a: list[float], b: list[float]) -> float | None:
    """Spearman's; nothing where one of them is constant, or there are fewer than three."""
    if len(a) < 3 or len(set(a)) < 2 or len(set(b)) < 2:
        return None
    return statistics.correlation(_ranks(a), _ranks(b))


def _ranks(values: list[float]) -> list[float]:
    ordered = sorted(values)
    return [(ordered.index(value) + len(ordered) - 1 - ordered[::-1].index(value)) / 2 for value in values]


def _answer(search: Search, source: str, *, interrupted: bool) -> str:
    request = search.request
    measured = sorted((c for c in search.candidates if c.measured is not None), key=lambda c: (c.measured or 0.0, c.name))
    both = [(c.predicted, c.measured) for c in measured if c.predicted is not None and c.measured is not None]
    correlation = rank_correlation([p for p, _ in both], [m for _, m in both])
    wrong = [c for c in [*search.candidates, *([search.baseline] if search.baseline else [])] if c.status == "wrong"]
    refused = [c for c in search.candidates if c.status == "refused"]
    lines = list(search.said)
    if measured:
        lines += ["  measured  predicted  candidate"]
        lines += [f"{_milliseconds(c.measured):>8}ms {_milliseconds(c.predicted):>8}ms  {c.name}" for c in measured[:16]]
    lines.append(
        f"{len(search.candidates)} candidates: {len(measured)} measured{f' ({search.known} of them before)' if search.known else ''}, "
        f"{len(refused)} refused" + (f"; rank correlation of {search.model} {correlation:.2f}" if correlation is not None else "")
    )
    diagnostics: list[dict[str, Any]] = []
    for one in wrong:
        diagnostics.append(Refused("tune.wrong-result", one.name, one.why).diagnostic())
    best = measured[0] if measured else None
    if best:
        options = "".join(f" --set {name}={value}" for name, value in best.set.items())
        lines.append(f"best: {best.name}" if best.schedule else f"best: --entry {best.entry}{options}")
        first = search.candidates[0]
        if first.measured and best.measured and best is not first:
            lines.append(f"{first.measured / best.measured:.2f} times as fast as the program as written")
        plain = search.baseline
        if plain and plain.measured and best.measured:
            lines.append(f"{plain.measured / best.measured:.2f} times as fast as without a schedule, {_milliseconds(plain.measured)} ms")
        if request["output"]:
            try:
                text = apply(source, best.set) + best.schedule
                runner.replace_file(request["output"], lambda file: file.write(text.encode()))
            except OSError as error:
                raise Refused("io.unwritable", request["output"], error.strerror, hint="give `-o` a file in a folder that may be written") from None
            lines.append(f"written: {request['output']}")
    elif not interrupted and not wrong:
        why = next((f"`{c.name}`: {c.why}" for c in search.candidates if c.why), "the budget is spent")
        raise Refused("tune.not-measured", why)
    if interrupted:
        lines.append(f"interrupted; what is known is kept in {request['kept']}")
    else:
        lines.append(f"kept: {request['kept']}")
    result = {
        "model": search.model,
        "sizes": search.sizes,
        "kept": request["kept"],
        "rank_correlation": correlation,
        "best": asdict(best) if best else None,
        "baseline": asdict(search.baseline) if search.baseline else None,
        "candidates": [asdict(c) for c in search.candidates],
        "interrupted": interrupted,
    }
    return _response("\n".join(lines) + "\n", result, diagnostics, interrupted=interrupted)


def _milliseconds(seconds: float | None) -> str:
    return "-" if seconds is None else f"{seconds * 1e3:.4g}"


def _response(text: str, result: dict[str, Any], diagnostics: list[dict[str, Any]], *, interrupted: bool = False) -> str:
    return json.dumps({"text": text, "result": result, "diagnostics": diagnostics, "interrupted": interrupted})
