"""Ints that a call gives, and that kernels index with and count to: what the registry says of them, and what is refused before anything runs."""

from __future__ import annotations

import json
import runpy
import unittest
from typing import Any

import numpy as np

from case import HEAD, Case, host

MOVED = "def program(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, 1, N]], p: int) -> None:\n    for j in tiles(N, 64):\n        y[:, j] = x[p, j] + x[p + 1, j] * 2.0\n"
BLOCKS = "def program(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, B, N]], p: int) -> None:\n    for i in tiles(B, 16):\n        y[i, :] = x[i + p, :] * 2.0\n"
COUNTED = (
    "def program(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, 1, N]], count: int, p: int) -> None:\n"
    "    total = zeros(f32, 1, N)\n    for q in range(count):\n        total = total + x[q, :]\n"
    "    if p > 0:\n        total = total + x[p - 1, :]\n    y[:, :] = total * p\n"
)
LENGTHS = (
    "def program(n: In[Tensor[i32, B]], x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]], p: int) -> None:\n"
    "    for r in range(index(n[p])):\n        y[r, :] = x[r, :] * 2.0\n"
)
NAMED = "def program(t: In[Tensor[i32, B]], x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, B, N]]) -> None:\n    for b in range(B):\n        y[b, :] = x[t[b], :]\n"
SUMMED = (
    "def program(a: In[Tensor[f16, B, M, 32]], b: In[Tensor[f16, B, 32, N]], y: Out[Tensor[f32, 1, M, N]], count: int) -> None:\n"
    "    for i in tiles(M, 32):\n        for j in tiles(N, 32):\n            acc = zeros(f32, 1, i, j)\n            for q in range(count):\n"
    "                acc = matmul(cast(a[q, i, :], f32), cast(b[q, :, j], f32), acc)\n            y[:, i, j] = acc\n"
)
TAKEN = (
    "def program(n: In[Tensor[i32, B]], x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, 1, N]], p: int) -> None:\n"
    "    for j in tiles(N, 64):\n        total = zeros(f32, 1, j)\n        for q in range(3):\n            total = total + x[q, j]\n        y[:, j] = total / max(index(n[1]), p)\n"
)
DOWNWARDS = "def program(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]], a: int, b: int) -> None:\n    for m in range(a, b, -3):\n        y[m, :] = x[m, :] * 2.0\n"
X = np.random.default_rng(7).standard_normal((8, 100), np.float32)


