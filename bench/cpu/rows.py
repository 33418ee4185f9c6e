"""Operations on rows on one core beside a reference by AVX-512's or AVX2's intrinsics (rows.c): softmax, norms, activations, cross-entropy, f32.

    taskset -c 1 /usr/bin/python3 bench/cpu/rows.py build/release/bin/htp-host
    … --shapes 512,1024 4096,4096 --cc clang

Calls take turns, each round all of them, so that all meet the same neighbours; the figure is the median of each one's processor time, in
microseconds. A machine without AVX2 has nothing to be held against, and is told our times.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import statistics
import subprocess
import sys
import tempfile
import time
from functools import partial
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
SHAPES = ["512,1024", "16,1024", "512,1000", "2048,2048"]
HEAD = """import htp
from htp import In, Out, f32, i32
from htp_tile import Tensor, exp, gather, kernel, log, reduce_max, reduce_mean, reduce_sum, rsqrt, sigmoid, tanh, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def {name}({parameters}) -> None:
    for i in tiles(M, 8):
        row = x[i, :]
        {body}
"""
MATRIX, ROW = "Tensor[f32, M, N]", "Tensor[f32, 1, N]"
PROGRAMS = {
    "softmax": ({}, MATRIX, ["e = exp(row - reduce_max(row, axis=1))", "y[i, :] = e / reduce_sum(e, axis=1)"]),
    "rmsnorm": ({"weight": ROW}, MATRIX, ["y[i, :] = row * rsqrt(reduce_mean(row * row, axis=1) + 1e-5) * weight[:, :]"]),
    "layernorm": (
        {"weight": ROW, "bias": ROW},
        MATRIX,
        [
            "d = row - reduce_mean(row, axis=1)",
            "y[i, :] = d * rsqrt(reduce_mean(d * d, axis=1) + 1e-5) * weight[:, :] + bias[:, :]",
        ],
    ),
    "gelu": ({}, MATRIX, ["y[i, :] = 0.5 * row * (1.0 + tanh(0.7978845608 * (row + 0.044715 * row * row * row)))"]),
    "silu": ({}, MATRIX, ["y[i, :] = row * sigmoid(row)"]),
    "cross_entropy": (
        {"label": "Tensor[i32, M, 1]"},
        "Tensor[f32, M, 1]",
        ["top = reduce_max(row, axis=1)", "y[i, :] = log(reduce_sum(exp(row - top), axis=1)) + top - gather(row, label[i, :], axis=1)"],
    ),
}


def built(command: list[object]) -> None:
    subprocess.run([str(part) for part in command], check=True, stdout=subprocess.DEVNULL)


def package(host: Path, name: str, folder: Path, cc: str | None) -> tuple[object, list[str]]:
    """The function of a program's kernel, and the names of its sizes in their order."""
    inputs, result, body = PROGRAMS[name]
    parameters = ["x: In[" + MATRIX + "]", *(f"{key}: In[{shape}]" for key, shape in inputs.items()), f"y: Out[{result}]"]
    program, made = folder / f"{name}.py", folder / name
    program.write_text(HEAD.format(name=name, parameters=", ".join(parameters), body="\n        ".join(body)))
    built([host, "--plugins", ROOT / "manifests/cpu.yaml", "compile", program, "-o", made])
    recipe = json.loads((made / "build/recipe.json").read_text())
    compiler, output = cc or recipe["compilers"][0], folder / f"{name}.so"
    optional = recipe["optional"] if "clang" in compiler else []
    built([compiler, *recipe["flags"], *optional, *(made / file for file in recipe["compile"]), "-o", output])
    signature = next(line for line in (made / "codegen/cpu/kernel.c").read_text().splitlines() if line.startswith(f"int kernel_{name}("))
    sizes = [part.rsplit(" ", 1)[1] for part in signature.split("(", 1)[1].split(")")[0].split(", ") if part.startswith("int64_t")]
    return ctypes.CDLL(str(output))[f"kernel_{name}"], sizes


def reference(folder: Path) -> ctypes.CDLL | None:
    output = folder / "rows.so"
    command = ["gcc", "-O3", "-march=native", "-ffp-contract=off", "-shared", "-fPIC", str(ROOT / "bench/cpu/rows.c"), "-o", str(output), "-lm"]
    if subprocess.run(command, capture_output=True).returncode:
        print("skipped: the reference: no AVX2 here", file=sys.stderr)
        return None
    return ctypes.CDLL(str(output))


def measured(name: str, ours: tuple[object, list[str]], theirs: ctypes.CDLL | None, shape: tuple[int, int], seconds: float) -> dict[str, float]:
    """The median time of a call of each, in microseconds; results are held against each other first."""
    m, n = shape
    random = np.random.default_rng(0)
    extents = {MATRIX: (m, n), ROW: (1, n), "Tensor[i32, M, 1]": (m, 1), "Tensor[f32, M, 1]": (m, 1)}
    inputs, result, _ = PROGRAMS[name]
    arrays = [random.standard_normal((m, n), np.float32) * np.float32(4)]
    for kind in inputs.values():
        arrays.append(random.integers(0, n, extents[kind], np.int32) if "i32" in kind else random.standard_normal(extents[kind], np.float32))
    function, sizes = ours
    out = {title: np.empty(extents[result], np.float32) for title in ("ours", "reference")}
    given = {"M": m, "N": n}

    def pointers(title: str) -> list[ctypes.c_void_p]:
        return [ctypes.c_void_p(array.ctypes.data) for array in (*arrays, out[title])]

    calls = {"ours": partial(function, *pointers("ours"), *(ctypes.c_int64(given[size]) for size in sizes))}
    if theirs:
        calls["reference"] = partial(theirs[name], ctypes.c_int64(m), ctypes.c_int64(n), *pointers("reference"))
    for call in calls.values():
        call()
    if theirs:
        assert np.allclose(out["ours"], out["reference"], rtol=1e-4, atol=1e-5), f"{name} at {shape}"
    times: dict[str, list[float]] = {title: [] for title in calls}
    end = time.monotonic() + seconds
    while len(times["ours"]) < 5 or time.monotonic() < end:
        for title, call in calls.items():
            begin = time.thread_time_ns()
            call()
            times[title].append((time.thread_time_ns() - begin) / 1000)
    return {title: statistics.median(of) for title, of in times.items()}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("host", type=Path)
    parser.add_argument("--shapes", nargs="+", default=SHAPES, help="M,N")
    parser.add_argument("--only", nargs="+", default=list(PROGRAMS), choices=list(PROGRAMS))
    parser.add_argument("--seconds", type=float, default=1, help="for each operation at each shape")
    parser.add_argument("--cc", help="the C compiler; else what the package's recipe has first")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        ours = {title: package(given.host.resolve(), title, folder, given.cc) for title in given.only}
        theirs = reference(folder)
        print("µs".ljust(16), *(shape.rjust(24) for shape in given.shapes))
        for title in given.only:
            cells = []
            for shape in given.shapes:
                m, n = map(int, shape.split(","))
                times = measured(title, ours[title], theirs, (m, n), given.seconds)
                told = f"{times['ours']:.1f}"
                if theirs:
                    told += f" / {times['reference']:.1f} = {times['ours'] / times['reference']:.2f}"
                cells.append(told)
            print(title.ljust(16), *(cell.rjust(24) for cell in cells), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
