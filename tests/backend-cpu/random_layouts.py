"""Random kernels over parameters that lie in random ways (tests/support/laid_out.py), on the CPU, which follows all of them.

    random_layouts.py --host build/dev/bin/htp-host [--from 0] [--count 12] [--keep FOLDER]
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from pathlib import Path

for folder in ("laws", "support"):
    sys.path.insert(0, str(Path(__file__).resolve().parents[1] / folder))

import driver
from laid_out import Program, differences


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--host", type=Path, required=True)
    parser.add_argument("--from", dest="first", type=int, default=0)
    parser.add_argument("--count", type=int, default=2000 if os.environ.get("HTP_LONG") else 24)
    parser.add_argument("--keep", type=Path, help="where the programs of failed seeds go")
    arguments = parser.parse_args()
    report = driver.Report()
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(arguments.first, arguments.first + arguments.count):
            program, package = Program(seed), Path(folder) / f"seed{seed}"
            path = Path(folder) / f"seed{seed}.py"
            path.write_text(program.text)
            failed = report.failed
            with report.checking(f"seed {seed}: {program.kind.name}"):
                done = driver.call([arguments.host, "--plugins", "cpu", "compile", path, "--verify-each", "-o", package])
                report.all([done.stderr] if done.returncode else differences(program, package, seed))
            if report.failed > failed and arguments.keep:
                (arguments.keep / path.name).write_text(program.text)
    print(f"{report.passed} passed, {report.failed} failed")
    return 1 if report.failed else 0


if __name__ == "__main__":
    sys.exit(main())
