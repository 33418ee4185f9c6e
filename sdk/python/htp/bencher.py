"""What `htp-host bench` does: times packages, and functions of libraries, beside each other on the same arrays.

Each takes its turn in every round, so that what slows the machine down meets all of them. A round is a batch of runs that takes a few
milliseconds; its time is the median of these, which does not depend on how many there are. Where a call changes what it reads, a round is
one run, on the arrays as they were. Before they are timed, all have run once and are held against the first of them.
"""

from __future__ import annotations

import ctypes
import json
import math
import os
import random
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np

from htp import native, runner
from htp.bounds import differences
from htp.entry import Entry, Signature
from htp.errors import Diagnosed, HtpError, Refused
from htp.runner import shown_time as shown
from htp.testing import Case, entry_of, import_program, stages_of
from htp.tuner import Progress
from htp.work import work_of

BATCH: Final = 0.004
"""Seconds of a batch."""
ROUNDS: Final = 9
"""At least so many, however long they take: of fewer no interval holds the median with 95 %."""
PLACED: Final = 0.04
"""By so much two copies of one package differ, by where their code and data lie: of less no difference is claimed."""
COUNTING: Final = 3.0
"""Seconds that the count of operations may take."""


@dataclass
class Subject:
    """What is timed: a name, and what runs it so often on these arrays and tells the seconds of each run."""

    name: str
    signature: Signature
    times: Callable[[list[Any], int], list[float]]
    arrays: list[Any] = field(default_factory=list)
    runs: int = 1
    """In a batch."""
    rounds: list[float] = field(default_factory=list)
    """The time of each."""
    least: float = math.inf
    """Of all runs."""
    cores: float = 1.0
    """The processor's time by the time that passed."""


def bench(request_text: str) -> str:
    """Request and response as JSON, as host/cli/bench.cpp has them."""
    request: dict[str, Any] = json.loads(request_text)
    progress = Progress(request["progress"])
    opened: list[native.Package] = []
    try:
        return _bench(request, opened, progress)
    except Diagnosed as error:
        return _response("", {}, [runner.plain(diagnostic) for diagnostic in error.diagnostics])
    except Refused as error:
        return _response("", {}, [error.diagnostic()])
    finally:
        progress.end()
        for package in opened:
            package.close()


def _bench(request: dict[str, Any], opened: list[native.Package], progress: Progress) -> str:
    first = _package(request, request["package"], opened)
    given = (runner.read_arrays(request["inputs"]) if request["inputs"] else {}) | runner.scalars_of(first.signature, request["args"])
    sizes = runner.sizes_of(first.signature, given, request)
    runner.check_memory(first.signature, sizes)
    generator = np.random.default_rng(request["seed"])
    case = Case("these sizes", tuple(runner.array_for(p, given, sizes, generator, bool(request["inputs"])) for p in first.signature.parameters))
    subjects = [first, *(_against(request, text, first, sizes, opened) for text in request["against"])]
    diagnostics: list[dict[str, Any]] = []
    arrays = case.fresh(first.signature)  # the very same for all: where they lie in memory decides too
    expected: list[Any] = []
    for subject in subjects:
        progress.at(0, 1, f"running {subject.name}")
        subject.arrays = arrays
        for array, fresh in zip(arrays, case.fresh(first.signature)):
            array[...] = fresh
        try:
            subject.times(subject.arrays, 1)
        except HtpError as error:
            if isinstance(error, (Diagnosed, Refused)):
                raise
            raise Refused("run.bad-arguments", subject.signature.name, error) from None
        if subject is first:
            expected = [array.copy() for array in arrays]
        wrong = _spoils(case, subject) or _differs(first.signature, expected, subject, sizes)
        if wrong:
            diagnostics.append(Refused("bench.differs", subject.name, first.name, wrong).diagnostic())
    if diagnostics:
        return _response("", {}, diagnostics)
    progress.at(0, 1, "counting the operations")
    work = float(request["work"]) if request["work"] else _counted(request["package"], opened[0].modules, first, case)
    _measure(subjects, case, request["seconds"], progress)
    return _answer(request, subjects, sizes, work)


# ── what is timed ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def _package(request: dict[str, Any], path: str, opened: list[native.Package], other: bool = False) -> Subject:
    """Its entry of the name that is asked for; of another package its only one, where it has none of that name."""
    package = native.bind(path, profile=request["profile"] or None, plugin_path=request["plugin_path"])
    opened.append(package)
    routine = runner.routine_of(package, "" if other and request["entry"] not in package.routines else request["entry"])
    return Subject(path, routine, lambda arrays, runs: routine.timed(runs, *arrays))


