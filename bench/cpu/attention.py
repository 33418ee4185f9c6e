"""Attention on one core beside two products by OpenBLAS with a softmax by intrinsics between them (attention.c): f32, not causal.

    OPENBLAS_NUM_THREADS=1 taskset -c 1 /usr/bin/python3 bench/cpu/attention.py build/release/bin/htp-host
    … --shapes 8,512,512,64 32,1,4096,128 --cc clang

A shape is heads, queries, keys and the size of a head. Calls take turns, each round all of them; the figure is the least processor time of each, in microseconds.
"""

from __future__ import annotations

import argparse
import ctypes
import ctypes.util
import json
import subprocess
import sys
import tempfile
import time
from functools import partial
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
SHAPES = ["8,512,512,64", "8,1024,1024,128", "8,500,500,64", "8,1,1024,64", "32,1,4096,128"]
HEAD = """import htp
from htp import In, Out, f32
from htp_tile import Tensor, exp, full, kernel, matmul, maximum, reduce_max, reduce_sum, tiles, transpose, zeros

H = htp.dim("H")
S = htp.dim("S")
T = htp.dim("T")
D = {D}
SCALE = {scale!r}


@kernel
def attention(q: In[Tensor[f32, H, {S}, D]], k: In[Tensor[f32, H, T, D]], v: In[Tensor[f32, H, T, D]], o: Out[Tensor[f32, H, {S}, D]]) -> None:
    for h in range(H):
"""
WHOLE = """        scores = matmul(q[h, {i}, :] * SCALE, transpose(k[h, :, :]))
        e = exp(scores - reduce_max(scores, axis=2))
        o[h, {i}, :] = matmul(e, v[h, :, :]) / reduce_sum(e, axis=2)
"""
BLOCKS = """        for i in tiles(S, {rows}):
            rows = q[h, i, :] * SCALE
            top = full(f32, -1.0e30, 1, i, 1)
            total = zeros(f32, 1, i, 1)
            acc = zeros(f32, 1, i, D)
            for j in tiles(T, {keys}):
                scores = matmul(rows, transpose(k[h, j, :]))
                higher = maximum(top, reduce_max(scores, axis=2))
                e = exp(scores - higher)
                fade = exp(top - higher)
                total = total * fade + reduce_sum(e, axis=2)
                acc = matmul(e, v[h, j, :], acc * fade)
                top = higher
            o[h, i, :] = acc / total
"""


def indented(text: str) -> str:
    return "".join(f"    {line}\n" for line in text.splitlines())


def programs(queries: int, size: int) -> dict[str, str]:
    head = HEAD.format(D=size, scale=size**-0.5, S="1" if queries == 1 else "S")
    if queries == 1:
        return {"one query": head + WHOLE.format(i=":")}
    return {
        "blocks of 64": head + BLOCKS.format(rows=64, keys=64),
        "blocks of 16 and 32": head + BLOCKS.format(rows=16, keys=32),
        "rows of 64": head + "        for i in tiles(S, 64):\n" + indented(WHOLE.format(i="i")),
    }


def built(command: list[object]) -> None:
    subprocess.run([str(part) for part in command], check=True, stdout=subprocess.DEVNULL)


def package(host: Path, text: str, folder: Path, cc: str | None) -> tuple[object, list[str]]:
    """The kernel's function, and the names of its sizes in their order."""
    folder.mkdir()
    program, made, output = folder / "attention.py", folder / "made", folder / "attention.so"
    program.write_text(text)
    built([host, "--plugins", ROOT / "manifests/cpu.yaml", "compile", program, "-o", made])
    recipe = json.loads((made / "build/recipe.json").read_text())
    compiler = cc or recipe["compilers"][0]
    optional = recipe["optional"] if "clang" in compiler else []
    built([compiler, *recipe["flags"], *optional, *(made / file for file in recipe["compile"]), "-o", output])
    signature = next(line for line in (made / "codegen/cpu/kernel.c").read_text().splitlines() if line.startswith("int kernel_attention("))
    sizes = [part.rsplit(" ", 1)[1] for part in signature.split("(", 1)[1].split(")")[0].split(", ") if part.startswith("int64_t")]
    return ctypes.CDLL(str(output))["kernel_attention"], sizes


