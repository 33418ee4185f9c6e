"""Every example that compiles for a2a3, with one thing changed in the text of its package: the verifier refuses it, whatever it was: flags, barriers,
places, sizes of tiles and buffers, and each other number of kernels and orchestrations.

What the verifier may accept is one kind, which does what the package does: another code of a failure, since any but 0 tells of one.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/support"))
from slices import taken  # noqa: E402

MOST = 60
"""Mutants of a package, of each kind."""
LEAST = 2
"""Mutants that each package gives on average, whatever programs are in the slice."""


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--host", required=True)
    arguments.add_argument("--mutants", required=True)
    arguments.add_argument("--most", type=int, default=MOST)
    arguments.add_argument("programs", nargs="*", help="names of examples; by default those of tests/backend-a2a3")
    given = arguments.parse_args()
    names = given.programs or taken((ROOT / "tests/backend-a2a3/programs.txt").read_text().split())
    with tempfile.TemporaryDirectory() as folder:
        packages = [Path(folder) / name.replace("/", "_") for name in names]
        for name, package in zip(names, packages):
            program = ROOT / (f"examples/{name}.py" if "/" in name else f"examples/{name}/{name}.py")
            subprocess.run([given.host, "--plugins", ROOT / "manifests/a2a3sim.yaml", "compile", program, "-o", package], check=True, capture_output=True)
        done = subprocess.run([given.mutants, str(given.most), *packages], capture_output=True, text=True)
    print(done.stdout, done.stderr)
    counted = re.search(r"^mutants: (\d+), let through: (\d+)$", done.stdout, re.M)
    if done.returncode or not counted:
        return 1
    made, through = map(int, counted.groups())
    return 0 if made >= LEAST * len(packages) and not through else 1


if __name__ == "__main__":
    sys.exit(main())
