"""Whole-process CPU time of htp-host's commands, best of ten, caches off and a fresh OUT each time unless said otherwise.

    /usr/bin/python3 bench/compile/measure.py build/release/bin/htp-host
"""

import os
import resource
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ROUNDS = 10


def cpu(command: list[str], environment: dict[str, str]) -> float:
    """CPU seconds of one run, children included."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=environment)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def chain(length: int) -> str:
    """A kernel of `length` elementwise operations in a row."""
    lines = ["import htp", "from htp import In, Out, f32", "from htp_tile import Tensor, kernel, tiles", "", 'N = htp.dim("N")', "", "", "@kernel"]
    lines += ["def chain(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:", "    for i in tiles(N, 1024):", "        t0 = x[i]"]
    for k in range(length):
        lines.append(f"        t{k + 1} = t{k} {'+*-'[k % 3]} {0.5 + k / 256}")
    return "\n".join([*lines, f"        y[i] = t{length}", ""])


def size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def main(host: str) -> int:
    profile = str(ROOT / "manifests/cpu.yaml")
    off = {**os.environ, "HTP_CACHE": "off"}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        long = folder / "chain160.py"
        long.write_text(chain(160))
        add = str(ROOT / "examples/vector_add/vector_add.py")

        def compile_fresh(program: str) -> float:
            out = folder / "out"
            shutil.rmtree(out, ignore_errors=True)
            return cpu([host, "--plugins", profile, "compile", program, "-o", str(out)], off)

        rows = [("htp-host --help", 5.0, [cpu([host, "--help"], off) for _ in range(ROUNDS)])]
        rows.append(("compile vector_add", 60.0, [compile_fresh(add) for _ in range(ROUNDS)]))
        package = size(folder / "out")
        rows.append(("compile a chain of 160", 100.0, [compile_fresh(str(long)) for _ in range(ROUNDS)]))
        cached = {**os.environ, "HTP_CACHE": str(folder / "cache")}
        again = [host, "--plugins", profile, "compile", add, "-o", str(folder / "same")]
        cpu(again, cached)
        before = {path: path.stat().st_mtime_ns for path in (folder / "same").rglob("*")}
        rows.append(("compile vector_add again", 20.0, [cpu(again, cached) for _ in range(ROUNDS)]))
        untouched = before == {path: path.stat().st_mtime_ns for path in (folder / "same").rglob("*")}
    print(f"{'CPU ms, best of ten':<28} {'best':>8} {'bar':>8}")
    for what, bar, times in rows:
        print(f"{what:<28} {min(times) * 1000:8.1f} {bar:8.0f}")
    print(f"{'vector_add package, bytes':<28} {package:8d} {60000:8d}")
    print(f"the compile again touched {'nothing' if untouched else 'something'}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
