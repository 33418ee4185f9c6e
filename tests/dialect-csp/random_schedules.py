"""Random schedules over the examples' pipelines. A directive that is refused says why, with a hint; what is taken computes, at every stage under
plain Python and on the CPU, what the pipeline does.

    random_schedules.py --host build/dev/bin/htp-host [--from 1000] [--count 500]
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import random
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

import htp
from htp.testing import cases, compare, entry_of, import_program, outcomes, stages_of

ROOT = Path(__file__).resolve().parents[2]
LONG = os.environ.get("HTP_LONG") == "1"
NAMES = ["fewer_processes", "systolic", "stream_quantise", "split_merge", "scatter_gather", "rates", "line_buffers", "attention_pipeline"]
SIZES: dict[int, list[tuple[int, ...]]] = {1: [(9,), (20,)], 2: [(9, 21), (20, 5)], 3: [(5, 19, 9)]}


def processes(text: str) -> tuple[str, dict[str, int]]:
    """A program's pipeline, and the processes in it with the dimensions of their grids."""
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef) and any(ast.unparse(mark) == "pipeline" for mark in node.decorator_list):
            return node.name, {inner.name: len(inner.args.args) for inner in node.body if isinstance(inner, ast.FunctionDef)}
    raise LookupError("no pipeline")


def line(rng: random.Random, there: dict[str, int]) -> str:
    """A directive, mostly one that can be meant."""
    names = list(there)
    grids = [name for name in names if there[name]] if rng.random() < 0.9 else names
    if grids and rng.random() < 0.5:
        name = rng.choice(grids)
        rank = there[name] if rng.random() < 0.9 else 2
        return f's.bundle("{name}", {", ".join(str(rng.choice([1, 2, 2, 3, 4])) for _ in range(rank or 1))})'
    # Mostly in the order in which they are declared, as their work is.
    first = rng.randrange(len(names))
    second = (first + rng.choice([1, 1, 1, 2, len(names) - 1])) % len(names)
    return f's.chain("{names[first]}", "{names[second]}")'


def compiled(host: Path, text: str, folder: Path) -> list[dict[str, object]]:
    """Compiles the schedule of a program; what is told against it."""
    program = folder / "program.py"
    program.write_text(text)
    done = subprocess.run(
        [host, "--plugins", ROOT / "manifests/cpu.yaml", "--json", "compile", program, "--entry", "plan", "--verify-each", "-o", folder / "package"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode not in (0, 1):
        raise RuntimeError(f"exit {done.returncode}: {done.stderr}")
    found: list[dict[str, object]] = json.loads(done.stdout)["diagnostics"]
    return [one for one in found if one["severity"] == "error"] if done.returncode else []


def taken(host: Path, rng: random.Random, text: str, folder: Path, said: Counter[str], wrong: list[str]) -> list[str]:
    """The directives that were taken, of some that come to mind."""
    name, names = processes(text)
    head = text + f"\n\nimport htp_csp\n\n\n@htp_csp.schedule({name})\ndef plan(s: htp_csp.Schedule) -> None:\n"
    lines: list[str] = []
    for _ in range(5):
        one = line(rng, names)
        errors = compiled(host, head + "".join(f"    {each}\n" for each in [*lines, one]), folder)
        said.update(str(error["code"]) for error in errors)
        wrong += [f"{one}: {error['code']}: {error['message']}" for error in errors if not str(error["code"]).startswith("csp.") or not error["hints"]]
        if errors:
            continue
        lines.append(one)
        if one.startswith("s.chain"):
            first, second = (part for part in one.split('"')[1::2])
            names = {f"{first}_{second}" if each == first else each: rank for each, rank in names.items() if each != second}
    if lines:
        compiled(host, head + "".join(f"    {each}\n" for each in lines), folder)
    return lines


def differences(text: str, folder: Path, plugins: Path) -> list[str]:
    """Where a stage, or the CPU, does not compute what the pipeline does."""
    plain = entry_of(import_program(text, "program"), processes(text)[0])
    expected = outcomes(plain, list(cases(plain, edges=False, sizes=SIZES)))
    found: list[str] = []

    def check(what: str, entry: htp.Signature, run: object) -> None:
        for outcome in expected:
            arrays = outcome.case.fresh(entry)
            run(*arrays)  # type: ignore[operator]
            found.extend(f"{what}: {difference}" for difference in compare(entry, arrays, outcome))

    for stage in stages_of(folder / "package"):
        entry = entry_of(import_program(stage.read_text(), stage.parent.name))
        check(stage.parent.name, entry, entry.run)
    with htp.bind(folder / "package", plugin_path=[plugins]) as package:
        (routine,) = package.routines.values()
        check("the CPU", routine, routine)
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--host", type=Path, required=True)
    parser.add_argument("--from", dest="first", type=int, default=0)
    parser.add_argument("--count", type=int, default=400 if LONG else 16)
    given = parser.parse_args()
    host = given.host.resolve()
    said: Counter[str] = Counter()
    used: Counter[str] = Counter()
    failed = empty = 0
    for seed in range(given.first, given.first + given.count):
        name = NAMES[seed % len(NAMES)]
        text = (ROOT / f"examples/{name}/{name}.py").read_text()
        with tempfile.TemporaryDirectory() as temporary:
            wrong: list[str] = []
            lines: list[str] = []
            try:
                lines = taken(host, random.Random(seed), text, Path(temporary), said, wrong)
                wrong += differences(text, Path(temporary), host.parent.parent / "plugins") if lines and not wrong else []
            except Exception as error:  # whatever a stage raises shows that it is no program
                wrong.append(f"{type(error).__name__}: {error}")
            used.update(one[2 : one.index("(")] for one in lines)
            empty += not lines
            if wrong:
                failed += 1
                print(f"FAILED seed {seed}, {name}:", *lines, *wrong[:6], sep="\n    ", flush=True)
    print(f"{given.count - failed} passed, {failed} failed; {given.count - empty} with directives: {dict(used.most_common())}")
    print(f"refused: {dict(said.most_common())}")
    return 1 if failed or empty * 2 > given.count else 0


if __name__ == "__main__":
    sys.exit(main())
