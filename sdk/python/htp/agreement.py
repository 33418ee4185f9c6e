"""Whether programs compute the same: calls that a source runs under plain Python, and what a stage, or a package, makes of them.

It is what `htp-host verify`, `bisect` and `minimize` ask. The source says what is right; two results agree within the one bound of their dtype
(`htp.differences`), or, of a float, within what the source's own result moves when its inputs do by a rounding: where a sum cancels and is divided by, right
computations lie further apart than any bound on roundings says.
"""

from __future__ import annotations

import ast
import contextlib
import ctypes
import json
import math
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np

from htp import runner
from htp.asynchronous import timing
from htp.dims import gives, measured
from htp.entry import Entry, Signature
from htp.errors import HtpError, Refused
from htp.nodes import is_header
from htp.testing import SIZES, Case, Outcome, compare, entry_of, import_program, random_array
from htp.values import Value

ORDERS: Final[tuple[str | int, ...]] = ("late", "early", 0, 1)
"""In which what runs beside other things may end under plain Python; a first call has all of them."""
PATIENCE: Final = 30.0
"""Seconds that one call may take at most, whatever its share is: a broken loop need not end."""


CONSTANTS: Final = 16
"""Ints of stages around which sizes are taken."""
LARGEST: Final = 1 << 15
"""What an int of a stage may be to be a size."""
UNENDED: Final = "it does not end"
BEHIND: Final = "it fails behind other calls, and not alone"
LENGTHS: Final = " with ints around 0"
BATCH: Final = 32 << 20
"""Bytes of arrays that a process is given at once, about."""
SENSITIVE: Final = 8.0
"""By so many times what the source's result moves, when its inputs do by a rounding, right results may lie apart."""


class TooLong(Exception):
    """A call was ended from outside."""


@contextlib.contextmanager
def within(seconds: float) -> Iterator[None]:
    """Raises TooLong inside when it takes longer. What runs has to come back to Python for that."""
    ended = threading.Lock()
    over = False

    def end() -> None:
        with ended:
            for thread in () if over else set(sys._current_frames()) - {threading.get_ident()}:  # of processes too
                ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(TooLong))

    timer = threading.Timer(seconds, end)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        with ended:
            over = True
        timer.cancel()


@dataclass
class Verdict:
    """What was found of a program, held against the source."""

    calls: int = 0
    """That agree."""
    differs: list[str] = field(default_factory=list)
    """Where the first call that does not agree differs, or what it raised."""
    outcome: Outcome | None = None
    """That call, as the source has it."""
    unshown: str = ""
    """Why it was not held against the source at all."""

    @property
    def agrees(self) -> bool:
        return self.calls > 0 and not self.differs


@dataclass
class Calls:
    """Calls that the source runs, the smallest first."""

    source: Entry | None
    outcomes: list[Outcome]
    refused: list[str]
    """What the source said of others."""
    _moved: dict[int, list[Any]] = field(default_factory=dict)

    def differences(self, entry: Signature, arrays: list[Any], outcome: Outcome) -> list[str]:
        """Where what such a call left in its outputs is another result than the source's."""
        differs = compare(entry, arrays, outcome)
        if not differs or self.source is None:
            return differs
        if id(outcome) not in self._moved:
            self._moved[id(outcome)] = _moves(self.source, outcome)
        nearer = list(arrays)
        for number, (parameter, moves) in enumerate(zip(entry.parameters, self._moved[id(outcome)])):
            if parameter.direction != "In" and moves is not None and arrays[number].shape == moves.shape:
                dtype = parameter.type.dtype
                actual, wanted = (dtype.decode(of).astype(np.float64) for of in (arrays[number], outcome.arrays[number]))
                with np.errstate(all="ignore"):
                    near = np.isfinite(actual) & (np.abs(actual - wanted) <= SENSITIVE * moves)
                nearer[number] = np.where(near, outcome.arrays[number], arrays[number])
        return compare(entry, nearer, outcome)

    @property
    def entry(self) -> Entry:
        """The source."""
        assert self.source is not None
        return self.source

    def described(self) -> str:
        """In words: how many, at which sizes."""
        if not self.outcomes:
            return "no call"
        sizes: dict[str, list[int]] = {}
        for outcome in self.outcomes:
            for name, size in outcome.run.sizes.items():
                sizes.setdefault(name, []).append(size)
        spans = [f"{name}={min(of)}" if min(of) == max(of) else f"{name}={min(of)}…{max(of)}" for name, of in sorted(sizes.items())]
        strange = sum(outcome.case.name.endswith((" edges", " values")) for outcome in self.outcomes)
        text = f"{len(self.outcomes)} call{'s' * (len(self.outcomes) != 1)}" + (f" at {', '.join(spans)}" if spans else "")
        return text + (f", {strange} of them with zeros, infinities, NaN, denormals, extremes or many equals" if strange else "")


