"""Law 4: the same input and target profile yield the same package, byte for byte: another directory, another time, plugin folders
listed in another order, another process environment.

    law4.py --host build/dev/bin/htp-host [--profile manifests/cpu.yaml] [PROGRAM.py …]
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from pathlib import Path

from driver import Report, call, main, program_of, settings


def check(package: Path, report: Report) -> None:
    """Compiles the program again, from another place, and compares every file outside logs/."""
    with report.checking(f"{package.name}: is the same elsewhere"), tempfile.TemporaryDirectory(prefix="else where ") as folder:
        program, entry = program_of(package)
        there = Path(folder) / "a folder with blanks"
        # Copied in reverse order, so that a directory's own order is another one.
        there.mkdir()
        for file in sorted(program.parent.iterdir(), reverse=True):
            if file.is_file():
                shutil.copy(file, there)
        os.utime(there / program.name, (86400, 86400))
        again = there / "out"
        environment = {**os.environ, "TZ": "Asia/Tokyo", "LC_ALL": "C", "HTP_CACHE": "off", "PYTHONHASHSEED": "7", "HOME": folder}
        done = call([*settings(), "compile", program.name, "--entry", entry, "-o", again], cwd=there, env=environment)
        report.all([] if done.returncode == 0 else [f"exit {done.returncode}", *done.stderr.splitlines()[:20]])
        if done.returncode == 0:
            report.all(differences(package, again))


def differences(one: Path, other: Path) -> list[str]:
    """Files outside logs/ that are in one package only, or differ."""
    files = [{str(path.relative_to(top)): path.read_bytes() for path in top.rglob("*") if path.is_file() and path.relative_to(top).parts[0] != "logs"} for top in (one, other)]
    found = [f"{name} is in one only" for name in sorted(files[0].keys() ^ files[1].keys())]
    return found + [f"{name} differs" for name in sorted(files[0].keys() & files[1].keys()) if files[0][name] != files[1][name]]


if __name__ == "__main__":
    sys.exit(main(__doc__, check))
