"""Random kernels over parameters that lie in random ways (tests/support/laid_out.py), on A2/A3's simulator: it compiles and is right, also where no two elements of
what is moved lie side by side.

    random_layouts.py --host build/dev/bin/htp-host [--from 0] [--count 12] [--keep FOLDER]
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from pathlib import Path

for folder in ("laws", "support"):
    sys.path.insert(0, str(Path(__file__).resolve().parents[1] / folder))

import driver
from laid_out import KINDS, Program, differences

MISSING = ("lines in order", "running sums", "strides of an index")
"""Kinds that A2/A3 has no instructions for."""
WHOLE = 0.95
"""Which part of the programs must compile."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--host", type=Path, required=True)
    parser.add_argument("--from", dest="first", type=int, default=0)
    parser.add_argument("--count", type=int, default=2000 if os.environ.get("HTP_LONG") else 36)
    parser.add_argument("--keep", type=Path, help="where the programs of failed seeds go")
    arguments = parser.parse_args()
    report = driver.Report()
    kinds = tuple(kind for kind in KINDS if kind.name not in MISSING)
    compiled = 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(arguments.first, arguments.first + arguments.count):
            program, package = Program(seed, kinds, ("f32", "i32", "f16"), ("f32",), 0.05), Path(folder) / f"seed{seed}"
            path = Path(folder) / f"seed{seed}.py"
            path.write_text(program.text)
            failed = report.failed
            with report.checking(f"seed {seed}: {program.kind.name}"):
                done = driver.call([arguments.host, "--plugins", "a2a3sim", "--json", "compile", path, "--verify-each", "-o", package])
                codes = {d["code"] for d in json.loads(done.stdout)["diagnostics"] if d["severity"] == "error"}
                compiled += not codes
                if codes:
                    print(f"seed {seed}: {program.kind.name} is refused by {codes}")
                report.all(differences(program, package, seed) if not codes else [])
            if arguments.keep and (report.failed > failed or codes):
                (arguments.keep / path.name).write_text(program.text)
    if compiled < WHOLE * arguments.count:
        report.failed += 1
    print(f"{report.passed} passed, {report.failed} failed; {compiled} of {arguments.count} compile")
    return 1 if report.failed else 0


if __name__ == "__main__":
    sys.exit(main())
