"""Runs a law over every example, or over a slice of them (tests/support/slices.py): compiles each with htp-host, then checks the package.
Prints what failed, and how many passed."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import htp
import programs
from programs import entry_of, import_program

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/support"))
from slices import slice_of, taken  # noqa: E402

CORE = frozenset("vector_add softmax gemm attention_wsp attention_pipeline topk conv2d quantize".split())
"""Examples that are in every slice: elementwise, reductions, products, a schedule, a pipeline, orders, stencils, integers."""


class Report:
    """Counts what passed and prints what did not."""

    def __init__(self) -> None:
        self.passed = 0
        self.failed = 0
        self._found: list[str] = []

    @contextmanager
    def checking(self, what: str) -> Iterator[None]:
        """One check: it fails if something is found wrong inside, or raised. Checks may stand in checks."""
        outer, self._found = self._found, []
        try:
            yield
        except Exception as error:
            place = traceback.extract_tb(error.__traceback__)[-1]
            self._found.append(f"{type(error).__name__}: {error} ({place.filename}:{place.lineno})")
        if self._found:
            self.failed += 1
            print(f"FAILED {what}", *self._found[:10], sep="\n    ", flush=True)
        else:
            self.passed += 1
        self._found = outer

    def all(self, found: Iterable[str]) -> None:
        """What was found wrong."""
        self._found += found


@dataclass(frozen=True)
class Options:
    """What to compile with."""

    host: Path | None
    profile: Path
    plugin_path: tuple[Path, ...]

    def command(self) -> list[str | Path]:
        """htp-host and its options, before the command."""
        assert self.host is not None
        command: list[str | Path] = [self.host, "--plugins", self.profile]
        for path in self.plugin_path:
            command += ["--plugin-path", path]
        return command

    def compile(self, program: Path, package: Path) -> list[str]:
        """Compiles the last entry of a program into a package; what went wrong, in words."""
        entry = _entry(program)
        done = call([*self.command(), "compile", program, "--entry", entry.name, "--verify-each", "-o", package])
        return [] if done.returncode == 0 else [f"exit {done.returncode}", *(done.stderr or done.stdout).splitlines()[:30]]


_options = Options(None, ROOT / "manifests/cpu.yaml", ())
_programs: dict[Path, Path] = {}


def options() -> Options:
    """What this run of a law compiles with."""
    return _options


def settings() -> list[str | Path]:
    """htp-host and its options, before the command."""
    return _options.command()


def program_of(package: Path) -> tuple[Path, str]:
    """The program a package was compiled from here, and its entry."""
    program = _programs[package]
    return program, _entry(program).name


def _entry(program: Path) -> htp.Entry:
    """The last entry of a program, which may import files beside it."""
    sys.path.insert(0, str(program.parent))
    try:
        return entry_of(import_program(program.read_text(), program.stem, program))
    finally:
        sys.path.remove(str(program.parent))


def call(command: list[str | Path], **options: Any) -> subprocess.CompletedProcess[str]:
    """Runs a command and keeps what it says."""
    return subprocess.run(list(map(str, command)), capture_output=True, text=True, **options)


def examples() -> list[Path]:
    """The examples that a law without programs of its own goes over: those of the tree, of the dialects and of the profile's backend."""
    folders = ("examples/*", "plugins/dialect-*/examples", f"plugins/backend-{_options.profile.stem}/examples")
    return _sliced(sorted(path for folder in folders for path in ROOT.glob(f"{folder}/*.py")))


def _sliced(given: list[Path]) -> list[Path]:
    """This run's slice of programs; those of CORE are in each, but for what sanitizers make slow."""
    return taken(given, always=lambda program: program.stem in CORE and "HTP_EVERY" not in os.environ)


def main(
    description: str | None,
    check: Callable[[Path, Report], None] | None,
    more: Callable[[Path, Report], None] | None = None,
    last: Callable[[Report], None] | None = None,
) -> int:
    """The command line that the laws share: `check` is given the package of each program, `more` a folder to work in, beside all examples; `last` is asked
    of all that was checked."""
    global _options
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--host", type=Path, help="the htp-host to compile with")
    parser.add_argument("--profile", type=Path, default=ROOT / "manifests/cpu.yaml")
    parser.add_argument("--plugin-path", type=Path, action="append", default=[])
    parser.add_argument("--package", type=Path, action="append", default=[], help="a package to check as it is")
    parser.add_argument("programs", nargs="*", type=Path, help="programs to compile and check; every example without any")
    given = parser.parse_args()
    host: Path | None = given.host.resolve() if given.host is not None else None
    _options = Options(host, given.profile.resolve(), tuple(path.resolve() for path in given.plugin_path))
    programs.modelled = given.profile.stem in ("a2a3sim", "aie")
    report = Report()
    for package in given.package:
        assert check is not None, "this law is of no package"
        check(package, report)
    if host is not None:
        with tempfile.TemporaryDirectory() as folder:
            if check is not None:
                for program in _sliced(given.programs) or examples():
                    package = Path(folder) / program.stem
                    if package in _programs:  # an example of another folder
                        package = Path(folder) / f"{program.parents[1].stem}-{program.stem}"
                    _programs[package] = program.resolve()
                    with report.checking(f"{program.stem}: compiles"):
                        report.all(_options.compile(program, package))
                    if package.exists():
                        check(package, report)
            if more is not None and not given.programs:
                more(Path(folder), report)
    if last is not None:
        last(report)
    print(f"{report.passed} passed, {report.failed} failed")
    return 1 if report.failed or not report.passed else 0


__all__ = ["CORE", "ROOT", "Options", "Report", "call", "examples", "main", "options", "program_of", "settings", "slice_of", "taken"]


if __name__ == "__main__":
    sys.exit("run one of law2.py to law9.py")
