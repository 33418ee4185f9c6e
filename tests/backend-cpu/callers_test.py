"""What callers may give and have: truth values of any byte, and threads with a small stack."""

from __future__ import annotations

import argparse
import subprocess
import tempfile
import threading
import unittest
from pathlib import Path
from typing import Any

import htp
import numpy as np
from htp.testing import import_program

ROOT = Path(__file__).resolve().parents[2]
HEAD = """import htp
from htp import In, InOut, Out, bool_, f32, i32
from htp_tile import Tensor, cast, exp, kernel, reduce_sum, tiles, where

M = htp.dim("M")


@kernel
"""
TRUTHS = HEAD + """def k(x: In[Tensor[bool_, M]], y: Out[Tensor[i32, M]], z: Out[Tensor[bool_, M]], w: Out[Tensor[f32, M]]) -> None:
    for i in tiles(M, 8):
        y[i] = cast(x[i], i32)
        z[i] = (x[i] == True) & x[i]
        w[i] = where(x[i] ^ True, 1.0, 2.0)
"""
LENGTHS = HEAD.replace("kernel,", "kernel, matmul, reduce_max, reshape, transpose,").replace("import Tensor, cast", "import Tensor, index, cast") + """def k(x: In[Tensor[f32, M, M]], n: int, m: int, y: InOut[Tensor[f32, M, M]]) -> None:
    y[:n, :m] = transpose(matmul(x[:m, :], x[:, :n]))
"""
READ = LENGTHS[: LENGTHS.index("def k(")] + """def k(x: In[Tensor[f32, M]], l: In[Tensor[i32, 1]], y: InOut[Tensor[f32, M]]) -> None:
    n = index(l[0])
    r = reshape(x[:n * 4], n, 4)
    y[:n * 2] = reshape(r[:, 1:3], -1)
"""
LONG = LENGTHS[: LENGTHS.index("def k(")] + """def k(x: In[Tensor[f32, M]], n: int, y: Out[Tensor[f32, 1]]) -> None:
    y[0] = reduce_max(x[:n], axis=0)
"""
TILES = 150
LARGE = (
    HEAD
    + "def k(x: In[Tensor[f32, M, 512]], y: InOut[Tensor[f32, M, 512]]) -> None:\n    for i in tiles(M, 16):\n"
    + "".join(f"        t{n} = exp(x[i, :] * {n}.0)\n        s{n} = reduce_sum(t{n}, axis=1)\n" for n in range(TILES))
    + "".join(f"        y[i, :] += t{n} + s{n}\n" for n in range(TILES))
)
HOST = Path()


class Callers(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def compiled(self, text: str) -> Any:
        program, package = self.folder / "k.py", self.folder / "k.htp"
        program.write_text(text)
        subprocess.run([HOST, "--plugins", ROOT / "manifests/cpu.yaml", "compile", program, "-o", package], check=True, capture_output=True)
        bound = htp.bind(package)
        self.addCleanup(bound.__exit__, None, None, None)
        return bound

    def test_a_length_below_0_is_none(self) -> None:
        x = np.random.default_rng(1).standard_normal((8, 8), np.float32)
        package = self.compiled(LENGTHS)
        for n, m in ((-1, 3), (3, -1), (-1, -1), (-100, -100), (-1000, -1000), (-(2**62), -4), (0, 5), (5, 4), (8, 8)):
            results = []
            for run in (import_program(LENGTHS, "k").k, package.k):
                y = np.full((8, 8), 7, np.float32)
                run(x, n, m, y)
                results.append(y)
            np.testing.assert_allclose(results[1], results[0], rtol=1e-5, atol=1e-6, err_msg=f"n={n}, m={m}")
        package = self.compiled(READ)
        for n in (-1, -3, -(2**31), 0, 2):
            y = np.full(16, 7, np.float32)
            package.k(np.arange(16, dtype=np.float32), np.array([n], np.int32), y)
            np.testing.assert_array_equal(y, [1, 2, 5, 6, *[7] * 12] if n == 2 else [7] * 16)

    def test_a_length_beyond_every_tensor_ends_at_once(self) -> None:
        package = self.compiled(LONG)
        with self.assertRaisesRegex(htp.HtpError, "index 12 is outside dimension 0 of `x`, which has 12"):
            package.k(np.zeros(12, np.float32), 2**60, np.zeros(1, np.float32))  # each step of it would take ten years

    def test_truth_values_of_any_byte(self) -> None:
        x = np.array([0, 1, 2, 255, 4, 1, 0, 128, 3] * 5, np.uint8).view(np.bool_)
        results = []
        for run in (import_program(TRUTHS, "k").k, self.compiled(TRUTHS)):
            y, z, w = np.zeros(45, np.int32), np.zeros(45, np.bool_), np.zeros(45, np.float32)
            run(x, y, z, w)
            results.append((y.tolist(), z.view(np.uint8).tolist(), w.tolist()))
        self.assertEqual(*results)
        self.assertEqual(results[0][0][:4], [0, 1, 1, 1])

    def test_a_small_stack_holds_what_a_kernel_has(self) -> None:
        run = self.compiled(LARGE)
        x, y = np.zeros((20, 512), np.float32), np.zeros((20, 512), np.float32)
        before = threading.stack_size(256 * 1024)
        try:
            thread = threading.Thread(target=run, args=(x, y))
            thread.start()
            thread.join()
        finally:
            threading.stack_size(before)
        self.assertEqual(y[19, 511], TILES * 513.0)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--host", type=Path, required=True)
    HOST = parser.parse_args().host.resolve()
    unittest.main(argv=[__file__])
