"""`htp-host bench`: what it counts, what it times beside each other, what it refuses.

    bench_test.py --host build/dev/bin/htp-host
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from types import SimpleNamespace
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "sdk/python"), str(ROOT / "plugins/dialect-tile/python")]

import numpy as np  # noqa: E402
from htp import bencher, work  # noqa: E402
from htp.testing import entry_of, import_program  # noqa: E402

HEAD = "import htp\nfrom htp import In, InOut, Out, f32\nfrom htp_tile import Tensor, exp, kernel, reduce_sum, tiles\n\nM = htp.dim('M')\nN = htp.dim('N')\nK = htp.dim('K')\n\n@kernel\n"
PRODUCT = HEAD + "def product(a: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], c: Out[Tensor[f32, M, N]]) -> None:\n    for i in tiles(M, 8):\n        c[i, :] = a[i, :] @ b[:, :]\n"
SUMS = HEAD + "def sums(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, 1]]) -> None:\n    for i in tiles(M, 3):\n        y[i, :] = reduce_sum(exp(x[i, :]), axis=1)\n"
ADDED = HEAD + "def added(x: In[Tensor[f32, M]], y: InOut[Tensor[f32, M]]) -> None:\n    for i in tiles(M, 8):\n        y[i] = y[i] + x[i]\n"
FUNCTIONS = """
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>
void slow(const float *x, float *y, int64_t m) { usleep(2000); for (int64_t i = 0; i < m; ++i) y[i] += x[i]; }
void spoils(float *x, float *y, int64_t m) { for (int64_t i = 0; i < m; ++i) y[i] += x[i]; x[0] = 7; }
void wrong(const float *x, float *y, int64_t m) { for (int64_t i = 0; i < m; ++i) y[i] -= x[i]; }
static float first; static int calls;
void fresh(const float *x, float *y, int64_t m) {
  if (calls++ && y[0] != first) abort();
  first = y[0];
  for (int64_t i = 0; i < m; ++i) y[i] += x[i];
}
"""
HOST = Path()


class Bench(unittest.TestCase):
    def setUp(self) -> None:
        made = tempfile.TemporaryDirectory()
        self.addCleanup(made.cleanup)
        self.folder = Path(made.name)

    def host(self, *words: object, code: int = 0) -> str:
        done = subprocess.run([HOST, *map(str, words)], capture_output=True, text=True, cwd=self.folder)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def package(self, program: str, name: str) -> str:
        (self.folder / f"{name}.py").write_text(program)
        self.host("--plugins", "cpu", "compile", f"{name}.py", "-q")
        return f"{name}.htp"

    def functions(self) -> str:
        (self.folder / "f.c").write_text(FUNCTIONS)
        subprocess.run(["cc", "-O1", "-shared", "-fPIC", "-o", self.folder / "f.so", self.folder / "f.c"], check=True)
        return "f.so"

    def answer(self, *words: object) -> dict[str, Any]:
        answer: dict[str, Any] = json.loads(self.host("--json", "bench", "--seconds", 0, *words))
        return answer

    def test_operations_are_counted(self) -> None:
        for program, name, sizes, operations in (
            (PRODUCT, "product", {"M": 17, "N": 5, "K": 33}, 2 * 17 * 5 * 33),
            (PRODUCT, "product", {"M": 300, "N": 500, "K": 700}, 2 * 300 * 500 * 700),  # which plain Python does not compute
            (SUMS, "sums", {"M": 10, "N": 7}, 9 * 70),
        ):
            package = name + ".htp" if (self.folder / (name + ".htp")).exists() else self.package(program, name)
            answer = self.answer(package, *(word for dim, size in sizes.items() for word in ("--dim", f"{dim}={size}")))
            self.assertEqual((answer["operations"], answer["sizes"]), (operations, sizes))
        self.assertEqual(self.answer(package, "--work", 12)["operations"], 12)

    def test_counting_ends(self) -> None:
        program = import_program(HEAD + "def endless(y: InOut[Tensor[f32, M]]) -> None:\n    n = 0\n    while n < 1:\n        y[0] = y[0] + 1.0\n", "endless")
        self.assertIsNone(work.work_of(entry_of(program), program, [np.zeros(3, np.float32)], 0.05))
        self.assertIsNone(work.work_of(entry_of(program), program, [np.zeros((3, 3), np.float32)], 0.05))  # not its argument

    def test_beside_each_other(self) -> None:
        package, library = self.package(ADDED, "added"), self.functions()
        text = self.host("bench", package, "--against", package, "--against", f"{library}:slow", "--dim", "M=100", "--seconds", 0)
        self.assertIn("added at M=100: 800 bytes read, 400 bytes written, 100 operations\n", text)
        self.assertRegex(text, r"(?m)^f\.so:slow +2\.\d+ ms ")
        self.assertRegex(text, r"(?m)^added\.htp .* µs .* % memory$|^added\.htp .* ns .* % memory$")
        answer = self.answer(package, "--against", f"{library}:slow")
        ours, slow = answer["timed"]
        self.assertNotIn("ratio", ours)
        self.assertTrue(slow["ratio"]["different"] and slow["ratio"]["low"] <= slow["ratio"]["median"] <= slow["ratio"]["high"])
        self.assertEqual(ours["rounds"], slow["rounds"])  # turn by turn

    def test_every_run_begins_with_the_same_arrays(self) -> None:
        self.answer(self.package(ADDED, "added"), "--against", f"{self.functions()}:fresh")

    def test_what_differs_is_refused(self) -> None:
        package, library = self.package(ADDED, "added"), self.functions()
        text = self.host("bench", package, "--against", f"{library}:wrong", code=1)
        self.assertRegex(text, r": y\[0\]: -?[\d.]+, expected -?[\d.]+\n")
        self.assertTrue(text.startswith("error[bench.differs]: `f.so:wrong` computes something else than `added.htp`: "), text)
        text = self.host("bench", package, "--against", f"{library}:spoils", code=1)
        self.assertTrue(text.startswith("error[bench.differs]: `f.so:spoils` computes something else than `added.htp`: it writes to x\n"), text)
        text = self.host("bench", package, "--against", f"{library}:none", code=1)
        self.assertRegex(text, r"^error\[[^]]*\]: there is no function `none` in `f\.so`: .*undefined symbol: none\n")
        self.assertTrue(text.startswith("error[bench.no-function]: "), text)
        text = self.host("bench", package, "--against", "none.so:none", code=1)
        self.assertRegex(text, r"^error\[[^]]*\]: there is no function `none` in `none\.so`: .*No such file or directory\n")
        text = self.host("bench", package, "--against", self.package(SUMS, "sums"), code=1)
        self.assertIn("error[bench.other-parameters]: `sums.htp` takes other parameters: In f32 of 2 dimensions, Out f32 of 2 dimensions; the first takes In f32 of 1 dimensions, InOut f32 of 1 dimensions\n", text)
        self.assertIn("error[io.unreadable]: cannot read `nowhere`", self.host("bench", "nowhere", code=1))

    def test_what_is_noise_is_called_noise(self) -> None:
        """Of times that are drawn alike 1 is as a rule within the interval; of times that differ by a tenth it is not."""
        chosen = random.Random(1)

        def ratio(factor: float) -> tuple[float, float, float]:
            pair: list[Any] = [SimpleNamespace(rounds=[by * chosen.lognormvariate(0, 0.05) for _ in range(100)]) for by in (factor, 1.0)]
            return bencher._ratio(*pair)

        same = [ratio(1.0) for _ in range(200)]
        self.assertGreater(sum(low <= 1 <= high for _, low, high in same), 180)
        self.assertFalse(any(low <= 1 <= high for _, low, high in (ratio(1.1) for _ in range(200))))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--host", type=Path, required=True)
    options, rest = parser.parse_known_args()
    HOST = options.host.resolve()
    unittest.main(argv=[sys.argv[0], *rest])
