"""Builds and runs the tests: what CI asks of a commit, or everything. tests/README.md has the table of what each suite asks.

    scripts/test                       the short suite: what CI runs, a slice of what is long by the digest of its files
    scripts/test CTEST-ARGUMENTS       tests of the plain build, each in full: scripts/test -R laws/law2
    scripts/test --long [PART…]        everything in full, part by part; goes on where it was stopped
    scripts/test --faults [NAME…]      seeded faults of our own sources, which the short suite must find (faults/run.py)

HTP_SLICE=K/N in the environment asks for a slice by its number; 0/1 is all of it.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import resource
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SLICES = 8
"""A commit's run takes one in so many of the examples, programs and pages that a suite goes over."""

CORE = """host sdk plugins/dialect-tile plugins/dialect-wsp plugins/dialect-csp plugins/intrinsics-pto plugins/backend-cpu
    tests/ast tests/base tests/diag tests/parse tests/unparse tests/manifest tests/resolve tests/load tests/package tests/pipeline
    tests/fixtures tests/check tests/fuzz tests/support""".split()
"""Folders that are compiled with sanitizers for every commit: what asks for all plugins (cli, sdk) is not among them."""
TURNS = {
    "dialects": "tests/dialect-tile tests/dialect-wsp tests/dialect-csp tests/layout tests/bridge-python".split(),
    "cpu": "tests/backend-cpu tests/laws".split(),
    "a2a3": "plugins/backend-a2a3 plugins/binding-a2a3sim tests/backend-a2a3 tests/binding-a2a3sim tests/intrinsics-pto".split(),
    "aie": "plugins/backend-aie plugins/binding-aiesim tests/backend-aie tests/binding-aiesim".split(),
    "mlir": "plugins/island-mlir tests/island-mlir tests/simulate".split(),
}
"""Folders of which one group is, by turns."""


@dataclass(frozen=True)
class Part:
    """A build, and tests of it."""

    name: str
    preset: str
    targets: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()
    environment: dict[str, str] = field(default_factory=dict)


def digest() -> int:
    """A number that the commit's files give, or 0 where there is no commit: no date or message has a part in it."""
    done = subprocess.run(["git", "rev-parse", "HEAD^{tree}"], cwd=ROOT, capture_output=True, text=True)
    return int(hashlib.sha256(done.stdout.encode()).hexdigest()[:8], 16) if done.returncode == 0 else 0


def sanitized(folders: list[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What is built of the folders, and what ctest runs of their tests."""
    there = [folder for folder in folders if (ROOT / folder / "CMakeLists.txt").exists()]
    names = "|".join(folder.removeprefix("tests/") for folder in there if folder.startswith("tests/"))
    return tuple(f"{folder}/all" for folder in there), ("-R", f"^({names})([-/]|$)|^python/(bound|introspect)$")


def short(turn: int) -> list[Part]:
    """What CI runs: the number of the slice says what is taken of what is long."""
    group = list(TURNS)[turn % len(TURNS)]
    targets, tests = sanitized(CORE + TURNS[group])
    return [
        Part("plain", "plain", (), ("-LE", "long")),
        Part("one of what is long", "plain", (), ("-R", f"^{re.escape(by_turns(turn))}$")),
        Part(f"sanitized, with {group}", "dev", targets, ("-LE", "long", *tests)),
    ]


def long() -> list[Part]:
    """Everything: all sizes, all programs, random searches, all of it with sanitizers, threads, fuzzers, packages of Debian."""
    return [
        Part("plain", "plain", (), (), {"HTP_LONG": "1"}),
        Part("sanitized", "dev"),
        Part("threads", "tsan", ("tsan_tests",), ("-L", "tsan")),
        Part("fuzzers", "fuzz", ("fuzzers",), ("-L", "fuzz")),
    ]


def listed(part: Part) -> list[str]:
    """The names of the tests of a part, which is configured."""
    command = ["ctest", "--preset", part.preset, "--show-only=json-v1", *part.tests]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return [test["name"] for test in json.loads(done.stdout)["tests"]]


def by_turns(turn: int) -> str:
    """One test of those that are long as a whole, once the plain build is configured."""
    configure("plain")
    names = sorted(listed(Part("long", "plain", (), ("-L", "long"))))
    return names[turn % len(names)]


def build(preset: str, *targets: str) -> int:
    """scripts/build.sh's `build`."""
    options = ["--target", *targets] if targets else []
    return subprocess.run(["bash", "-c", '. scripts/build.sh; build "$@"', "bash", preset, *options], cwd=ROOT).returncode


def configure(preset: str) -> None:
    subprocess.run(["bash", "-c", '. scripts/build.sh; configure "$@"', "bash", preset], cwd=ROOT, check=True)


def timed(what: str, begin: tuple[float, float]) -> None:
    wall, used = clock()
    print(f"── {what}: {(wall - begin[0]) / 60:.1f} min, {(used - begin[1]) / 60:.1f} of a processor", flush=True)


def clock() -> tuple[float, float]:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.monotonic(), used.ru_utime + used.ru_stime


def run_short() -> int:
    given = os.environ.get("HTP_SLICE")
    turn = int(given.split("/")[0]) if given else digest() % (SLICES * len(TURNS) * 5)
    os.environ.setdefault("HTP_SLICE", f"{turn}/{SLICES}")
    print(f"── the slice of this commit; again: HTP_SLICE={os.environ['HTP_SLICE']} scripts/test", flush=True)
    begin, status = clock(), 0
    for part in short(turn):
        at = clock()
        if code := build(part.preset, *part.targets):
            return code
        timed(f"{part.name}: built", at)
        at = clock()
        status |= subprocess.run(["ctest", "--preset", part.preset, *part.tests], cwd=ROOT, env={**os.environ, **part.environment}).returncode
        timed(f"{part.name}: tested", at)
    timed("altogether", begin)
    return status


def run_long(names: list[str]) -> int:
    """Each test by itself; those that passed are written down, for the commit, and not run again."""
    status = 0
    for part in long():
        if names and part.name not in names:
            continue
        if code := build(part.preset, *part.targets):
            return code
        kept = ROOT / f"build/{part.preset}/long-{digest():08x}.passed"
        passed = set(kept.read_text().splitlines()) if kept.exists() else set()
        for test in [test for test in listed(part) if test not in passed]:
            at = clock()
            code = subprocess.run(["ctest", "--preset", part.preset, "-R", f"^{re.escape(test)}$"], cwd=ROOT, env={**os.environ, **part.environment}).returncode
            timed(f"{part.name}: {test}: {'passed' if code == 0 else 'FAILED'}", at)
            status |= code
            if code == 0:
                with kept.open("a") as file:
                    file.write(f"{test}\n")
    return status


def faults(names: list[str]) -> int:
    return subprocess.run([sys.executable, ROOT / "tests/faults/run.py", *names], cwd=ROOT).returncode


def main() -> int:
    given = sys.argv[1:]
    if given[:1] == ["--long"]:
        return run_long(given[1:]) | (0 if given[1:] else faults([]))
    if given[:1] == ["--faults"]:
        return faults(given[1:])
    if given:
        return build("plain") or subprocess.run(["ctest", "--preset", "plain", *given], cwd=ROOT).returncode
    return run_short()


if __name__ == "__main__":
    sys.exit(main())
