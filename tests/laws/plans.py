"""What `plan` says holds of `compile`: a program that compiles for a target has a plan, of which nothing is said; one whose plan is refused does not compile.

    plans.py --host build/plain/bin/htp-host      (every example, for every target: a slice of them)
"""

from __future__ import annotations

import sys
from pathlib import Path

from driver import ROOT, Report, call, main, options, taken

TARGETS = ("cpu", "a2a3", "aie")


def check(folder: Path, report: Report) -> None:
    """Each program for each target."""
    host = options().host
    assert host is not None
    found = sorted([*ROOT.glob("examples/*/*.py"), *ROOT.glob("plugins/*/examples/*.py")])
    for program in taken(found):
        for target in TARGETS:
            command: list[str | Path] = [host, "--plugins", target]
            planned = call([*command, "plan", program])
            compiled = call([*command, "compile", program, "-o", folder / "package"])
            said = planned.stderr.splitlines() or ([f"exit {planned.returncode}"] if planned.returncode else [])
            with report.checking(f"{program.stem} for {target}: it compiles" if compiled.returncode == 0 else f"{program.stem} for {target}: it does not compile"):
                report.all(said if compiled.returncode == 0 else [])


if __name__ == "__main__":
    sys.exit(main(__doc__, None, more=check))