class Ints(Case):
    def package(self, body: str) -> dict[str, Any]:
        done = self.compile(HEAD + body, "--verify-each")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.registry: dict[str, Any] = json.loads((self.folder / "package/codegen/a2a3/registry.json").read_text())
        entry: dict[str, Any] = self.registry["entry"]
        return entry

    def indices(self) -> list[tuple[str, int, list[str]]]:
        """What the registry says of indices that only a call knows; each is held on its line."""
        (kernel,) = self.registry["kernels"]
        text = (self.folder / "package/codegen/a2a3" / kernel["source"]).read_text().splitlines()
        for i in kernel["indices"]:
            self.assertIn(f"HTP_INSIDE({i['tensor']}, {i['dimension']}, ", text[i["line"] - 1])
        return [(i["tensor"], i["dimension"], i["from"]) for i in kernel["indices"]]

    def call(self, *numbers: str, **inputs: np.ndarray) -> str:
        """What is said of a call; of one that runs, nothing."""
        np.savez(self.folder / "in.npz", **inputs)
        options = [word for n in numbers for word in ("--arg", n)]
        done = host("run", self.folder / "package", "--inputs", self.folder / "in.npz", "--outputs", self.folder / "out.npz", *options)
        self.assertEqual(done.returncode, 1 if done.stderr else 0, done.stderr)
        return done.stderr

    def same(self, y: np.ndarray, *arguments: Any) -> None:
        """Whether y is what the program makes of its arguments under plain Python, which has it in the array `y`."""
        entry = runpy.run_path(str(self.folder / "program.py"))["program"]
        entry(*arguments)
        with np.load(self.folder / "out.npz") as out:
            np.testing.assert_allclose(out["y"], y, rtol=1e-5, atol=1e-5)

    def test_an_int_is_an_index(self) -> None:
        entry = self.package(MOVED)
        self.assertEqual(entry["ints"], [{"name": "p"}])
        self.assertEqual(entry["limits"], [{"extent": "p", "least": 0}, {"extent": ["-", "M", "p"], "least": 2}])
        self.assertEqual(self.indices(), [("x", 0, ["p"]), ("x", 0, ["p"])])
        for p in (0, 3, 6):
            self.assertEqual(self.call(f"p={p}", x=X), "")
            y = np.empty((1, 100), np.float32)
            self.same(y, X, y, p)
        self.assertIn("error[a2a3sim.index-of]: `p` is 7 where `M` is 8: an index that is made of it lies outside of its dimension\n  = hint: give a `p` of at most 6\n", self.call("p=7", x=X))
        self.assertIn("error[a2a3sim.size-least]: `p` is -1, and the package is compiled for at least 0\n  = hint: give a `p` of at least 0\n", self.call("p=-1", x=X))

    def test_blocks_are_moved_by_an_int(self) -> None:
        entry = self.package(BLOCKS)
        self.assertIn({"extent": "p", "least": 0}, entry["limits"])
        self.assertIn({"extent": ["-", ["-", "M", "B"], "p"], "least": 0}, entry["limits"])
        done = host("run", self.folder / "package", "--dim", "M=40", "--dim", "N=100", "--dim", "B=35", "--arg", "p=5")
        self.assertEqual(done.returncode, 0, done.stderr)
        done = host("run", self.folder / "package", "--dim", "M=40", "--dim", "N=100", "--dim", "B=35", "--arg", "p=6")
        self.assertIn("error[a2a3sim.index-made-of]: `p` is 6: an index that is made of it lies outside of its dimension\n", done.stderr)
        self.assertIn("  = hint: indices need `((M - B) - p)`, which is -1, to be at least 0\n", done.stderr)

    def test_an_int_says_how_often_and_where(self) -> None:
        entry = self.package(COUNTED)
        self.assertIn({"extent": ["-", "M", "count"], "least": 0}, entry["limits"])
        self.assertNotIn("count", [limit["extent"] for limit in entry["limits"]], "it may be 0")
        for count, p in ((0, 0), (3, 2), (8, -5), (1, 8)):
            self.assertEqual(self.call(f"count={count}", f"p={p}", x=X), "")
            y = np.empty((1, 100), np.float32)
            self.same(y, X, y, count, p)
        self.assertIn("`count` is 9 where `M` is 8", self.call("count=9", "p=0", x=X))
        self.assertIn(
            "error[a2a3sim.outside]: `p` is 9, and index 8 of dimension 0 of `x` is not there: it has 8\n  = hint: give indices that lie inside\n", self.call("count=1", "p=9", x=X)
        )

    def test_a_sum_of_products_has_a_first_one(self) -> None:
        self.assertIn({"extent": "count", "least": 1}, self.package(SUMMED)["limits"])
        sizes = [word for size in ("M=40", "N=33", "B=3") for word in ("--dim", size)]
        self.assertEqual(host("run", self.folder / "package", *sizes, "--arg", "count=3").returncode, 0)
        self.assertIn("`count` is 0, and the package is compiled for at least 1", host("run", self.folder / "package", *sizes, "--arg", "count=0").stderr)

    def test_indices_that_are_numbers_need_sizes(self) -> None:
        entry = self.package(TAKEN)
        self.assertEqual(entry["limits"], [{"extent": "B", "least": 2}, {"extent": "M", "least": 3}])
        x = np.ones((2, 100), np.float32)
        self.assertIn("`M` is 2, and the package is compiled for at least 3", self.call("p=0", x=x, n=np.zeros(2, np.int32)))
        self.assertEqual(self.call("p=1", x=np.ones((3, 100), np.float32), n=np.zeros(2, np.int32)), "")

    def test_an_int_that_says_how_often_may_be_more_than_a_size(self) -> None:
        self.assertEqual([limit for limit in self.package(DOWNWARDS)["limits"] if "a" in str(limit["extent"])], [])
        self.assertEqual(self.call("a=13", "b=14", x=X, y=X), "", "there is no iteration")
        self.assertIn("error[a2a3sim.outside]", self.call("a=13", "b=4", x=X, y=X))

    def test_data_says_how_often(self) -> None:
        self.package(LENGTHS)
        self.assertEqual(self.indices(), [("n", 0, ["p"]), ("x", 0, ["n", "p"]), ("y", 0, ["n", "p"])])
        n = np.array([3, 8, 0, 9], np.int32)
        for p in range(3):
            y = np.zeros((8, 100), np.float32)
            self.assertEqual(self.call(f"p={p}", n=n, x=X, y=y), "")
            self.same(y, n, X, y, p)
        self.assertIn(
            "error[a2a3sim.outside]: `n` holds 9 at element 3, and index 8 of dimension 0 of `x` is not there: it has 8\n  = hint: give indices that lie inside\n",
            self.call("p=3", n=n, x=X, y=np.zeros((8, 100), np.float32)),
        )

    def test_what_data_names_is_there(self) -> None:
        self.package(NAMED)
        self.assertEqual(self.indices(), [("x", 0, ["t"])])
        self.assertEqual(self.call(t=np.array([7, 0, 7], np.int32), x=X), "")
        for outside in (8, -1):
            said = self.call(t=np.array([7, 0, outside], np.int32), x=X)
            self.assertIn(f"error[a2a3sim.outside]: `t` holds {outside} at element 2, and index {outside} of dimension 0 of `x` is not there: it has 8\n  = hint: let `t` hold 0 to 7, or keep it inside: `p = min(max(index(t[b]), 0), M - 1)`\n", said)

    def test_an_int_of_a_dtype_is_one_too(self) -> None:
        self.package("def program(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, 1, N]], p: i32) -> None:\n    y[:, :] = x[index(p), :] * 2.0\n")
        self.assertEqual(self.call("p=7", x=X), "")
        self.assertIn("`p` is 8, and index 8 of dimension 0 of `x` is not there: it has 8\n  = hint: give 0 to 7\n", self.call("p=8", x=X))

    def test_a_scalar_of_bf16(self) -> None:
        self.package("def program(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]], s: bf16) -> None:\n    for i in tiles(M, 8):\n        y[i, :] = x[i, :] * cast(s, f32)\n")
        self.assertEqual(self.call("s=0.3", x=X), "")
        with np.load(self.folder / "out.npz") as out:
            np.testing.assert_array_equal(out["y"], X * np.float32(0.30078125))

    def test_arrays_without_an_element_are_arrays(self) -> None:
        self.package("def program(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:\n    for i in tiles(M, 8):\n        y[i, :] = x[i, :] * 2.0\n")
        self.assertEqual(self.call(x=np.zeros((0, 4), np.float32)), "")
        with np.load(self.folder / "out.npz") as out:
            self.assertEqual(out["y"].shape, (0, 4))


if __name__ == "__main__":
    unittest.main()
