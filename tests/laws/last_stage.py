"""A package's last stage, edited by hand (edits.py), is refused with a diagnostic that has a line of it, or the package that comes of it builds, runs and gives what the
edited stage gives under plain Python. Of edits that keep the meaning 95 % are taken.

    last_stage.py --host build/plain/bin/htp-host [--profile manifests/cpu.yaml] [PROGRAM.py …]

A slice (HTP_SLICE=7/4) has few edits of few programs; HTP_LONG=1 has many of every program. HTP_SEED=N takes others, HTP_KIND=int,name those of some kinds, and HTP_EDITS=N so many. The
oracle is Python alone; a machine's model, which takes the machine's place, may refuse what it is given, or what it is to run, and names a line too. No device is here: what is compiled
for one is compiled, and that is all. A package runs in a process of its own, with a limit of time, so that a crash or a hang is the mutant's.
"""

from __future__ import annotations

import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any, NoReturn

import htp
import programs
from driver import Report, call, main, options, settings, slice_of
from edits import Edit, edits
from inputs import SMALLER
from law5 import bound
from programs import Case, cases, compare, entry_of, import_program, outcomes, stages_of

EACH = int(os.environ.get("HTP_EDITS", 0)) or (40 if "HTP_LONG" in os.environ else 3)
"""Edits of a program's last stage."""
SEED = os.environ.get("HTP_SEED", "")
KINDS = frozenset(filter(None, os.environ.get("HTP_KIND", "").split(",")))
TAKEN = 0.95
"""The share of edits that keep the meaning and are accepted, at least, where there are enough to tell."""
CANCELLED = 64
"""Roundings that an edit may make count, beside those of the program: where it takes one number from another that is near."""
SECONDS = 60 if "HTP_LONG" in os.environ or "HTP_EVERY" in os.environ else 15
"""Of a processor, that a compile, Python or the package may take; with sanitizers, which HTP_EVERY goes with, four times as many."""
UNDECIDED = 0.03
"""The share of edits that Python itself takes longer for, at most."""
SIZES: dict[int, list[tuple[int, ...]]] = {0: [()], 1: [(7,), (70,)], 2: [(7, 37), (70, 9)], 3: [(7, 9, 5), (18, 33, 20)], 4: [(3, 5, 7, 2)]}

_counted: Counter[tuple[bool, str]] = Counter()
_kinds: Counter[tuple[str, str]] = Counter()


def check(package: Path, report: Report) -> None:
    """Edits of one package's last stage."""
    text = stages_of(package)[-1].read_text()
    import_program(text, "last_stage")  # its words are known from here on
    first = stages_of(package)[0]
    source = entry_of(import_program(first.read_text(), first.parent.name))
    turn, step = slice_of()
    seed = f"{package.name} {SEED or (turn if step > 1 else '')}"
    with tempfile.TemporaryDirectory() as folder:
        for number, edit in enumerate(edits(text, seed, EACH, KINDS)):
            verdict, found = judged(edit, source, Path(folder) / str(number))
            _counted[edit.keeps, verdict] += 1
            _kinds[edit.kind, verdict] += 1
            with report.checking(f"{package.name}: edit {number} of seed {seed!r}: {edit.kind} in line {edit.line}: {verdict}: {edit.what}"):
                report.all(found)
            if edit.keeps and verdict.startswith("refused") and "HTP_SHOW" in os.environ:
                print(f"{package.name}: {edit.kind} is refused: {edit.what}", *_said, sep="\n    ")


_said: list[str] = []


def judged(edit: Edit, source: htp.Entry, folder: Path) -> tuple[str, list[str]]:
    """What becomes of an edit: "refused", "equal", or what is wrong, in a word and in full."""
    stage, package = folder / "stage", folder / "package"
    stage.mkdir(parents=True)
    (stage / "program.py").write_text(edit.text)
    try:
        done = call([settings()[0], "--json", *settings()[1:], "compile", "--from-stage", stage, "-o", package], timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return "compiles without end", [f"more than {SECONDS} s"]
    if done.returncode == 0:
        verdict = ("accepted", []) if options().profile.stem == "a2a3" else run(edit, source, package)
        shutil.rmtree(folder)
        return verdict
    if done.returncode != 1:
        return "breaks the compiler", [f"exit {done.returncode}", done.stdout[-500:], done.stderr[-500:]]
    told = json.loads(done.stdout)["diagnostics"]
    _said[:] = [f"{one['code']}: {one['message']}" for one in told if one["severity"] == "error"]
    placed = [one["place"]["line"] for one in told if one["severity"] == "error" and one.get("place") and one["place"]["file"] == str(stage / "program.py")]
    if not any(0 < line <= edit.text.count("\n") for line in placed):
        return "refused without a line", [json.dumps(told)[:800]]
    return "refused", []


def run(edit: Edit, source: htp.Entry, package: Path) -> tuple[str, list[str]]:
    """Runs what an edit became, beside Python, in a process of its own."""
    said, told = package.parent / "verdict.json", package.parent / "stderr"
    child = os.fork()
    if child == 0:
        _child(edit, source, package, said, told)
    since = time.monotonic()
    while (ended := os.waitpid(child, os.WNOHANG))[0] == 0:
        if time.monotonic() - since > 20 * SECONDS:
            os.killpg(child, signal.SIGKILL)
            os.waitpid(child, 0)
            return "hangs", []
        time.sleep(0.005)
    with suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)
    if ended[1] or not said.exists():
        text = told.read_text(errors="replace")
        at = text.find("ERROR:")
        doing = said.with_suffix(".doing").read_text()
        signalled = os.WTERMSIG(ended[1]) if os.WIFSIGNALED(ended[1]) else 0
        if doing == "python" and signalled in (signal.SIGXCPU, signal.SIGKILL):  # which memory's end sends
            return "undecided", []
        if signalled == signal.SIGXCPU:
            return "hangs", [doing]
        return "crashes", [f"{doing}: status {ended[1]}", text[max(at, 0) :][:1200] if at >= 0 else text[-1200:]]
    word, found = json.loads(said.read_text())
    return word, found


