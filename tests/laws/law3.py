"""Law 3: continuing from any stage's program.py alone yields the same later stages and artifacts, byte for byte.

    law3.py --host build/dev/bin/htp-host [--profile manifests/cpu.yaml] [PROGRAM.py …]
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

from driver import Report, call, main, settings


def check(package: Path, report: Report) -> None:
    """Resumes from every stage, given nothing but its program.py."""
    stages = sorted((package / "ir/stages").iterdir())
    for number, stage in enumerate(stages):
        with report.checking(f"{package.name}: resumes from {stage.name}"), tempfile.TemporaryDirectory() as folder:
            alone = Path(folder) / "elsewhere"  # nothing but its text says which stage it is
            alone.mkdir()
            shutil.copy(stage / "program.py", alone)
            again = Path(folder) / "again"
            done = call([*settings(), "compile", "--from-stage", alone, "-o", again])
            report.all([] if done.returncode == 0 else [f"exit {done.returncode}", *done.stderr.splitlines()[:20]])
            if done.returncode == 0:
                report.all(_differences(package, again, stages[number:]))


def _differences(package: Path, again: Path, later: list[Path]) -> list[str]:
    """Files of later stages (but origin.json, which says where a stage came from) and of codegen/ and build/ that differ."""
    found = []
    wanted = {f"ir/stages/{stage.name}/{name}" for stage in later for name in ("program.py", "stage.json", "state.json")}
    for top in ("codegen", "build"):
        wanted |= {str(path.relative_to(package)) for path in (package / top).rglob("*") if path.is_file()}
    for name in sorted(wanted):
        if not (again / name).is_file():
            found.append(f"{name} is missing")
        elif (package / name).read_bytes() != (again / name).read_bytes():
            found.append(f"{name} differs")
    extra = {path.name for path in (again / "ir/stages").iterdir()} - {stage.name for stage in later}
    return found + [f"stage {name} is new" for name in sorted(extra)]


if __name__ == "__main__":
    sys.exit(main(__doc__, check))
