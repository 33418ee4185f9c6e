"""Holds what a package computed against the program as written: `htp-host run --check`."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from htp.bounds import differences
from htp.entry import Entry, Signature
from htp.errors import Refused
from htp.testing import Case, Outcome, compare, entry_of, import_program, stages_of


def held_against_source(folder: Path, modules: Sequence[str], entry: Signature, before: Mapping[str, Any], after: Mapping[str, Any]) -> tuple[str, list[str]]:
    """How `entry` of the package in `folder`, called on copies of `before` and leaving `after`, agrees with its stage 0 under plain Python.

    Gives a line for each output that agrees, and one for each place that does not, at most three an output. `modules` are folders with the Python
    packages that stages import. Raises Refused when the program does not run there.
    """
    sys.path += [module for module in modules if module not in sys.path]
    case = Case(entry.name, tuple(before[parameter.name] for parameter in entry.parameters))
    source, *later = stages_of(folder)
    expected = _run(source, entry, case)
    actual = [after[parameter.name] for parameter in entry.parameters]
    wrong = compare(entry, actual, expected)
    if wrong:
        return "", [*wrong, _first(later, entry, case, expected)]
    lines = []
    for parameter, wanted in zip(entry.parameters, expected.arrays):
        if parameter.direction != "In":
            same = not differences(after[parameter.name], wanted, parameter.type.dtype, 0) and after[parameter.name].tobytes() == wanted.tobytes()
            lines.append(f"{parameter.name}: agrees with plain Python{', bit for bit' if same else ''}\n")
    return "".join(lines), []


def _first(stages: Sequence[Path], entry: Signature, case: Case, expected: Outcome) -> str:
    """Which stage is the first that differs."""
    for stage in stages:
        if compare(entry, _run(stage, entry, case).arrays, expected):
            return f"`{stage.parent.name}` is the first stage that differs"
    return "every stage agrees with the source: what differs was made of the last one"


def _run(stage: Path, entry: Signature, case: Case) -> Outcome:
    try:
        found: Entry = entry_of(import_program(stage.read_text(), stage.parent.name, stage), entry.name)
        arrays = case.fresh(found)
        return Outcome(case, arrays, found.run(*arrays))
    except Exception as error:
        raise Refused("run.stage-fails", stage.parent.name, f"{type(error).__name__}: {error}") from None
