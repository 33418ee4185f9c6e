"""Programs that computed something else once, or are near what did: each is compiled with every stage verified, and run at its sizes (`#: M=9 N=17; M=0 N=17`)
beside plain Python.

    programs_test.py --host build/plain/bin/htp-host [NAME…]
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path


def failures(host: Path, program: Path) -> list[str]:
    found: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([host, "--plugins", "cpu", "compile", program, "--verify-each", "-o", f"{folder}/package"], capture_output=True, text=True)
        if done.returncode:
            return [done.stderr]
        (sizes,) = re.findall(r"^#: (.*)$", program.read_text(), re.MULTILINE)
        for case in sizes.split(";"):
            dims = [option for size in case.split() for option in ("--dim", size)]
            done = subprocess.run([host, "run", f"{folder}/package", *dims, "--check", "--seed", "3"], capture_output=True, text=True)
            if done.returncode or "agrees" not in done.stdout:
                found.append(f"{case.strip()}: {done.stdout}{done.stderr}")
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--host", required=True, type=Path)
    parser.add_argument("names", nargs="*")
    given = parser.parse_args()
    programs = [path for path in sorted((Path(__file__).parent / "programs").glob("*.py")) if not given.names or path.stem in given.names]
    with ThreadPoolExecutor(2) as workers:
        told = list(workers.map(lambda program: failures(given.host, program), programs))
    for program, found in zip(programs, told):
        for failure in found:
            print(f"{program.name}: {failure}")
    print(f"{len(programs)} programs, {sum(map(bool, told))} of them wrong")
    return 1 if not programs or any(told) else 0


if __name__ == "__main__":
    sys.exit(main())
