"""Programs that computed something else once, or are near what did: each is compiled with every stage verified, and run at its sizes (`#: M=9 N=17; M=0 N=17`)
beside plain Python.

    programs_test.py --host build/plain/bin/htp-host [--vector-bytes 16 32] [NAME…]

With --vector-bytes they are built for vectors of these widths, whatever the machine has.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path


Environment = dict[str, str]


def compiler_for(vector_bytes: int, folder: Path) -> Environment:
    """Where `cc` builds for vectors of that width, and says so when it is asked who it is: what it builds is kept apart."""
    folder.mkdir()
    program, real = folder / "cc", shutil.which("cc")
    program.write_text(f'#!/bin/sh\n[ "$1" = --version ] && echo "vectors of {vector_bytes} bytes"\nexec {real} -DHTP_VECTOR_BYTES={vector_bytes} "$@"\n')
    program.chmod(0o755)
    return os.environ | {"PATH": f"{folder}:{os.environ['PATH']}"}


def failures(host: Path, program: Path, environments: dict[str, Environment]) -> list[str]:
    found: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([host, "--plugins", "cpu", "compile", program, "--verify-each", "-o", f"{folder}/package"], capture_output=True, text=True)
        if done.returncode:
            return [done.stderr]
        (sizes,) = re.findall(r"^#: (.*)$", program.read_text(), re.MULTILINE)
        for case in sizes.split(";"):
            dims = [option for size in case.split() for option in ("--dim", size)]
            for width, environment in environments.items():
                done = subprocess.run([host, "run", f"{folder}/package", *dims, "--check", "--seed", "3"], capture_output=True, text=True, env=environment)
                if done.returncode or "agrees" not in done.stdout:
                    found.append(f"{case.strip()}{width}: {done.stdout}{done.stderr}")
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--host", required=True, type=Path)
    parser.add_argument("--vector-bytes", nargs="+", type=int, default=[])
    parser.add_argument("names", nargs="*")
    given = parser.parse_args()
    programs = [path for path in sorted((Path(__file__).parent / "programs").glob("*.py")) if not given.names or path.stem in given.names]
    with ThreadPoolExecutor(2) as workers, tempfile.TemporaryDirectory() as folder:
        environments = {f", vectors of {width} bytes": compiler_for(width, Path(folder) / str(width)) for width in given.vector_bytes} or {"": dict(os.environ)}
        told = list(workers.map(lambda program: failures(given.host, program, environments), programs))
    for program, found in zip(programs, told):
        for failure in found:
            print(f"{program.name}: {failure}")
    print(f"{len(programs)} programs, {sum(map(bool, told))} of them wrong")
    return 1 if not programs or any(told) else 0


if __name__ == "__main__":
    sys.exit(main())