def find_modules(folders: Sequence[str]) -> None:
    """Puts the Python packages of plugins where `import` finds them."""
    sys.path += [folder for folder in folders if folder not in sys.path]


def program_at(path: Path, name: str | None = None) -> Entry:
    """The entry of a program or a stage. Raises Refused when Python does not run its module."""
    try:
        return entry_of(import_program(compile(path.read_text(), str(path), "exec"), path.parent.name, path), name)
    except Exception as error:
        raise Refused("run.stage-fails", path.parent.name, told(error)) from None


def source_at(path: Path, name: str) -> Entry:
    """The program that a package was compiled from: its entry, or the one that is asked for."""
    entry = program_at(path)
    if name and entry.name != name:
        raise Refused("bind.unknown-entry", name, hint=f"it has {entry.name}")
    return entry


def called_alike(one: Signature, other: Signature) -> bool:
    """Whether two entries take the same arguments; a dimension is none of the sizes it may have."""
    try:
        return one.parameters == other.parameters
    except HtpError:  # a dimension here is a number there
        return False


def told(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__


def calls_of(source: Entry, asked: Mapping[str, Any], end: float, stages: Iterable[Path] = (), first: str = "", patience: float = PATIENCE) -> Calls:
    """Calls of the source: the one that the command line describes by inputs, sizes or scalars, else of many sizes with ordinary and special values, also
    around each number that stands in the stages: blocks, and sizes at which something else is done.
    Those that the source refuses are left out, and others tried in their place. `end` by time.monotonic(): there is one call at least. `first`: the name of a call that comes first."""
    found = Calls(source, [], [])
    cases = _asked_case(source, asked) if _asks(asked) else _made_cases(source, int(asked.get("seed", 0)), constants_of(stages))
    for case in sorted(cases, key=lambda one: one[0] != first) if first else cases:
        name, ways = case
        for arrays in ways:
            try:
                one = Case(name, arrays())
                copies = one.fresh(source)
                with within(patience):
                    run = source.run(*copies)
                found.outcomes.append(Outcome(one, copies, run))
                break
            except Exception as error:  # whatever a program raises
                found.refused.append(f"{name}: {told(error)}")
        if found.outcomes and time.monotonic() > end:
            break
    return found


def _moves(source: Entry, outcome: Outcome) -> list[Any]:
    """Of each output of floats how far each element moves at most when the inputs do by two roundings; zeros stay zeros."""
    most: list[Any] = [None] * len(outcome.arrays)
    for seed in range(4):
        generator = np.random.default_rng(seed)
        arrays = outcome.case.fresh(source)
        for parameter, array in zip(source.parameters, arrays):
            dtype = parameter.type.dtype
            if parameter.direction != "Out" and dtype.element.kind == "f":
                with np.errstate(all="ignore"):
                    wide = dtype.decode(array).astype(np.float64)
                    array[...] = dtype.encode(dtype.convert(wide * (1 + 2 * dtype.unit * generator.choice([-1.0, 1.0], array.shape))))
        try:
            with within(PATIENCE):
                source.run(*arrays)
        except Exception:  # so near there is something else
            continue
        for number, (parameter, moved, wanted) in enumerate(zip(source.parameters, arrays, outcome.arrays)):
            dtype = parameter.type.dtype
            if parameter.direction != "In" and dtype.element.kind == "f":
                with np.errstate(all="ignore"):
                    by = np.abs(dtype.decode(moved).astype(np.float64) - dtype.decode(wanted).astype(np.float64))
                by = np.where(np.isfinite(by), by, 0.0)
                most[number] = by if most[number] is None else np.maximum(most[number], by)
    return most


Ways = list[Callable[[], tuple[Any, ...]]]


def _asks(asked: Mapping[str, Any]) -> bool:
    return bool(asked.get("inputs") or asked.get("dims") or asked.get("args"))


def _asked_case(source: Entry, asked: Mapping[str, Any]) -> list[tuple[str, Ways]]:
    given = runner.read_arrays(asked["inputs"]) if asked.get("inputs") else {}
    unknown = sorted(set(given) - {parameter.name for parameter in source.parameters})
    if unknown:
        raise Refused("run.unknown-input", asked["inputs"], unknown[0], source.name)
    given |= runner.scalars_of(source, asked.get("args", {}))
    sizes = runner.sizes_of(source, given, {"dims": asked.get("dims", {})})
    runner.check_memory(source, sizes)
    generator = np.random.default_rng(asked.get("seed", 0))
    arrays = tuple(runner.array_for(parameter, given, sizes, generator, bool(asked.get("inputs"))) for parameter in source.parameters)
    at = ", ".join(f"{name}={size}" for name, size in sizes.items())
    return [(at or "the arrays given", [lambda: arrays])]


def constants_of(stages: Iterable[Path]) -> list[int]:
    """The ints that stand in stages, those of the first ones first: few of them, and none that is no size."""
    found: dict[int, None] = {}
    for path in stages:
        for node in (one for statement in ast.parse(path.read_text()).body if not is_header(statement) for one in ast.walk(statement)):
            if isinstance(node, ast.Constant) and type(node.value) is int and 2 <= node.value <= LARGEST:
                found.setdefault(node.value)
    return list(found)[:CONSTANTS]


def _made_cases(source: Signature, seed: int, constants: Sequence[int]) -> Iterator[tuple[str, Ways]]:
    """The smallest of usual sizes; each dimension by itself around each constant, and ints likewise; the other usual sizes, and such as blocks divide, for
    programs that take no others."""
    names = sorted({of[0] for parameter in source.parameters for extent in parameter.type.extents if (of := gives(extent))})
    draw = random.Random(f"{source.name} {seed}")
    usual = list(SIZES.get(len(names), [])) or [tuple(draw.choice((1, 2, 3, 5, 7, 8, 9, 16)) for _ in names) for _ in range(7)]
    even = [tuple(16 * draw.choice((1, 2, 3, 4, 8)) for _ in names) for _ in range(4)] if names else []
    usual.sort(key=math.prod)
    around = [tuple(size if name == one else draw.choice((1, 2, 3)) for name in names) for constant in sorted(constants) for one in names for size in (constant + 1, 2 * constant + 1, constant)]
    number = 0
    for chosen, ints in [*((one, None) for one in usual[:3]), *((one, None) for one in around), *_ints_around(source, usual, constants), *((one, None) for one in usual[3:] + sorted(even, key=math.prod))]:
        bound = dict(zip(names, chosen))
        if any(measured(extent, bound) < 0 for parameter in source.parameters for extent in parameter.type.extents):
            continue
        at = ", ".join(f"{name}={size}" for name, size in bound.items()) or "no size"
        extents = [measured(extent, bound) for parameter in source.parameters for extent in parameter.type.extents]
        if ints is not None:
            at += f" with ints of {ints}"
        for values in ("",) if ints is not None or chosen in around else ("", " with edges", " with few values", *([LENGTHS] if _has_ints(source) else [])):
            number += 1
            yield at + values, _ways(source, bound, min(extents, default=1), (seed, number), values.strip(), ints)


def _ints_around(source: Signature, sizes: Sequence[tuple[int, ...]], constants: Sequence[int]) -> list[tuple[tuple[int, ...], int]]:
    """For an entry that takes ints: calls with each constant, and its neighbours, for them."""
    if not any(parameter.type.form == "int" for parameter in source.parameters):
        return []
    return [(sizes[k % min(len(sizes), 3)], value) for constant in sorted(constants) for k, value in enumerate((constant + 1, constant, constant - 1, 2 * constant))]


def _has_ints(source: Signature) -> bool:
    return any(parameter.type.dtype.element.kind in "iu" or parameter.type.form == "int" for parameter in source.parameters)


def _ways(source: Signature, bound: dict[str, int], least: int, seed: tuple[int, int], values: str, ints: int | None) -> Ways:
    """Arrays with any integers; with such as index the smallest dimension; with zeros in their place. As lengths they are around 0, and up to that dimension."""

    def made(below: int | None, lowest: int = 0) -> Callable[[], tuple[Any, ...]]:
        def arrays() -> tuple[Any, ...]:
            generator = np.random.default_rng(seed)
            found = [random_array(parameter.type, bound, generator, values == "with edges", below, lowest) for parameter in source.parameters]
            if ints is not None:
                found = [np.asarray(ints, np.int64) if parameter.type.form == "int" else array for parameter, array in zip(source.parameters, found)]
            if values == "with few values":
                for parameter, array in zip(source.parameters, found):
                    if parameter.type.dtype.element.kind == "f":
                        array[...] = _few(parameter.type.dtype, array.shape, generator)
            return tuple(found)

        return arrays

    if values == LENGTHS.strip():
        return [made(least + 1, -4), made(2, -2), made(1, -1)]
    return [made(None), made(least), made(1)] if _has_ints(source) else [made(None)]


def _few(dtype: type[Value], shape: tuple[int, ...], generator: np.random.Generator) -> Any:
    """Floats of which most are equal to others, in each row another value: what orders, chooses or compares has to decide among them."""
    choices = np.array([-1.0, 0.0, -0.0, 1.0, np.inf, -np.inf, np.nan])
    usual = choices[generator.choice(len(choices), (*shape[:1], *[1] * (len(shape) - 1)), p=[0.4, 0.2, 0.1, 0.15, 0.05, 0.05, 0.05])]
    values = np.where(generator.random(shape) < 0.85, usual, choices[generator.choice(len(choices), shape)])
    return dtype.encode(dtype.convert(np.asarray(values)))


def held(entry: Entry, calls: Calls, end: float, *, all_orders: bool = True, patience: float = PATIENCE) -> Verdict:
    """A stage, held against the source, until `end` by time.monotonic(): one call at least."""
    verdict = Verdict()
    for number, outcome in enumerate(calls.outcomes):
        if verdict.calls and time.monotonic() > end:
            break
        for order in ORDERS if number == 0 and all_orders else (ORDERS[number % len(ORDERS)],):
            differs = difference(entry, outcome, order, patience, calls)
            if differs == ["TooLong"]:
                if not verdict.calls:
                    verdict.unshown = f"a call takes longer than {patience:.0f} s, at {outcome.case.name}"
                return verdict
            if differs:
                verdict.differs, verdict.outcome = differs, outcome
                return verdict
        verdict.calls += 1
    if not calls.outcomes:
        verdict.unshown = "the source runs none of the calls" + (f": {calls.refused[-1]}" if calls.refused else "")
    return verdict


def difference(entry: Entry, outcome: Outcome, order: str | int = "late", patience: float = PATIENCE, calls: Calls | None = None) -> list[str]:
    """Where a stage's results of one call are others than the source's; what it raised counts as that, and a call that does not end as `TooLong`."""
    try:
        arrays = outcome.case.fresh(entry)
        with within(patience), timing(order):
            entry.run(*arrays)
    except TooLong:
        return ["TooLong"]
    except Exception as error:
        return [f"at {outcome.case.name}: {told(error)}"]
    return calls.differences(entry, arrays, outcome) if calls else compare(entry, arrays, outcome)


def held_on_target(package: Path, name: str, request: Mapping[str, Any], calls: Calls, end: float, patience: float | None = None) -> Verdict:
    """A package, built and run on its target, held against the source. An htp-host of its own makes the calls; one that does not end well is made once more by
    itself, so that what it does is told of it.
    `patience`: seconds behind the end after which a call says nothing; without them one that does not end, or that is refused behind others, differs."""
    verdict = Verdict()
    options = ["--plugins", request["profile"]] if request.get("profile") else []
    options += [word for folder in request.get("plugin_path", ()) for word in ("--plugin-path", folder)]
    command = [request["host"], "--json", *options, "run", str(package), "--entry", name]

    def limit() -> float:
        return max(end - time.monotonic(), 0) + (2 * PATIENCE if patience is None else patience)

    with tempfile.TemporaryDirectory() as folder, contextlib.closing(_ran_all(command, Path(folder), calls, limit)) as runs:
        for outcome in calls.outcomes:
            if verdict.calls and time.monotonic() > end:
                break
            found, outputs = next(runs)
            unknown = bool(found) and (not found.startswith("it ") or (patience is not None and found == UNENDED))
            if unknown and (patience is not None or not verdict.calls):
                verdict.unshown = f"at {outcome.case.name}: {found}" if verdict.calls or found == UNENDED else found
                return verdict
            differs = [f"at {outcome.case.name}: {found}"] if found else _left(outputs, calls, outcome)
            if differs:
                verdict.differs, verdict.outcome = differs, outcome
                return verdict
            verdict.calls += 1
    if not calls.outcomes:
        verdict.unshown = "the source runs none of the calls"
    return verdict


def _ran_all(command: Sequence[str], folder: Path, calls: Calls, limit: Callable[[], float]) -> Generator[tuple[str, Path], None, None]:
    """Of each call what went wrong with it, and the file of its outputs. `limit`: the seconds that one may take from now on."""
    rest = list(calls.outcomes)
    while rest:
        inputs, outputs = (Path(tempfile.mkdtemp(prefix=name, dir=folder)) for name in ("in", "out"))
        files: list[str] = []
        while len(files) < len(rest) and sum((inputs / file).stat().st_size for file in files) < BATCH:
            files.append(f"{len(files):04}.npz")
            given = {parameter.name: array for parameter, array in zip(calls.entry.parameters, rest[len(files) - 1].case.arrays)}
            runner.write_arrays(str(inputs / files[-1]), given)
        process = subprocess.Popen([*command, "--inputs", str(inputs), "--outputs", str(outputs)], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            for file in files:
                last = file == files[-1]
                found = _came(outputs / file, process, limit(), last)
                ended = bool(found)
                if found not in ("", UNENDED):  # by itself: what it says then is of this call
                    alone = [*command, "--inputs", str(inputs / file), "--outputs", str(outputs / file)]
                    found = _ran(alone, limit()) or ("" if file == files[0] else BEHIND)
                rest.pop(0)
                yield found, outputs / file
                if ended:
                    break
        finally:
            _end(process)
        shutil.rmtree(inputs)
        shutil.rmtree(outputs)


def _came(file: Path, process: subprocess.Popen[bytes], seconds: float, last: bool) -> str:
    """What kept a process from writing a file, which of the last one is also that it has to end well."""
    end = time.monotonic() + seconds
    while last or not file.exists():
        code = process.poll()
        if code is not None and (code != 0 or not file.exists()):
            return "it ends"
        if code is not None:
            break
        if time.monotonic() > end:
            return UNENDED
        time.sleep(0.002)
    return ""


def _end(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        process.kill()
        process.wait()


def _ran(command: Sequence[str], seconds: float) -> str:
    """What went wrong, in words."""
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", timeout=seconds)
    except subprocess.TimeoutExpired:
        return UNENDED
    if done.returncode == 0:
        return ""
    if done.returncode < 0:
        return f"it crashes, with {signal.Signals(-done.returncode).name}"
    try:
        told = [one for one in json.loads(done.stdout)["diagnostics"] if one["severity"] != "warning"]
    except (ValueError, KeyError):
        return f"it ends with exit code {done.returncode}"
    crash = [one for one in told if one["code"] == "cli.plugin-crashes"]
    return f"it crashes: {crash[0]['message']}" if crash else str(told[0]["message"]) if told else f"it ends with exit code {done.returncode}"


def _left(outputs: Path, calls: Calls, outcome: Outcome) -> list[str]:
    found = runner.read_arrays(str(outputs))
    arrays = [found.get(parameter.name, array) for parameter, array in zip(calls.entry.parameters, outcome.arrays)]
    return calls.differences(calls.entry, arrays, outcome)
