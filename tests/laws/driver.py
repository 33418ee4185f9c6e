"""Runs a law over every example: compiles each with htp-host, then checks the package. Prints what failed, and how many passed."""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import htp
from programs import entry_of, import_program

ROOT = Path(__file__).resolve().parents[2]


class Report:
    """Counts what passed and prints what did not."""

    def __init__(self) -> None:
        self.passed = 0
        self.failed = 0
        self._found: list[str] = []

    @contextmanager
    def checking(self, what: str) -> Iterator[None]:
        """One check: it fails if something is found wrong inside, or raised."""
        self._found = []
        try:
            yield
        except Exception as error:
            place = traceback.extract_tb(error.__traceback__)[-1]
            self._found.append(f"{type(error).__name__}: {error} ({place.filename}:{place.lineno})")
        if self._found:
            self.failed += 1
            print(f"FAILED {what}", *self._found[:10], sep="\n    ")
        else:
            self.passed += 1

    def all(self, found: Iterable[str]) -> None:
        """What was found wrong."""
        self._found += found


_settings: list[str | Path | None] = []
_programs: dict[Path, Path] = {}


def settings() -> list[str | Path]:
    """htp-host and its options, before the command."""
    host, *rest = _settings
    assert host is not None
    return [Path(host).resolve(), *(word for word in rest if word is not None)]


def program_of(package: Path) -> tuple[Path, str]:
    """The program a package was compiled from here, and its entry."""
    program = _programs[package]
    return program, entry_of(import_program(program.read_text(), program.stem)).name


def call(command: list[str | Path], **options: Any) -> subprocess.CompletedProcess[str]:
    """Runs a command and keeps what it says."""
    return subprocess.run(list(map(str, command)), capture_output=True, text=True, **options)


def main(description: str | None, check: Callable[[Path, Report], None]) -> int:
    """The command line that the laws share."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--host", type=Path, help="the htp-host to compile with")
    parser.add_argument("--profile", type=Path, default=ROOT / "manifests/cpu.yaml")
    parser.add_argument("--plugin-path", type=Path, action="append", default=[])
    parser.add_argument("--package", type=Path, action="append", default=[], help="a package to check as it is")
    parser.add_argument("programs", nargs="*", type=Path, help="programs to compile and check; every example without any")
    options = parser.parse_args()
    _settings[:] = [options.host, "--plugins", options.profile.resolve(), *(word for path in options.plugin_path for word in ("--plugin-path", path.resolve()))]
    report = Report()
    for package in options.package:
        check(package, report)
    if options.host is not None:
        with tempfile.TemporaryDirectory() as folder:
            for program in options.programs or sorted(ROOT.glob("examples/*/*.py")):
                package = Path(folder) / program.stem
                _programs[package] = program.resolve()
                with report.checking(f"{program.stem}: compiles"):
                    report.all(compile_with(options.host, options.profile, options.plugin_path, program, package))
                if package.exists():
                    check(package, report)
    print(f"{report.passed} passed, {report.failed} failed")
    return 1 if report.failed or not report.passed else 0


def compile_with(host: Path, profile: Path, plugin_path: list[Path], program: Path, package: Path) -> list[str]:
    """Compiles the last entry of a program into a package; what went wrong, in words."""
    entry = entry_of(import_program(program.read_text(), program.stem))
    command: list[str | Path] = [host, "--plugins", profile]
    for path in plugin_path:
        command += ["--plugin-path", path]
    command += ["compile", program, "--entry", entry.name, "-o", package]
    done = subprocess.run(command, capture_output=True, text=True)
    return [] if done.returncode == 0 else [f"exit {done.returncode}", *(done.stderr or done.stdout).splitlines()[:30]]



__all__ = ["ROOT", "Report", "call", "compile_with", "main", "program_of", "settings"]


if __name__ == "__main__":
    sys.exit("run law2.py or law5.py")
