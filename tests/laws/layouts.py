"""Law 11 by random cases: a program whose parameters lie in random ways (tests/support/layout_cases.py) computes, for arrays that lie so, what plain Python does, or
is refused at its line. What is refused though it is legal is counted: by an oracle that knows nothing of HTP, and of programs that the target does where all lies row-major.

    layouts.py --target cpu [--from 0] [--count 100] [--keep FOLDER] [--least 0.95]
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))

import driver
import htp
import numpy as np
from layout_cases import MARK, Case
from programs import entry_of, import_program
from slices import slice_of


def compiled(case: Case, text: str, folder: Path) -> tuple[Path | None, list[Any]]:
    """The package, or what it is refused with."""
    path = folder / "case.py"
    path.write_text(text)
    try:
        return htp.compile_program(path, profile=driver.ROOT / f"manifests/{case.target}.yaml", out=folder / "package"), []
    except htp.Diagnosed as error:
        return None, [d for d in error.diagnostics if d["severity"] == "error"]


def wrong_results(case: Case, package: Path) -> list[str]:
    """What is wrong with what a package computes of arrays that lie as its types say."""
    generator = np.random.default_rng(case.seed)
    values = case.values(generator)
    wanted = case.kind.result(values["x"].copy(), values["z"].copy(), values["y"].copy())
    made = {name: lying.storage(values[name].dtype) for name, lying in case.lying.items()}
    for name, (storage, _) in made.items():
        storage[case.lying[name].at] = values[name]
    before = {name: storage.copy() for name, (storage, _) in made.items()}
    found: list[str] = []
    with htp.bind(package) as k:
        k(**{name: array for name, (_, array) in made.items()})
        after = made["y"][0][case.lying["y"].at]
        if not np.array_equal(after, wanted):
            found.append(f"the results differ:\n{after}\n{wanted}")
        between = np.ones(before["y"].shape, bool)
        between[case.lying["y"].at] = False
        if not (made["y"][0][between] == MARK).all():
            found.append("what lies between the elements was written")
        found += [f"`{name}` was written" for name in ("x", "z") if not np.array_equal(made[name][0], before[name])]
        for name, lying in case.lying.items():
            rows = np.ascontiguousarray(values[name])
            same = lying.takes_rows
            try:
                k(**{**{n: array for n, (_, array) in made.items()}, name: rows})
                found += [] if same else [f"`{name}` is ignored: an array is taken that lies row-major"]
            except htp.Diagnosed as error:
                alone = not (case.alike and lying.by_call)  # steps that others have as well are those of all
                found += [str(error)] if (same and alone) or "bind." not in str(error) else []
    return found


def plain_results(case: Case, folder: Path) -> list[str]:
    """The oracle's results are those of plain Python."""
    values = case.values(np.random.default_rng(case.seed))
    wanted = case.kind.result(values["x"].copy(), values["z"].copy(), values["y"].copy())
    entry_of(import_program(case.text(plain=True), f"case{case.seed}"))(**values)
    return [] if np.array_equal(values["y"], wanted) else ["plain Python computes something else than NumPy"]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--target", default="cpu")
    parser.add_argument("--from", dest="first", type=int)
    parser.add_argument("--count", type=int, default=1700 if os.environ.get("HTP_LONG") else 28)
    parser.add_argument("--least", type=float, default=0.0, help="which part of what is legal must compile")
    parser.add_argument("--keep", type=Path, help="where the programs of failed seeds go")
    arguments = parser.parse_args()
    report = driver.Report()
    first = slice_of()[0] * arguments.count if arguments.first is None else arguments.first
    legal: Counter[str] = Counter()
    taken: Counter[str] = Counter()
    codes: Counter[str] = Counter()
    lacks = 0
    with tempfile.TemporaryDirectory() as name:
        for seed in range(first, first + arguments.count):
            case, folder = Case(seed, arguments.target), Path(name) / str(seed)
            folder.mkdir()
            failed = report.failed
            with report.checking(case.describe()):
                package, errors = compiled(case, case.text(), folder)
                groups = {"all", "program " + case.kind.name, *("layout " + lies.kind for lies in case.lying.values())}
                if package:
                    report.all(wrong_results(case, package) if case.legal else ["it is not legal, and it compiles"])
                    report.all(plain_results(case, folder))
                elif case.legal:
                    (folder / "rows").mkdir()
                    if not compiled(case, case.text(plain=True), folder / "rows")[0]:
                        lacks += 1
                        groups = set()
                    else:
                        codes.update({str(error["code"]) for error in errors})
                report.all(f"{error['code']} has no place" for error in errors if not error.get("place"))
                if case.legal:
                    legal.update(groups)
                    taken.update(groups if package else ())
            if report.failed > failed and arguments.keep:
                (arguments.keep / f"{arguments.target}{seed}.py").write_text(case.text())
    for group in sorted(legal):
        print(f"{taken[group]:5} of {legal[group]:5}  {group}")
    print("refused though legal:", ", ".join(f"{code} {n}" for code, n in codes.most_common()) or "nothing")
    share = taken["all"] / max(1, legal["all"])
    if share < arguments.least and legal["all"] > 100:  # of few it says little
        report.failed += 1
    print(f"{arguments.target}: {report.passed} passed, {report.failed} failed; {taken['all']} of {legal['all']} legal cases compile ({share:.1%}); {lacks} are of programs that the target lacks")
    return 1 if report.failed else 0


if __name__ == "__main__":
    sys.exit(main())