def _against(request: dict[str, Any], text: str, first: Subject, sizes: dict[str, int], opened: list[native.Package]) -> Subject:
    path, colon, symbol = text.rpartition(":")
    if colon and not Path(text).is_dir():
        return _function(path, symbol, first.signature, sizes)
    other = _package(request, text, opened, other=True)
    ours, theirs = (", ".join(map(_shape_of, one.signature.parameters)) for one in (first, other))
    if ours != theirs:
        raise Refused("bench.other-parameters", other.name, theirs, ours)
    return other


def _shape_of(parameter: Any) -> str:
    kind = parameter.type
    return f"{parameter.direction} {kind.dtype.name} of {len(kind.extents)} dimensions"


def _function(path: str, symbol: str, signature: Signature, sizes: dict[str, int]) -> Subject:
    """A C function with a pointer for each parameter, and then the sizes of the dimensions, by their names' order."""
    try:
        function = getattr(ctypes.CDLL(os.path.abspath(path)), symbol)
    except (OSError, AttributeError) as error:
        raise Refused("bench.no-function", symbol, path, error) from None
    function.restype = None
    extents = [ctypes.c_int64(size) for _, size in sorted(sizes.items())]

    def times(arrays: list[Any], runs: int) -> list[float]:
        arguments = [*(ctypes.c_void_p(array.ctypes.data) for array in arrays), *extents]
        took = []
        for _ in range(runs):
            begin = time.perf_counter()
            function(*arguments)
            took.append(time.perf_counter() - begin)
        return took

    return Subject(f"{path}:{symbol}", signature, times)


def _spoils(case: Case, subject: Subject) -> str:
    """What is only read, and was written."""
    for parameter, before, array in zip(subject.signature.parameters, case.arrays, subject.arrays):
        if parameter.direction == "In" and before.tobytes() != array.tobytes():
            return f"it writes to {parameter.name}"
    return ""


def _differs(signature: Signature, expected: list[Any], other: Subject, sizes: dict[str, int]) -> str:
    """Where another differs from the first by more than the roundings of as many terms as there are elements along all dimensions."""
    terms = 8 + sum(sizes.values()) + sum(sum(array.shape) for array in expected)
    for parameter, wanted, actual in zip(signature.parameters, expected, other.arrays):
        if parameter.direction != "In":
            wrong = differences(actual, wanted, parameter.type.dtype, terms)
            if wrong:
                return f"{parameter.name}{wrong[0]}"
    return ""


def _counted(folder: str, modules: Sequence[str], first: Subject, case: Case) -> float | None:
    sys.path += [module for module in modules if module not in sys.path]
    try:
        source = stages_of(Path(folder))[0]
        program = import_program(source.read_text(), source.parent.name, source)
        entry: Entry = entry_of(program, first.signature.name)
        return work_of(entry, program, case.fresh(entry), COUNTING)
    except Exception:  # a package without stages is timed too
        return None


# ── the time ────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def _measure(subjects: list[Subject], case: Case, seconds: float, progress: Progress) -> None:
    changed = any(parameter.direction == "InOut" for parameter in subjects[0].signature.parameters)  # a round is one run then
    for subject in [] if changed else subjects:
        took = min(subject.times(subject.arrays, 2))
        while took * subject.runs < BATCH and subject.runs < 4096:
            subject.runs = min(4096, max(subject.runs * 2, math.ceil(BATCH / max(took, 1e-7))))
            took = min(subject.times(subject.arrays, subject.runs))
    chosen = random.Random(0)  # in order and length no two rounds are alike: what comes at regular times meets all as often
    begin = time.monotonic()
    rounds = 0
    while rounds < ROUNDS or time.monotonic() - begin < seconds:
        progress.at(min(int((time.monotonic() - begin) / max(seconds, 1e-9) * 100), 99), 100, f"round {rounds + 1}")
        for subject in chosen.sample(subjects, len(subjects)):
            if changed:
                for array, fresh in zip(subject.arrays, case.fresh(subject.signature)):
                    array[...] = fresh
            passed, worked = time.perf_counter(), time.process_time()
            times = subject.times(subject.arrays, math.ceil(subject.runs * chosen.uniform(0.5, 1.5)) if subject.runs > 1 else 1)
            passed, worked = time.perf_counter() - passed, time.process_time() - worked
            subject.rounds.append(statistics.median(times))
            subject.least = min(subject.least, *times)
            subject.cores = max(1.0, worked / passed) if rounds == 0 else min(subject.cores, max(1.0, worked / passed))
        rounds += 1


