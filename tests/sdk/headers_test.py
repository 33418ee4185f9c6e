"""Each header of the SDK is enough alone: as C++20, and those of the C interface as C11, by the strictest warnings.

    headers_test.py [HEADER…]          names beneath sdk/include; all by default, of which a slice is taken (HTP_SLICE)
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/support"))
from slices import taken  # noqa: E402

INCLUDE = ROOT / "sdk/include"
STRICT = ["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsyntax-only", f"-I{INCLUDE}"]


def alone(compiler: str, language: str, standard: str, header: str) -> str:
    """What a compiler says of a file that has only this header, or nothing."""
    text = f'#include "{header}"\n#include "{header}"\ntypedef int sdk_header_is_enough_alone;\n'
    done = subprocess.run([compiler, f"-std={standard}", *STRICT, "-x", language, "-"], input=text, capture_output=True, text=True)
    return "" if done.returncode == 0 else f"{header} as {standard}:\n{done.stderr[:2000]}"


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--cc", default="cc")
    arguments.add_argument("--cxx", default="c++")
    arguments.add_argument("headers", nargs="*")
    given = arguments.parse_args()
    headers = given.headers or taken(sorted(str(path.relative_to(INCLUDE)) for path in INCLUDE.rglob("*.h")))
    tasks = [(given.cxx, "c++", "c++20", header) for header in headers]
    tasks += [(given.cc, "c", "c11", header) for header in headers if header.startswith("htp/")]
    with ThreadPoolExecutor(2) as pool:
        wrong = list(filter(None, pool.map(lambda task: alone(*task), tasks)))
    print(*wrong, f"{len(tasks) - len(wrong)} of {len(tasks)} compile", sep="\n")
    return 1 if wrong or not tasks else 0


if __name__ == "__main__":
    sys.exit(main())
