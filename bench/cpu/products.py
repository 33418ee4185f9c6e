"""Products on one core beside libraries: examples/gemm and the product in one line, at the given shapes: of f32, of f32 with a transpose, or of i8 in i32.

    OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 taskset -c 0 /usr/bin/python3 bench/cpu/products.py build/release/bin/htp-host
    … --shapes 64,64,64 100,333,777 --cc clang
    … --of transposed
    … --of i8

Calls take turns, each round all of them, so that all meet the same neighbours; the figure is the least processor time of a thread, in GFLOP/s. Peers
are what is found of OpenBLAS (`libopenblas0-serial`) and oneDNN (`libdnnl2`); NumPy calls whatever BLAS it was built with.
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
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
SHAPES = ["64,64,64", "128,128,128", "256,256,256", "512,512,512", "1024,1024,1024", "2048,2048,2048", "100,333,777"]
LINE = """import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


@kernel
def line(a: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], c: Out[Tensor[f32, M, N]]) -> None:
    c[:, :] = a[:, :] @ b[:, :]
"""
TRANSPOSED = LINE.replace("import Tensor, kernel", "import Tensor, kernel, transpose").replace("f32, K, N", "f32, N, K").replace("b[:, :]", "transpose(b[:, :])")
BYTES = """import htp
from htp import In, Out, i8, i32
from htp_tile import Tensor, kernel, matmul, zeros

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


@kernel
def line(a: In[Tensor[i8, M, K]], b: In[Tensor[i8, K, N]], c: Out[Tensor[i32, M, N]]) -> None:
    c[:, :] = matmul(a[:, :], b[:, :], zeros(i32, M, N))
"""
PROGRAMS = {"f32": LINE, "transposed": TRANSPOSED, "i8": BYTES}
Call = Callable[[], object]
P = ctypes.c_void_p
Product = Callable[[int, int, int, "np.ndarray", "np.ndarray", "np.ndarray"], Call]
"""What makes a call for sizes M, N, K and arrays a, b, c, with nothing left to convert."""


def package(host: Path, program: Path, folder: Path, cc: str | None) -> Product:
    """The kernel of a package, called by its symbol: with addresses of tensors and sizes, in the signature's order."""
    made = folder / program.stem
    subprocess.run([host, "--plugins", ROOT / "manifests/cpu.yaml", "compile", program, "-o", made], check=True, stdout=subprocess.DEVNULL)
    recipe = json.loads((made / "build/recipe.json").read_text())
    output = folder / f"{program.stem}.so"
    for compiler in [cc] if cc else recipe["compilers"]:
        optional = recipe["optional"] if "clang" in compiler else []
        done = subprocess.run([compiler, *recipe["flags"], *optional, *(str(made / file) for file in recipe["compile"]), "-o", output], capture_output=True)
        if done.returncode == 0:
            break
    signature = next(line for line in (made / "codegen/cpu/kernel.c").read_text().splitlines() if line.startswith("int kernel_"))
    symbol, rest = signature.removeprefix("int ").split("(", 1)
    sizes = [word.rsplit(" ", 1)[1] for word in rest.split(")")[0].split(", ") if word.startswith("int64_t")]
    kernel = ctypes.CDLL(str(output))[symbol]
    kernel.argtypes = [ctypes.c_void_p] * 3 + [ctypes.c_int64] * 3

    def product(m: int, n: int, k: int, a: np.ndarray, b: np.ndarray, c: np.ndarray) -> Call:
        given = {"M": m, "N": n, "K": k}
        return partial(kernel, *map(address, (a, b, c)), *(ctypes.c_int64(given[size]) for size in sizes))

    return product


def address(array: np.ndarray) -> ctypes.c_void_p:
    return ctypes.c_void_p(array.ctypes.data)


def openblas(path: str, turned: bool) -> Product:
    gemm = ctypes.CDLL(path).cblas_sgemm
    f32, i32, pointer = ctypes.c_float, ctypes.c_int, ctypes.c_void_p
    gemm.argtypes = [i32, i32, i32, i32, i32, i32, f32, pointer, i32, pointer, i32, f32, pointer, i32]
    return lambda m, n, k, a, b, c: partial(
        gemm, *map(i32, (101, 111, 112 if turned else 111, m, n, k)), f32(1), address(a), i32(k), address(b), i32(k if turned else n), f32(0), address(c), i32(n)
    )


