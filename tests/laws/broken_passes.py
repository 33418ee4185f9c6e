"""Passes that break programs are found: a stage of each package is edited (edits.py) as a faulty pass would have made it, and the compile goes on from there. `htp-host bisect` names that
pass, and `htp-host verify` does not verify the package.

    broken_passes.py --host build/plain/bin/htp-host [--profile manifests/cpu.yaml] [PROGRAM.py …]

A slice (HTP_SLICE=7/6) has one edit of few programs; HTP_LONG=1 has many of every program; HTP_SEED=N takes others. An edit counts when Python shows, by the calls of law 2, that it
changes the result, and the compiler takes it. What edits that change nothing become is for the laws of stages.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import sys
import tempfile
from collections import Counter
from pathlib import Path


from driver import Report, call, main, options, settings, slice_of
from edits import CHANGING, edits
from htp.agreement import TooLong, within
from programs import Outcome, cases, compare, entry_of, import_program, outcomes, stages_of
from signed import sign

EACH = int(os.environ.get("HTP_EDITS", 0)) or (6 if "HTP_LONG" in os.environ else 1)
"""Edits of a program that are judged."""
TRIED = 12
"""Edits that are looked at for each that is judged: most change nothing, or are refused."""
SEED = os.environ.get("HTP_SEED", "")
SIZES: dict[int, list[tuple[int, ...]]] = {0: [()], 1: [(7,), (70,)], 2: [(7, 37), (70, 9)], 3: [(7, 9, 5), (18, 33, 20)], 4: [(3, 5, 7, 2)]}

_counted: Counter[str] = Counter()


def check(package: Path, report: Report) -> None:
    """Edits of one package's stages."""
    paths = stages_of(package)
    source = entry_of(import_program(paths[0].read_text(), "source"))
    turn, step = slice_of()
    draw = random.Random(f"{package.name} {SEED or (turn if step > 1 else '')}")
    expected: list[Outcome] = []
    left = EACH
    for number in range(EACH * TRIED):
        if not left or len(paths) < 2:
            return
        path = draw.choice(paths[1:])
        edit = next(edits(path.read_text(), f"{draw.random()}", 1, frozenset(CHANGING)), None)
        if edit is None:
            continue
        expected = expected or outcomes(source, list(cases(source, edges=False, sizes=SIZES)))
        if not _changes(edit.text, source.name, expected) or _changes(path.read_text(), source.name, expected):
            continue  # the same, or so sensitive that the bound of law 2 does not tell
        with tempfile.TemporaryDirectory() as folder:
            broken = _broken(package, path, edit.text, Path(folder))
            if broken is None:
                _counted["refused by the compiler"] += 1
                continue
            left -= 1
            with report.checking(f"{package.name}: {path.parent.name}: edit {number}: {edit.kind} in line {edit.line}: {edit.what}"):
                report.all(_judged(broken, path.parent.name))


def _changes(text: str, name: str, expected: list[Outcome]) -> bool:
    """Whether the edited stage gives another result, as plain Python has it: not whether it fails."""
    try:
        entry = entry_of(import_program(text, "edited"))
        for outcome in expected:
            arrays = outcome.case.fresh(entry)
            with within(5):
                entry.run(*arrays)
            if compare(entry, arrays, outcome):
                return True
    except (Exception, TooLong):
        return False
    return False


def _broken(package: Path, path: Path, text: str, folder: Path) -> Path | None:
    """The package as it would be had the pass of that stage made this text; None where the compiler refuses it."""
    stage, rest, whole = folder / "stage", folder / "rest", folder / "whole"
    stage.mkdir()
    (stage / "program.py").write_text(text)
    if call([*settings(), "compile", "--from-stage", stage, "-o", rest]).returncode != 0:
        return None
    shutil.copytree(rest, whole)
    manifest, before = (json.loads((of / "manifest.json").read_text()) for of in (whole, package))
    earlier = [one for one in before["stages"] if one["id"] < path.parent.name[:2]]
    shutil.rmtree(whole / "ir/stages" / path.parent.name)
    for one in earlier:
        shutil.copytree(package / "ir/stages" / Path(one["path"]).parent.name, whole / "ir/stages" / Path(one["path"]).parent.name)
    shutil.copytree(package / "ir/stages" / path.parent.name, whole / "ir/stages" / path.parent.name)
    (whole / "ir/stages" / path.parent.name / "program.py").write_text(text)
    traces = [(of / "ir/pass_trace.jsonl").read_text().splitlines(keepends=True) for of in (package, rest)]
    (whole / "ir/pass_trace.jsonl").write_text("".join([*traces[0][: len(traces[0]) - len(traces[1])], *traces[1]]))
    manifest |= {key: before[key] for key in ("identity", "inputs", "plugins")}
    manifest["plan"]["passes"] = before["plan"]["passes"]
    manifest["stages"] = [*earlier, *manifest["stages"]]
    sign(whole, manifest)
    return whole


def _judged(broken: Path, stage: str) -> list[str]:
    found = []
    host = settings()[0]
    done = call([host, "--json", "bisect", broken, "--plugins", options().profile])
    answer = json.loads(done.stdout)
    if answer.get("stage") != stage:
        found.append(f"bisect ends with {done.returncode}: {answer.get('stage')}: {answer.get('why', answer['diagnostics'])}")
    _counted["found" if not found else "missed"] += 1
    _counted[f"of these by {answer.get('kind')}"] += 1
    if answer.get("changes"):
        _counted[f"narrowed to {'one change' if len(answer['changes']) == 1 else 'several changes'}"] += 1
    done = call([host, "--json", "verify", broken, "--seconds", "1", "--plugins", options().profile])
    answer = json.loads(done.stdout)
    codes = {one["code"] for one in answer["diagnostics"]}
    if done.returncode == 0 or not codes & {"verify.not-what-it-compiles-to", "verify.differs"}:
        found.append(f"verify ends with {done.returncode}: {done.stdout[-600:]}")
    return found


def tell(report: Report) -> None:
    """What became of the edits."""
    print("faulty passes:", *(f"{what} {count}" for what, count in sorted(_counted.items())), sep="  ")
    with report.checking("edits were judged"):
        report.all([] if _counted["found"] or not report.passed else ["none"])


if __name__ == "__main__":
    sys.exit(main(__doc__, check, last=tell))
