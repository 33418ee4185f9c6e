"""Law 6: what is emitted is accepted by the target's own tools: here every C compiler there is, with warnings as errors.

    law6.py --host build/dev/bin/htp-host [--profile manifests/cpu.yaml] [PROGRAM.py …]
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from driver import Report, main


def check(package: Path, report: Report) -> None:
    """Compiles each C file of the package with gcc and clang; neither being there is a failure."""
    compilers = [compiler for compiler in ("gcc", "clang") if shutil.which(compiler)]
    for source in sorted((package / "codegen").rglob("*.c")):
        with report.checking(f"{package.name}: {source.name} is C for {' and '.join(compilers)}"):
            report.all([] if compilers else ["no C compiler"])
            for compiler in compilers:
                command = [compiler, "-std=c11", "-O1", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-fopenmp" if compiler == "gcc" else "-Wno-unknown-pragmas"]
                command += ["-Wno-psabi"] if compiler == "gcc" else []
                done = subprocess.run([*command, source], capture_output=True, text=True)
                report.all([] if done.returncode == 0 else [f"{compiler}:", *done.stderr.splitlines()[:10]])


if __name__ == "__main__":
    sys.exit(main(__doc__, check))
