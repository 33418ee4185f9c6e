"""Law 5: a backend's run equals the interpreter's, over shapes that do and do not divide evenly, at the table's edges, and from
arrays that lie in memory in other ways.

    law5.py --host build/dev/bin/htp-host [--profile manifests/cpu.yaml] [PROGRAM.py …]     all examples, and every edge, without programs
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import edges
import htp
import numpy as np
import programs
from driver import ROOT, Report, main, options, slice_of
from inputs import LESS
from programs import Case, cases, compare, entry_of, import_program, outcomes, stages_of

LARGE: dict[int, list[tuple[int, ...]]] = {1: [(4099,)], 2: [(130, 517)], 3: [(129, 200, 67)]}
"""More sizes than law 2 has time for: beyond every block size, and not a multiple of any."""


def check(package: Path, report: Report) -> None:
    """Builds and runs a package on every case and compares with the program as written, under plain Python."""
    first = stages_of(package)[0]
    source = entry_of(import_program(first.read_text(), first.parent.name))
    expected = outcomes(source, _by_turns([*cases(source), *cases(source, edges=False, sizes=LESS.get(source.name, LARGE))]))
    with report.checking(f"{package.name}: binds"), bound(package) as routine:
        for outcome in expected:
            with report.checking(f"{package.name} at {outcome.case.name}: equals the interpreter"):
                arrays = outcome.case.fresh(routine)
                routine(*arrays)
                report.all(compare(routine, arrays, outcome))
        with report.checking(f"{package.name}: leaves its inputs as they were"):
            arrays = outcome.case.fresh(routine)
            routine(*arrays)
            report.all(_changed_inputs(routine, outcome.case, arrays))
        with report.checking(f"{package.name}: arrays that lie elsewise are right or refused"):
            arrays = [_spread(array) for array in outcome.case.fresh(routine)]
            try:
                routine(*arrays)
            except htp.HtpError:
                pass
            else:
                report.all(compare(routine, arrays, outcome))


def _by_turns(every: list[Case]) -> list[Case]:
    """The calls that are made: all; in a slice (HTP_SLICE), where a model of a machine runs them, at each size either that without edges or that
    with."""
    turn, step = slice_of()
    if not programs.modelled or step == 1 or len(every) == 1:
        return every
    return [case for number, case in enumerate(every) if number % 4 in ((0, 3), (1, 2))[turn % 2]]


@contextmanager
def bound(package: Path) -> Iterator[htp.Routine]:
    """The one entry of a package, built and loaded."""
    with htp.bind(package, plugin_path=_plugins()) as opened:
        (routine,) = opened.routines.values()
        yield routine


def _plugins() -> list[Path]:
    """Where plugins lie; libhtp lies beside the same htp-host."""
    host = options().host
    assert host is not None
    build = host.parent.parent
    os.environ.setdefault("HTP_LIBRARY", str(build / "lib/libhtp.so"))
    return [*options().plugin_path, build / "plugins"]


def _changed_inputs(routine: htp.Routine, case: Case, arrays: list[Any]) -> list[str]:
    found = []
    for parameter, before, after in zip(routine.parameters, case.fresh(routine), arrays):
        if parameter.direction == "In" and before.tobytes() != after.tobytes():
            found.append(f"{parameter.name} has changed")
    return found


def _spread(array: Any) -> Any:
    """The same elements with room between them."""
    if not array.shape:
        return array
    room = np.zeros(tuple(2 * size for size in array.shape), array.dtype)
    view = room[(slice(None, None, 2),) * array.ndim]
    view[...] = array
    return view


def check_more(folder: Path, report: Report) -> None:
    """What the law says beside the examples."""
    check_edges(folder, report)
    check_from_python(folder, report)


def check_from_python(folder: Path, report: Report) -> None:
    """Compiling from Python gives htp-host's package, and refuses what it refuses."""
    program = ROOT / "examples/softmax/softmax.py"
    with report.checking("htp.compile_program: gives the package that htp-host gives"):
        package = htp.compile_program(program, profile=options().profile, out=folder / "from_python", plugin_path=_plugins())
        report.all(options().compile(program, folder / "by_host"))
        if (package / "manifest.json").read_bytes() != (folder / "by_host/manifest.json").read_bytes():
            report.all(["manifest.json differs"])
    with report.checking("htp.compile_program: refuses with diagnostics"):
        wrong = folder / "wrong.py"
        wrong.write_text(program.read_text().replace("axis=1", "axis=7"))
        try:
            htp.compile_program(wrong, profile=options().profile, out=folder / "refused", plugin_path=_plugins())
            report.all(["it was compiled"])
        except htp.Diagnosed as error:
            codes = {str(diagnostic["code"]) for diagnostic in error.diagnostics}
            report.all([] if codes == {"tile.bad-axis"} and "wrong.py:15" in error.rendered else [error.rendered])
        report.all(["there is a package"] if (folder / "refused").exists() else [])


def check_edges(folder: Path, report: Report) -> None:
    """Each operation on each dtype at its edges, through compiled programs."""
    for program in edges.programs():
        path = folder / f"{program.name}.py"
        path.write_text(program.source)
        package = folder / program.name
        with report.checking(f"{program.name}: compiles"):
            report.all(options().compile(path, package))
        if package.exists():
            with report.checking(f"{program.name}: binds"), bound(package) as routine:
                arrays = program.arrays(routine)
                routine(*arrays)
                for case, actual in program.results(arrays):
                    with report.checking(f"{program.name}: {case.op} to {case.result.name} at its edges"):
                        report.all(edges.wrong(case, actual))


if __name__ == "__main__":
    sys.exit(main(__doc__, check, check_more))
