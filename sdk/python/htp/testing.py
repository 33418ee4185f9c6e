"""Tests of plugins: programs are compiled with htp-host, and every stage of them must mean the same.

    class Folding(testing.PluginTest):
        profile = Path("profile.yaml")

        def test_constants_are_folded(self) -> None:
            package = self.compile(Path("examples/scale.py"))
            self.assertIn("tile.full(f32, 6.0", package.stage("acme.fold"))
            self.assert_agrees(package)

`htp_add_test` of the SDK's CMake package runs such files. By hand, two variables say what is tested: HTP_HOST, the program (`htp-host` by
PATH without it), and HTP_PLUGIN_PATH, the folders of plugins, colon separated.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import types
import unittest
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from htp.bounds import differences
from htp.dims import gives, measured
from htp.edges import specials
from htp.entry import Entry, Run, Signature
from htp.layouts import array as laid_out
from htp.layouts import places
from htp.native import Routine, bind
from htp.tensors import ShapedType

SIZES: dict[int, list[tuple[int, ...]]] = {
    0: [()],
    1: [(1,), (7,), (8,), (37,), (64,), (100,), (257,)],
    2: [(7, 37), (1, 1), (8, 64), (1, 100), (100, 1), (37, 100)],
    3: [(7, 9, 5), (1, 1, 1), (8, 8, 8), (7, 37, 70), (17, 33, 65), (65, 66, 7), (64, 16, 32)],
    4: [(3, 5, 7, 2), (1, 1, 1, 1), (8, 9, 4, 8)],
}
"""For each number of dimensions the sizes at which programs run: some divide evenly by usual block sizes, most do not."""
FEW: dict[int, list[tuple[int, ...]]] = {0: [()], 1: [(7,), (100,)], 2: [(7, 37), (8, 64)], 3: [(7, 9, 5), (17, 33, 65)], 4: [(3, 5, 7, 2)]}
"""Some of them, where there are many programs."""


@dataclass(frozen=True)
class Case:
    """The arguments of one call."""

    name: str
    arrays: tuple[Any, ...]

    def fresh(self, entry: Signature) -> list[Any]:
        """Copies of the arrays, with what is only written poisoned."""
        copies = [_lying(parameter.type, array) for parameter, array in zip(entry.parameters, self.arrays)]
        for parameter, array in zip(entry.parameters, copies):
            if parameter.direction == "Out":
                dtype = parameter.type.dtype
                array[...] = dtype.encode(np.full(array.shape, dtype.poison, dtype.element))
        return copies


def _lying(kind: ShapedType, array: Any) -> Any:
    """A copy that lies as a type says. A stage may cut dimensions at the blocks in which they lie, and takes the storage then."""
    if kind.layout is None or (array.ndim == 1 and len(kind.extents) > 1):  # a storage lies as it is
        return array.copy()
    if array.ndim == len(kind.extents):
        return laid_out(array, kind.layout)
    shape = tuple(extent for extent in kind.extents if isinstance(extent, int))
    where = places(kind.layout, shape)
    storage = np.zeros(int(where.max(initial=-1)) + 1, array.dtype)
    storage[where] = array.reshape(shape)
    return storage


def cases(entry: Entry, *, edges: bool = True, sizes: dict[int, list[tuple[int, ...]]] = SIZES) -> Iterator[Case]:
    """Calls of an entry at all sizes: with ordinary values, and (`edges`) with zeros, infinities, NaN, denormals or extremes among them."""
    names = sorted({given[0] for parameter in entry.parameters for extent in parameter.type.extents if (given := gives(extent))})
    for number, chosen in enumerate(sizes.get(len(names), [])):
        bound = dict(zip(names, chosen))
        if any(measured(extent, bound) < 0 for parameter in entry.parameters for extent in parameter.type.extents):
            continue
        at = ", ".join(f"{name}={size}" for name, size in bound.items())
        for strange in (False, True) if edges else (False,):
            generator = np.random.default_rng([number, strange])
            arrays = tuple(random_array(parameter.type, bound, generator, strange) for parameter in entry.parameters)
            yield Case(at + (" with edges" if strange else ""), arrays)


def random_array(kind: ShapedType, sizes: dict[str, int], generator: np.random.Generator, strange: bool, below: int | None = None, least: int = 0) -> Any:
    """An array of that type at these sizes, with special values here and there where it is `strange`. With `below` its integers are such as index
    that many elements, and from `least` on."""
    dtype = kind.dtype
    shape = tuple(measured(extent, sizes) for extent in kind.extents)
    if below is not None and dtype.element.kind in "iu":
        return np.asarray(generator.integers(max(least, int(np.iinfo(dtype.element).min)), max(below, 1), shape)).astype(np.int64 if kind.form == "int" else dtype.storage)
    if kind.form == "int":  # as a count or an index is, below 0 and above sizes too
        return np.asarray(generator.integers(-8, 80), np.int64)
    if dtype.element.kind == "f":
        values = np.asarray(dtype.convert(np.asarray(generator.standard_normal(shape)) * 1.5))
    elif dtype.element.kind == "b":
        values = np.asarray(generator.integers(0, 2, shape)).astype(np.bool_)
    else:
        limits = np.iinfo(dtype.element)
        values = np.asarray(generator.integers(max(limits.min, -1000), min(limits.max, 1000), shape, dtype.element, endpoint=True))
    if strange and values.size:
        choices = specials(dtype)
        if dtype.element.kind == "f":  # sums that overflow on the way depend on their order, which is free
            choices = [value for value in choices if not 1e3 < abs(float(value)) < float("inf")]
        for place in generator.choice(values.size, max(1, values.size // 12), replace=False):
            values.flat[place] = choices[generator.integers(len(choices))]
    return np.asarray(dtype.encode(values), order="C")


def import_program(source: str | types.CodeType, name: str, path: Path | None = None) -> types.ModuleType:
    """Runs a program's or a stage's text, or what it was compiled to, as a module of its own, that nothing else sees. `path` is where it stands,
    for what it reads beside it."""
    module = types.ModuleType(name)
    module.__file__ = str(path) if path else name
    if isinstance(source, str):
        module.__dict__["__htp_text__"] = source  # what an index looks at (htp/indices.py)
    sys.modules[name] = module
    try:
        exec(compile(source, name, "exec") if isinstance(source, str) else source, module.__dict__)
    finally:
        del sys.modules[name]
    return module


def entry_of(module: types.ModuleType, name: str | None = None) -> Entry:
    """The entry a stage's header names; of a program without a header the last one that is defined."""
    header = getattr(module, "__htp_stage__", None)
    wanted = name or (header.entry if header is not None else None)
    entries = [value for value in vars(module).values() if isinstance(value, Entry)]
    if wanted is not None:
        entries = [entry for entry in entries if entry.name == wanted]
    if not entries:
        raise LookupError(f"{module.__name__} has no entry {wanted or ''}")
    return entries[-1]