def peer(folder: Path) -> tuple[object, object] | None:
    path, output = ctypes.util.find_library("openblas"), folder / "peer.so"
    command = ["gcc", "-O3", "-march=native", "-ffp-contract=off", "-shared", "-fPIC", str(ROOT / "bench/cpu/attention.c"), "-o", str(output), "-lm"]
    if not path or subprocess.run(command, capture_output=True).returncode:
        print("skipped: the peer: no OpenBLAS or no AVX2 here", file=sys.stderr)
        return None
    return ctypes.CDLL(str(output)).attention, ctypes.cast(ctypes.CDLL(path).cblas_sgemm, ctypes.c_void_p)


def measured(host: Path, shape: str, folder: Path, cc: str | None, seconds: float, theirs: tuple[object, object] | None) -> dict[str, float]:
    """The least time of a call of each, in microseconds; results are held against NumPy's first."""
    heads, queries, keys, size = map(int, shape.split(","))
    random = np.random.default_rng(0)
    q, k, v = (random.standard_normal((heads, rows, size), np.float32) for rows in (queries, keys, keys))
    o, room = np.empty_like(q), np.empty((queries, keys), np.float32)
    scores = np.einsum("hsd,htd->hst", q, k) / np.float32(size**0.5)
    e = np.exp(scores - scores.max(axis=2, keepdims=True))
    expected = np.einsum("hst,htd->hsd", e / e.sum(axis=2, keepdims=True), v)
    arrays = [ctypes.c_void_p(array.ctypes.data) for array in (q, k, v, o)]
    given = {"H": heads, "S": queries, "T": keys}
    calls = {}
    for number, (title, text) in enumerate(programs(queries, size).items()):
        function, sizes = package(host, text, folder / str(number), cc)
        calls[title] = partial(function, *arrays, *(ctypes.c_int64(given[name]) for name in sizes))
    if theirs:
        function, gemm = theirs
        for title, rows in {"peer": queries, "peer, 64 rows": 64}.items():
            if rows <= queries:
                sizes = map(ctypes.c_int64, (heads, queries, keys, size, rows))
                calls[title] = partial(function, gemm, *sizes, *arrays, ctypes.c_void_p(room.ctypes.data))
    for title, call in calls.items():
        o[...] = np.nan
        call()
        assert np.allclose(o, expected, rtol=1e-3, atol=1e-4), f"{title} at {shape}"
    least = dict.fromkeys(calls, float("inf"))
    rounds, end = 0, time.monotonic() + seconds * len(calls)
    while rounds < 5 or time.monotonic() < end:
        for title, call in calls.items():
            begin = time.thread_time()
            call()
            least[title] = min(least[title], time.thread_time() - begin)
        rounds += 1
    return {title: of * 1e6 for title, of in least.items()}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("host", type=Path)
    parser.add_argument("--shapes", nargs="+", default=SHAPES, help="heads, queries, keys, size")
    parser.add_argument("--seconds", type=float, default=1, help="for each call at each shape")
    parser.add_argument("--cc", help="the C compiler; else what the package's recipe has first")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        theirs = peer(Path(name))
        for shape in given.shapes:
            folder = Path(name) / shape
            folder.mkdir()
            times = measured(given.host.resolve(), shape, folder, given.cc, given.seconds, theirs)
            best = min((of for title, of in times.items() if title.startswith("peer")), default=None)
            print(f"{shape}:", ", ".join(f"{title} {of:.0f}" + (f" ({best / of:.2f})" if best and "peer" not in title else "") for title, of in times.items()), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
