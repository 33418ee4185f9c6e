"""Law 5 on OpenCL: what packages compute on a device equals plain Python, for the programs of ../backend-simt/programs.txt, and each operation
at the edges of its dtypes.

    law5.py --host build/dev/bin/htp-host [--edges] [PROGRAM.py …]
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests/laws"), str(ROOT / "tests/support")]

import opencl  # noqa: E402

ORDERS = ("sort", "argsort", "topk", "argtopk")
"""What the target has no handler for, and refuses."""


def main() -> int:
    if lacks := opencl.missing():
        print(f"skipped: this machine has not {lacks}, by which packages for OpenCL run")
        return 0
    given = sys.argv[1:]
    profile = ["--profile", str(ROOT / "manifests/opencl.yaml")]
    if "--edges" not in given:
        return subprocess.run([sys.executable, str(ROOT / "tests/laws/law5.py"), *profile, *given]).returncode
    import driver
    import law5

    import edges

    every = edges.programs

    def handled() -> Iterator[edges.Program]:
        """What the target has handlers for; in a slice (HTP_SLICE) some of the programs."""
        turn, step = driver.slice_of()
        for number, program in enumerate(every()):
            cases = tuple(case for case in program.cases if case.op not in ORDERS)
            if cases and number % step == turn:
                yield edges.Program(program.name, cases)

    given.remove("--edges")
    sys.argv[1:] = [*profile, *given]
    edges.programs = handled
    driver.examples = lambda: []
    return driver.main(__doc__, law5.check, law5.check_edges)


if __name__ == "__main__":
    sys.exit(main())