def stages_of(package: Path) -> list[Path]:
    """The program.py of each stage of a package, in order."""
    stages = sorted(package.glob("ir/stages/*/program.py"), key=lambda path: path.parent.name)
    if not stages:
        raise LookupError(f"{package} has no stages")
    return stages


@dataclass(frozen=True)
class Outcome:
    """What a call left in its arguments, and how exact that is."""

    case: Case
    arrays: list[Any]
    run: Run


def outcomes(entry: Entry, chosen: list[Case]) -> list[Outcome]:
    """Runs an entry under plain Python on each case."""
    found = []
    for case in chosen:
        arrays = case.fresh(entry)
        found.append(Outcome(case, arrays, entry.run(*arrays)))
    return found


def compare(entry: Signature, arrays: list[Any], expected: Outcome) -> list[str]:
    """Where what a call left in its outputs differs from what was expected, by the one bound."""
    found = []
    for parameter, actual, wanted in zip(entry.parameters, arrays, expected.arrays):
        if parameter.direction != "In":
            length = expected.run.reduction_lengths[parameter.name]
            for difference in differences(actual, wanted, parameter.type.dtype, length)[:3]:
                found.append(f"at {expected.case.name}: {parameter.name}{difference}")
    return found


# ── plugins ──


def host() -> str:
    """The htp-host that is tested."""
    return os.environ.get("HTP_HOST", "htp-host")


def plugin_path() -> list[Path]:
    """The folders of plugins that are tested."""
    return [Path(folder) for folder in os.environ.get("HTP_PLUGIN_PATH", "").split(":") if folder]


