"""How the cost of a compile grows as the program: processor time of htp-host, the whole process, the best of a few, caches off.

    /usr/bin/python3 bench/compile/growth.py build/release/bin/htp-host [--programs chain,loops] [--targets cpu,a2a3] [--sizes 1000,10000]

`--write DIR` keeps the programs.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

HEAD = """import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel, tiles

M = htp.dim("M")
N = htp.dim("N")
"""
KERNEL = "@kernel\ndef k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:\n"
LOOP = "    for i in tiles(M, 8):\n"
ROUNDS = 3


def chain(n: int) -> str:
    """Each value of the one before."""
    lines = [f"        t{k} = t{k - 1} {'+ 2.0' if k % 2 else '* 0.5'}\n" for k in range(1, n + 1)]
    return HEAD + KERNEL + LOOP + "        t0 = x[i, :]\n" + "".join(lines) + f"        y[i, :] = t{n}\n"


def rebound(n: int) -> str:
    """One name for all values."""
    lines = [f"        t = t + {k % 7}.0\n" for k in range(n)]
    return HEAD + KERNEL + LOOP + "        t = x[i, :]\n" + "".join(lines) + "        y[i, :] = t\n"


def stores(n: int) -> str:
    """Stores to one place, each of what is loaded there."""
    return HEAD + KERNEL + LOOP + "".join(f"        y[i, :] = x[i, :] + {k}.0\n" for k in range(n))


def loops(n: int) -> str:
    """Loops, each of what the one before made."""
    return HEAD + KERNEL + "".join(f"{LOOP}        y[i, :] = {'y' if k else 'x'}[i, :] + {k}.0\n" for k in range(n))


def inputs(n: int) -> str:
    """Inputs, each loaded once."""
    parameters = ", ".join(f"x{k}: In[Tensor[f32, M, N]]" for k in range(n))
    lines = [f"        r = r + x{k}[i, :]\n" for k in range(1, n)]
    head = f"@kernel\ndef k({parameters}, y: Out[Tensor[f32, M, N]]) -> None:\n"
    return HEAD + head + LOOP + "        r = x0[i, :]\n" + "".join(lines) + "        y[i, :] = r\n"


def functions(n: int) -> str:
    """Functions, each called once."""
    defined = "".join(f"def fn{k}(t):\n    return t + {k}.0\n\n\n" for k in range(n))
    called = "".join(f"        t = fn{k}(t)\n" for k in range(n))
    return HEAD + defined + KERNEL + LOOP + "        t = x[i, :]\n" + called + "        y[i, :] = t\n"


def constants(n: int) -> str:
    """Constants of the module, each of the one before."""
    defined = "C0 = 1\n" + "".join(f"C{k} = C{k - 1} + {k}\n" for k in range(1, n))
    return HEAD + defined + KERNEL + LOOP + f"        y[i, :] = x[i, :] + C{n - 1}\n"


def kernels(n: int) -> str:
    """Kernels, one of which is compiled."""
    text = HEAD
    for k in range(n):
        text += KERNEL.replace("def k", f"def k{k}" if k else "def k") + LOOP + f"        y[i, :] = x[i, :] + {k}.0\n\n\n"
    return text


PROGRAMS = {f.__name__: f for f in (chain, rebound, stores, loops, inputs, functions, constants, kernels)}


def seconds(host: str, target: str, program: Path, out: str) -> float | None:
    """Processor time of one compile; nothing where it is refused."""
    command = [host, "--plugins", target, "compile", str(program), "--entry", "k", "-o", out]
    if target == "aie":
        command += ["--set", "M=64", "--set", "N=64"]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, capture_output=True, env={**os.environ, "HTP_CACHE": "off"})
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return None if done.returncode else after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("host")
    parser.add_argument("--programs", default=",".join(PROGRAMS))
    parser.add_argument("--targets", default="cpu,a2a3")
    parser.add_argument("--sizes", default="200,800,2000")
    parser.add_argument("--write", type=Path)
    given = parser.parse_args()
    sizes = [int(size) for size in given.sizes.split(",")]
    print(f"{'seconds':<12} {'target':<8}" + "".join(f"{size:>9}" for size in sizes))
    with tempfile.TemporaryDirectory() as name:
        folder = given.write or Path(name)
        folder.mkdir(exist_ok=True)
        for one in given.programs.split(","):
            for target in given.targets.split(","):
                row = f"{one:<12} {target:<8}"
                for size in sizes:
                    program = folder / f"{one}{size}.py"
                    program.write_text(PROGRAMS[one](size))
                    times = [seconds(given.host, target, program, f"{name}/out") for _ in range(ROUNDS)]
                    known = [t for t in times if t is not None]
                    row += f"{min(known):9.2f}" if known else f"{'refused':>9}"
                print(row, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