def _child(edit: Edit, source: htp.Entry, package: Path, said: Path, told: Path) -> NoReturn:
    os.setpgid(0, 0)
    os.dup2(os.open(told, os.O_WRONLY | os.O_CREAT), 2)
    os.dup2(2, 1)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    status = 1
    try:
        said.write_text(json.dumps(_beside(edit, source, package, said.with_suffix(".doing"))))
        status = 0
    finally:
        sys.stderr.flush()
        os._exit(status)


def begin(doing: Path, what: str) -> None:
    """What is done from here on; it may take SECONDS."""
    doing.write_text(what)
    used = resource.getrusage(resource.RUSAGE_SELF)
    _, most = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (int(used.ru_utime + used.ru_stime) + SECONDS, most))


def _beside(edit: Edit, source: htp.Entry, package: Path, doing: Path) -> tuple[str, list[str]]:
    """What the package gives, beside what the stage gives under plain Python."""
    begin(doing, "python")
    try:
        entry = entry_of(import_program(edit.text, "edited"))
        chosen = list(cases(entry, sizes=_sizes(entry)))
    except Exception as error:
        return "Python refuses it", [f"{type(error).__name__}: {error}"]
    rounded = _roundings(source)
    begin(doing, "builds")
    with ExitStack() as stack:
        try:
            routine = stack.enter_context(bound(package))
        except htp.Diagnosed as error:  # a simulated machine verifies what it is given
            return ("refused when bound", []) if names_a_line(package, error) else ("refused without a line", [str(error)])
        for case in chosen:
            begin(doing, "python")
            try:
                (outcome,) = outcomes(entry, [case])
            except Exception as error:
                raised = f"at {case.name}: Python says {type(error).__name__}: {error}"
            else:
                raised = ""
            begin(doing, f"runs at {case.name}")
            arrays = case.fresh(routine)
            try:
                routine(*arrays)
            except htp.HtpError as error:
                if isinstance(error, htp.Diagnosed) and any(str(one["code"]).endswith("compiler-failed") for one in error.diagnostics):
                    return "does not build", [error.rendered[:1500]]
                if programs.modelled and not raised and isinstance(error, htp.Diagnosed) and names_a_line(package, error):
                    return "refused when run", []  # by a machine's model, of what only a run shows
                if not raised:
                    return "the package raises", [f"at {case.name}: {error}"]
                continue
            if raised:
                return "only Python raises", [raised]
            for name, length in rounded.items():
                if name in outcome.run.reduction_lengths:
                    outcome.run.reduction_lengths[name] = max(length, outcome.run.reduction_lengths[name]) + CANCELLED
            if found := compare(routine, arrays, outcome):
                return "differs", found
    return "equal", []


def names_a_line(package: Path, error: htp.Diagnosed) -> bool:
    """Whether a line of the stage is named, or one of what was emitted, which cites it."""
    if re.search(r"line \d+ of the last stage", error.rendered):
        return True
    for name, line in re.findall(r"([\w/.-]+\.(?:py|cpp|mlir)):(\d+)", error.rendered):
        if name.endswith("program.py"):
            return True
        for file in (package / "codegen").rglob(name):
            if any("program.py:" in above for above in file.read_text().splitlines()[: int(line)]):
                return True
    return False


def _roundings(source: htp.Entry) -> dict[str, int]:
    """Of each output the longest chain of roundings, on the program as written: an element at a time nobody sees sums."""
    lengths: dict[str, int] = {}
    for outcome in outcomes(source, list(cases(source, edges=False, sizes=_sizes(source)))):
        for name, length in outcome.run.reduction_lengths.items():
            lengths[name] = max(length, lengths.get(name, 1))
    return lengths


def _sizes(entry: htp.Entry) -> dict[int, list[tuple[int, ...]]]:
    smaller = SMALLER.get(entry.name)
    return {**SIZES, len(smaller[0]): smaller[:2]} if smaller else SIZES


def check_shares(report: Report) -> None:
    """What was refused, what was taken."""
    for keeps in (False, True):
        all_ = {verdict: count for (kept, verdict), count in sorted(_counted.items()) if kept == keeps}
        print("edits that keep the meaning:" if keeps else "edits that may change it:", sum(all_.values()), *(f"{verdict} {count}" for verdict, count in all_.items()), sep="  ")
    for kind in sorted({kind for kind, _ in _kinds}):
        print(f"    {kind}:", *(f"{verdict} {count}" for (one, verdict), count in sorted(_kinds.items()) if one == kind), sep="  ")
    kept = sum(count for (keeps, _), count in _counted.items() if keeps)
    with report.checking(f"{TAKEN:.0%} of what keeps the meaning is taken"):
        refused = sum(count for (keeps, verdict), count in _counted.items() if keeps and verdict.startswith("refused"))
        report.all([f"{refused} of {kept} are refused"] if refused > max((1 - TAKEN) * kept, 1) else [])
    undecided, every = _counted[False, "undecided"] + _counted[True, "undecided"], sum(_counted.values())
    with report.checking(f"Python takes too long for {UNDECIDED:.0%} at most"):
        report.all([f"for {undecided} of {every}"] if undecided > max(UNDECIDED * every, 1) else [])


if __name__ == "__main__":
    sys.exit(main(__doc__, check, last=check_shares))