def run_host(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Runs htp-host on the plugins that are tested, and keeps what it says."""
    command = [host(), *(word for folder in plugin_path() for word in ("--plugin-path", str(folder))), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True)


def find_modules() -> None:
    """Puts the Python modules of plugins where `import` finds them: those that are tested, and those installed with htp-host."""
    found = Path(shutil.which(host()) or host()).resolve().parent.parent
    for folder in [*plugin_path(), found / "plugins", found / "lib/htp/plugins"]:
        sys.path += [str(python) for python in sorted(folder.glob("*/python")) if str(python) not in sys.path]


@dataclass(frozen=True)
class Package:
    """A package that a test compiled."""

    folder: Path

    @property
    def stages(self) -> dict[str, str]:
        """The text of each stage, by the pass that made it; `source` is the program as written."""
        return {path.parent.name.partition("-")[2]: path.read_text() for path in stages_of(self.folder)}

    def stage(self, made_by: str) -> str:
        """The program after a pass, which makes no stage of its own where it changes nothing; `source` is the program as written."""
        stages = self.stages
        if made_by in stages:
            return stages[made_by]
        for line in (self.folder / "ir/pass_trace.jsonl").read_text().splitlines():
            event = json.loads(line)
            if event["pass"] == made_by:
                (found,) = self.folder.glob(f"ir/stages/{event['stage_after']:02}-*/program.py")
                return found.read_text()
        raise LookupError(f"no pass {made_by} has run; there are the stages {', '.join(stages)}")

    def run(self, entry: Entry, arrays: list[Any]) -> None:
        """Builds the package where needed and runs it; the arrays are written in place."""
        with tempfile.TemporaryDirectory() as folder:
            inputs, outputs = Path(folder) / "in.npz", Path(folder) / "out.npz"
            names = [parameter.name for parameter in entry.parameters]
            np.savez(inputs, **{p.name: array for p, array in zip(entry.parameters, arrays) if p.direction != "Out"})
            sizes = [word for name, size in entry.sizes(arrays).items() if name in self._dims() for word in ("--dim", f"{name}={size}")]
            done = run_host("run", self.folder, "--inputs", inputs, "--outputs", outputs, *sizes)
            if done.returncode != 0:
                raise AssertionError(f"exit {done.returncode}\n{done.stderr}")
            with np.load(outputs) as found:
                for name in found.files:
                    arrays[names.index(name)][...] = found[name]

    def _dims(self) -> set[str]:
        """The names in the extents of its entries: others were given a number when it was compiled."""
        entries = json.loads((self.folder / "manifest.json").read_text())["entries"]
        return {name for entry in entries for parameter in entry["parameters"] for name in re.findall(r"\w+", parameter["type"])}


class PluginTest(unittest.TestCase):
    """A test that compiles programs. `profile` names the plugins, the pipeline and the target."""

    profile: Path

    @classmethod
    def setUpClass(cls) -> None:
        find_modules()

    def compile(self, program: Path | str, *options: str) -> Package:
        """Compiles a program, or its text; each stage is read back and what it says of itself is verified."""
        folder, done = self._compile(program, options)
        self.assertEqual(done.returncode, 0, done.stderr)
        return Package(folder)

    def refused(self, program: Path | str, *options: str) -> str:
        """What is said of a program that must be refused."""
        _, done = self._compile(program, options)
        self.assertEqual(done.returncode, 1, done.stderr)
        return done.stderr

    def assert_agrees(self, package: Package, *, runs: bool = True, sizes: dict[int, list[tuple[int, ...]]] = SIZES) -> None:
        """Every stage, and (`runs`) the package on its target, gives the results of the program as written."""
        entry: Entry | None = None
        expected: list[Outcome] = []
        for name, text in package.stages.items():
            stage = entry_of(import_program(text, name))
            if entry is None:
                entry = stage
                expected = outcomes(entry, list(cases(entry, sizes=sizes)))
            for outcome in expected:
                arrays = outcome.case.fresh(stage)
                stage.run(*arrays)
                self.assertEqual([], compare(stage, arrays, outcome), f"in the stage {name}")
        assert entry is not None
        for outcome in expected[-2:] if runs else ():
            arrays = outcome.case.fresh(entry)
            package.run(entry, arrays)
            self.assertEqual([], compare(entry, arrays, outcome), "on the target")

    @contextmanager
    def bound(self, package: Package) -> Iterator[Routine]:
        """The entry of a package, built and loaded into this process."""
        with bind(package.folder, plugin_path=plugin_path()) as opened:
            (routine,) = opened.routines.values()
            yield routine

    def assert_equals_interpreter(self, package: Package) -> None:
        """Law 5: on its target the package gives the results of the program as written, at all sizes and with edges among the values; and what it
        only reads stays as it was."""
        source = entry_of(import_program(package.stage("source"), "source"))
        with self.bound(package) as routine:
            for outcome in outcomes(source, list(cases(source))):
                arrays = outcome.case.fresh(routine)
                routine(*arrays)
                self.assertEqual([], compare(routine, arrays, outcome), "on the target")
                for parameter, before, after in zip(routine.parameters, outcome.case.arrays, arrays):
                    self.assertTrue(parameter.direction != "In" or before.tobytes() == after.tobytes(), f"{parameter.name} has changed")

    def _compile(self, program: Path | str, options: tuple[str, ...]) -> tuple[Path, subprocess.CompletedProcess[str]]:
        folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, folder)
        if isinstance(program, str):
            (folder / "program.py").write_text(program)
            program = folder / "program.py"
        package = folder / "package"
        return package, run_host("--plugins", self.profile, "compile", program, "--verify-each", "-o", package, *options)