def onednn(path: str, turned: bool) -> Product:
    gemm = ctypes.CDLL(path).dnnl_sgemm
    f32, i64, letter, pointer = ctypes.c_float, ctypes.c_int64, ctypes.c_char, ctypes.c_void_p
    gemm.argtypes = [letter, letter, i64, i64, i64, f32, pointer, i64, pointer, i64, f32, pointer, i64]
    return lambda m, n, k, a, b, c: partial(
        gemm, letter(b"N"), letter(b"T" if turned else b"N"), *map(i64, (m, n, k)), f32(1), address(a), i64(k), address(b), i64(k if turned else n), f32(0), address(c), i64(n)
    )


def onednn_bytes(path: str, _: bool) -> Product:
    gemm, none = ctypes.CDLL(path).dnnl_gemm_s8s8s32, np.zeros(1, np.int32)
    f32, i64, letter, byte = ctypes.c_float, ctypes.c_int64, ctypes.c_char, ctypes.c_int8
    gemm.argtypes = [letter, letter, letter, i64, i64, i64, f32, P, i64, byte, P, i64, byte, f32, P, i64, P]
    return lambda m, n, k, a, b, c: partial(
        gemm, letter(b"N"), letter(b"N"), letter(b"F"), *map(i64, (m, n, k)), f32(1), address(a), i64(k), byte(0), address(b), i64(n), byte(0), f32(0), address(c), i64(n), address(none)
    )


def peers(of: str) -> dict[str, Product]:
    turned = of == "transposed"
    found: dict[str, Product] = {} if of == "i8" else {"NumPy": lambda m, n, k, a, b, c: partial(np.matmul, a, b.T if turned else b, out=c)}
    floats = (("OpenBLAS", "openblas", openblas), ("oneDNN", "dnnl", onednn))
    for name, library, product in (("oneDNN", "dnnl", onednn_bytes),) if of == "i8" else floats:
        if path := ctypes.util.find_library(library):
            found[name] = product(path, turned)
        else:
            print(f"skipped: {name}: lib{library} is not installed", file=sys.stderr)
    return found


def measured(products: dict[str, Product], of: str, shape: tuple[int, int, int], seconds: float) -> dict[str, float]:
    """The least time of each, in seconds; results are held against NumPy's first."""
    m, n, k = shape
    random = np.random.default_rng(0)
    extents = ((m, k), (n, k) if of == "transposed" else (k, n))
    if of == "i8":
        a, b = (random.integers(-128, 128, each, np.int8) for each in extents)
        c, expected = np.empty((m, n), np.int32), np.rint(a.astype(np.float64) @ b)
    else:
        a, b = (random.standard_normal(each, np.float32) for each in extents)
        c, expected = np.empty((m, n), np.float32), a @ (b.T if of == "transposed" else b)
    calls = {name: product(m, n, k, a, b, c) for name, product in products.items()}
    for name, call in calls.items():
        c[...] = -1
        call()
        worst = np.max(np.abs(c - expected)) / np.max(np.abs(expected))
        assert worst < (1e-4 if of != "i8" else 1e-12), f"{name} at {shape}: {worst}"
    least = dict.fromkeys(products, float("inf"))
    end = time.monotonic() + seconds * len(products)
    rounds = 0
    while rounds < 5 or time.monotonic() < end:
        for name, call in calls.items():
            begin = time.thread_time()
            call()
            least[name] = min(least[name], time.thread_time() - begin)
        rounds += 1
    return least


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("host", type=Path)
    parser.add_argument("--shapes", nargs="+", default=SHAPES, help="M,N,K")
    parser.add_argument("--of", choices=list(PROGRAMS), default="f32")
    parser.add_argument("--seconds", type=float, default=0.5, help="for each product at each shape")
    parser.add_argument("--cc", help="the C compiler; else what the package's recipe has first")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "line.py").write_text(PROGRAMS[given.of])
        ours = {"examples/gemm": ROOT / "examples/gemm/gemm.py"} if given.of == "f32" else {}
        ours["one line"] = folder / "line.py"
        products = {title: package(given.host.resolve(), program, folder, given.cc) for title, program in ours.items()} | peers(given.of)
        print("M,N,K".ljust(16), *(title.rjust(14) for title in products), " best of ours / best peer")
        for text in given.shapes:
            m, n, k = map(int, text.split(","))
            least = measured(products, given.of, (m, n, k), given.seconds)
            rates = {title: 2 * m * n * k / seconds / 1e9 for title, seconds in least.items()}
            best = max((rate for title, rate in rates.items() if title not in ours), default=None)
            ratio = f"{max(rates[title] for title in ours) / best:10.2f}" if best else ""
            print(text.ljust(16), *(f"{rate:14.1f}" for rate in rates.values()), ratio, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