def _ratio(one: Subject, other: Subject) -> tuple[float, float, float]:
    """How many times as long `one` takes as `other`, the median over the rounds, and between which the true median lies with 95 %."""
    ratios = sorted(a / b for a, b in zip(one.rounds, other.rounds))
    n = len(ratios)
    reach = math.ceil(0.98 * math.sqrt(n))  # of the ranks, by the binomial distribution
    return statistics.median(ratios), ratios[max(n // 2 - reach, 0)], ratios[min((n - 1) // 2 + reach, n - 1)]


# ── what came out ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def _answer(request: dict[str, Any], subjects: list[Subject], sizes: dict[str, int], work: float | None) -> str:
    first = subjects[0]
    read = float(sum(a.nbytes for p, a in zip(first.signature.parameters, first.arrays) if p.direction != "Out"))
    written = float(sum(a.nbytes for p, a in zip(first.signature.parameters, first.arrays) if p.direction != "In"))
    roof = native.roof(int(read + written))
    by_memory = 2 * min(read, written) / roof["copy"] + abs(read - written) / (roof["read"] if read > written else roof["copy"])
    chosen = ", ".join(f"{name}={size}" for name, size in sizes.items())
    lines = [f"{first.signature.name}{f' at {chosen}' if chosen else ''}: {_bytes(read)} read, {_bytes(written)} written" + (f", {_si(work)} operations" if work else "")]
    lines.append(f"one core of this machine: {roof['flops'] * 1e-9:.4g} Gop/s (multiply-adds of f32); {roof['read'] * 1e-9:.4g} GB/s read of so much memory")
    width = max(len(subject.name) for subject in subjects)
    lines.append(f"{'':{width}}  {'min':>9} {'median':>9} {'spread':>7} {'GB/s':>7} {'Gop/s':>7}  of the roof" + ("   time by the first's" if len(subjects) > 1 else ""))
    rows = []
    for subject in subjects:
        least, median = subject.least, statistics.median(subject.rounds)
        quarters = statistics.quantiles(subject.rounds, n=4)
        spread = (quarters[2] - quarters[0]) / median
        by_compute = work / (roof["flops"] * subject.cores) if work else 0.0
        bound, least_possible = max(("compute", by_compute), ("memory", by_memory), key=lambda one: one[1])
        share = least_possible / least if least > 0 else 0.0
        text = f"{subject.name:{width}}  {shown(least):>9} {shown(median):>9} {spread * 100:>6.1f}% {(read + written) / least * 1e-9:>7.4g} "
        text += f"{work / least * 1e-9:>7.4g}" if work else f"{'-':>7}"
        text += f"  {share * 100:>3.0f} % {bound}" + (f", {subject.cores:.1f} cores" if subject.cores > 1.2 else "")
        row: dict[str, Any] = {
            "name": subject.name, "min": least, "median": median, "spread": spread, "rounds": len(subject.rounds), "runs": subject.runs, "cores": subject.cores,
            "bytes_per_second": (read + written) / least, "operations_per_second": work / least if work else None,
            "roof": {"bound": bound, "share": share},
        }  # fmt: skip
        if subject is not first:
            times, low, high = _ratio(subject, first)
            row["ratio"] = {"median": times, "low": low, "high": high, "different": low > 1 + PLACED or high < 1 / (1 + PLACED)}
            text += f"   {times:.3f} ({low:.3f} to {high:.3f})" + ("" if row["ratio"]["different"] else ": no difference is shown")
        rows.append(row)
        lines.append(text.rstrip())
    if work is None:
        lines.append(f"plain Python took longer than {COUNTING:g} s to count the operations: `--work N` gives their number")
    result = {
        "entry": first.signature.name, "sizes": sizes, "bytes": {"read": read, "written": written}, "operations": work,
        "roof": {"operations_per_second": roof["flops"], "read": roof["read"], "copy": roof["copy"]}, "timed": rows,
    }  # fmt: skip
    return _response("\n".join(lines) + "\n", result, [])


def _si(number: float) -> str:
    unit, name = next(((unit, name) for unit, name in ((1e12, " T"), (1e9, " G"), (1e6, " M"), (1e3, " k")) if number >= unit), (1.0, " "))
    return f"{number / unit:.4g}{name}".rstrip()


def _bytes(number: float) -> str:
    unit, name = next(((unit, name) for unit, name in ((2.0**30, "GiB"), (2.0**20, "MiB"), (2.0**10, "KiB")) if number >= unit), (1.0, "bytes"))
    return f"{number / unit:.4g} {name}"


def _response(text: str, result: dict[str, Any], diagnostics: list[dict[str, Any]]) -> str:
    return json.dumps({"text": text, "result": result, "diagnostics": diagnostics})
