"""What packages for A2 and A3 compute, on the simulated processor, and what schedules make of them."""

from __future__ import annotations

import json
import os
import re
import runpy
import unittest
import unittest.mock
from pathlib import Path
from types import ModuleType, SimpleNamespace

import htp
import numpy as np

from case import HEAD, PROFILE, ROOT, Case, host, ordered


class Results(Case):
    """What a package computes where the laws' inputs do not reach."""

    def run_of(self, program: str, *arrays: np.ndarray, head: str = HEAD) -> None:
        done = self.compile(head + program, "--verify-each")
        self.assertEqual(done.returncode, 0, done.stderr)
        plugins = Path(os.environ["HTP_HOST"]).parents[1] / "plugins"
        with htp.bind(self.folder / "package", plugin_path=[plugins]) as opened:
            (routine,) = opened.routines.values()
            routine(*arrays)

    def test_what_data_decides_to_leave_keeps_what_it_had(self) -> None:
        program = ("def program(m: In[Tensor[i32, N]], x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:\n"
                   "    for i in range(N):\n        if index(m[i]) > 0:\n            y[i] = x[i]\n")
        for m in (np.array([1, 0, -3, 2, 0], np.int32), np.ones(5, np.int32), np.zeros(5, np.int32)):
            x, y = np.arange(5, dtype=np.float32), np.full(5, 9, np.float32)
            self.run_of(program, m, x, y)
            np.testing.assert_array_equal(y, np.where(m > 0, x, 9))
        registry = json.loads((self.folder / "package/codegen/a2a3/registry.json").read_text())
        self.assertEqual([p["direction"] for p in registry["entry"]["parameters"]], ["in", "in", "inout"])

    def test_branches_within_branches_are_ordered_whichever_ways_they_go(self) -> None:
        program = ("def program(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:\n    for i in tiles(M, 4):\n"
                   "        if N > 16:\n            if i.start == 0:\n                y[i, :] = x[i, :] * 2.0\n"
                   "            elif len(i) < 4:\n                y[i, :] = x[i, :] * 3.0\n            else:\n                y[i, :] = x[i, :] * 4.0\n"
                   "        else:\n            y[i, :] = x[i, :] + 1.0\n")
        for m, n in ((13, 20), (13, 3)):
            x, y = np.arange(m * n, dtype=np.float32).reshape(m, n), np.zeros((m, n), np.float32)
            self.run_of(program, x, y)
            rows = np.arange(m)[:, None]
            np.testing.assert_array_equal(y, x * np.where(rows < 4, 2, np.where(rows < 12, 4, 3)) if n > 16 else x + 1)

    def test_what_is_carried_is_written_where_it_goes_by_several_names(self) -> None:
        program = ("def program(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:\n    c = zeros(f32, 1, N)\n    for p in range(M):\n"
                   "        row = x[p, :]\n        largest = maximum(row, reduce_max(c, axis=0))\n        total = row + largest\n        c = total\n        y[p, :] = c\n")
        x = np.random.default_rng(0).integers(-8, 9, (7, 24)).astype(np.float32)
        y, c = np.zeros_like(x), np.zeros(24, np.float32)
        self.run_of(program, x, y)
        for row, stored in zip(x, y):
            c = row + np.maximum(row, c)
            np.testing.assert_array_equal(stored, c)

    def test_a_column_is_reduced_as_the_row_that_it_lies_as(self) -> None:
        program = ("def program(x: In[Tensor[{0}, M, N]], u: In[Tensor[{0}, M, 1]], y: Out[Tensor[{0}, M, N]]) -> None:\n    for i in tiles(M, 8):\n"
                   "        column = reduce_max(x[i, :], axis=1)\n        y[i, :] = x[i, :] - reduce_sum(column, axis=0) * reduce_min(u[i, :], axis=0)\n")
        for dtype, name in ((np.float32, "f32"), (np.int32, "i32"), (np.float16, "f16")):
            x = np.random.default_rng(0).integers(-8, 9, (13, 20)).astype(dtype)
            u, y = x[:, 3:4].copy(), np.zeros_like(x)
            self.run_of(program.format(name), x, u, y)
            for rows in (slice(0, 8), slice(8, 13)):
                np.testing.assert_array_equal(y[rows], x[rows] - x[rows].max(1).sum(dtype=dtype) * u[rows].min())

    def test_long_rows_of_narrow_floats_are_rounded_once(self) -> None:
        program = ("def program(x: In[Tensor[{0}, M, N]], s: Out[Tensor[{0}, M, 1]], t: Out[Tensor[{0}, M, 1]]) -> None:\n    for i in tiles(M, 4):\n"
                   "        s[i, :] = reduce_sum(x[i, :], axis=1)\n        t[i, :] = reduce_max(x[i, :], axis=1)\n")
        real = np.random.default_rng(0).integers(0, 8, (5, 3000)).astype(np.float32)
        for n in (20, 3000):
            x = real[:, :n].astype(np.float16)
            s, t = np.zeros((5, 1), np.float16), np.zeros((5, 1), np.float16)
            self.run_of(program.format("f16"), x, s, t)
            np.testing.assert_array_equal(s, x.sum(1, dtype=np.float64, keepdims=True).astype(np.float16))
            np.testing.assert_array_equal(t, x.max(1, keepdims=True))
            bits = (real[:, :n].copy().view(np.uint32) >> 16).astype(np.uint16)
            s, t = np.zeros((5, 1), np.uint16), np.zeros((5, 1), np.uint16)
            self.run_of(program.format("bf16"), bits, s, t)
            exact = real[:, :n].sum(1, keepdims=True).view(np.uint32)
            np.testing.assert_array_equal(s, ((exact + 0x7FFF + (exact >> 16 & 1)) >> 16).astype(np.uint16))
            np.testing.assert_array_equal(t, bits.max(1, keepdims=True))

    def test_a_mask_of_a_row_a_column_or_one_counts_for_all(self) -> None:
        program = ("def program(x: In[Tensor[f32, M, N]], g: In[Tensor[f32, 1, N]], v: In[Tensor[f32, M, 1]], o: In[Tensor[f32, 1, 1]], y: Out[Tensor[f32, M, N]]) -> None:\n"
                   "    for i in tiles(M, 4):\n        m = x[i, :] > 0\n        y[i, :] = where((m & (g[:, :] > 0)) ^ (v[i, :] > 0) | (o[:, :] > 0), x[i, :], 0)\n")
        random = np.random.default_rng(0)
        x, g, v = (random.normal(size=size).astype(np.float32) for size in ((13, 20), (1, 20), (13, 1)))
        for one in (-1, 1):
            y = np.zeros_like(x)
            self.run_of(program, x, g, v, np.full((1, 1), one, np.float32), y)
            np.testing.assert_array_equal(y, np.where((((x > 0) & (g > 0)) ^ (v > 0)) | (one > 0), x, 0))

    def test_what_is_stored_counts_for_each_index_of_a_slice(self) -> None:
        program = ("def program(c: In[Tensor[f32, M, 1]], r: In[Tensor[f32, 1, N]], o: In[Tensor[f32, 1, 1]], y: Out[Tensor[f32, M, 2 * N + 8]], z: Out[Tensor[f32, 2 * M, N]]) -> None:\n"
                   "    for i in tiles(M, 4):\n        y[i, 0:8] = abs(c[i, :])\n        y[i, 8 : N + 8] = o[:, :] * 2.0\n        y[i, N + 8 :] = r[:, :] * 2.0\n"
                   "    for m in range(M):\n        z[m, :] = abs(c[m, :])\n    z[M:, :] = r[:, :] - 1.0\n")
        random = np.random.default_rng(0)
        for m, n in ((5, 20), (9, 3), (1, 1)):
            c, r, o = (random.normal(size=size).astype(np.float32) for size in ((m, 1), (1, n), (1, 1)))
            y, z = np.zeros((m, 2 * n + 8), np.float32), np.zeros((2 * m, n), np.float32)
            self.run_of(program, c, r, o, y, z)
            parts = (np.abs(c).repeat(8, 1), np.broadcast_to(o * 2, (m, n)), (r * 2).repeat(m, 0))
            np.testing.assert_array_equal(y, np.concatenate(parts, 1))
            np.testing.assert_array_equal(z, np.concatenate((np.abs(c).repeat(n, 1), (r - 1).repeat(m, 0))))

    def test_what_is_stored_counts_for_each_index_of_a_block_that_is_moved(self) -> None:
        program = ("def program(x: In[Tensor[f32, M, 8]], v: In[Tensor[f32, M, 1]], y: InOut[Tensor[f32, M + 1, N]], z: InOut[Tensor[f32, M + 2, N + 1]],"
                   " t: InOut[Tensor[f32, 33, 8, htp.layouts.ordered((33, 8), (1, 0))]], u: In[Tensor[f32, 32, 8]]) -> None:\n"
                   "    for i in tiles(M, 4):\n        y[i + 1, :] = 3.0\n    for i in tiles(M, 4):\n        for j in tiles(N, 16):\n            z[2 + i, j + 1] = v[i, :] * 2.0\n"
                   "    for i in tiles(32, 16):\n        t[i + 1, :] = u[i, :] * 2.0\n    for m in range(M):\n        for n in range(2):\n            y[m + n, 0:1] = x[m, 1] + n\n")
        random = np.random.default_rng(0)
        for m, n in ((9, 20), (4, 16), (1, 1)):
            x, v, u = (random.normal(size=size).astype(np.float32) for size in ((m, 8), (m, 1), (32, 8)))
            y, z, t = np.zeros((m + 1, n), np.float32), np.zeros((m + 2, n + 1), np.float32), np.zeros((33, 8), np.float32, order="F")
            self.run_of(program, x, v, y, z, t, u)
            wanted = np.full((m + 1, n), 3, np.float32)
            wanted[0] = 0
            wanted[:m, 0] = x[:, 1]
            wanted[m, 0] = x[m - 1, 1] + 1
            np.testing.assert_array_equal(y, wanted)
            np.testing.assert_array_equal(z[2:, 1:], np.broadcast_to(v * 2, (m, n)))
            np.testing.assert_array_equal(t[1:], u * 2)

    def test_tiles_of_a_branch_hold_what_its_test_says(self) -> None:
        program = ("def program(x: InOut[Tensor[f32, N]], y: InOut[Tensor[f32, M, N]]) -> None:\n    if N > 3:\n        x[2:] = x[: N - 2] * 2.0\n"
                   "    for i in tiles(M, 4):\n        if M > N:\n            y[i, :] = y[i, :] - reduce_max(y[i, :], axis=1)\n")
        for m, n in ((5, 1), (2, 3), (3, 4), (7, 4), (9, 20)):
            x, y = np.arange(n, dtype=np.float32), np.arange(m * n, dtype=np.float32).reshape(m, n)
            wanted = x.copy()
            if n > 3:
                wanted[2:] = x[: n - 2] * 2
            rows = y - y.max(1, keepdims=True) if m > n else y.copy()
            self.run_of(program, x, y)
            np.testing.assert_array_equal(x, wanted)
            np.testing.assert_array_equal(y, rows)

    def test_halves_of_one_array_are_outputs(self) -> None:
        program = ("def program(x: In[Tensor[f32, 24, 16, htp.layouts.strided((24, 16), (40, 1))]], y: Out[Tensor[f32, 24, 16, htp.layouts.strided((24, 16), (40, 1))]],"
                   " z: InOut[Tensor[f32, 24, 4, htp.layouts.strided((24, 4), (40, 1))]]) -> None:\n"
                   "    for i in tiles(24, 8):\n        y[i, :] = x[i, :] + 1\n        z[i, :] = z[i, :] * 2\n")
        whole = np.arange(24 * 40, dtype=np.float32).reshape(24, 40)
        wanted = whole.copy()
        wanted[:, 16:32] = whole[:, :16] + 1
        wanted[:, 34:38] *= 2
        self.run_of(program, whole[:, :16], whole[:, 16:32], whole[:, 34:38])
        np.testing.assert_array_equal(whole, wanted)

    def test_indices_of_a_table_that_lies_in_columns(self) -> None:
        program = ("def program(table: In[Tensor[i32, 3, 4, htp.layouts.strided((3, 4), (2, 7))]], x: In[Tensor[f32, 9, 32]], y: Out[Tensor[f32, 3, 4, 32]]) -> None:\n"
                   "    for b in range(3):\n        for p in range(4):\n            row = index(table[b, p])\n            y[b, p, :] = x[row, :] + 1\n")
        random = np.random.default_rng(0)
        x, y, chosen = random.normal(size=(9, 32)).astype(np.float32), np.zeros((3, 4, 32), np.float32), random.integers(0, 9, (3, 4)).astype(np.int32)
        table = np.lib.stride_tricks.as_strided(np.full(26, 99, np.int32), (3, 4), (8, 28))
        table[...] = chosen
        self.run_of(program, table, x, y)
        np.testing.assert_array_equal(y, x[chosen] + 1)
        table[2, 3] = 9
        with self.assertRaises(htp.Diagnosed):
            self.run_of(program, table, x, y)

    def test_tensors_of_heads(self) -> None:
        program = ("def program(q: In[Tensor[f16, B, 3, M, 16]], k: In[Tensor[f16, B, 3, N, 16]], s: Out[Tensor[f32, B, 3, M, N]], top: Out[Tensor[f32, B, 3, M]]) -> None:\n"
                   "    for b in range(B):\n        for h in range(3):\n            for i in tiles(M, 16):\n                for j in tiles(N, 16):\n"
                   "                    s[b, h, i, j] = matmul(cast(q[b, h, i, :], f32), transpose(cast(k[b, h, j, :], f32))) * 0.25\n"
                   "                top[b, h, i] = reduce_max(cast(q[b, h, i, :], f32), axis=3)\n")
        random = np.random.default_rng(0)
        for b, m, n in ((2, 21, 50),):
            q, k = (random.normal(size=(b, 3, size, 16)).astype(np.float16) for size in (m, n))
            s, top = np.zeros((b, 3, m, n), np.float32), np.zeros((b, 3, m), np.float32)
            self.run_of(program, q, k, s, top)
            np.testing.assert_allclose(s, np.einsum("bhid,bhjd->bhij", q.astype(np.float32), k.astype(np.float32)) / 4, rtol=1e-5, atol=1e-5)
            np.testing.assert_array_equal(top, q.astype(np.float32).max(3))

    def test_products_of_tiles_that_are_one_number(self) -> None:
        program = ("def program(b: In[Tensor[f16, 64, N]], c: Out[Tensor[f32, M, N]]) -> None:\n    for i in tiles(M, 64):\n        for j in tiles(N, 64):\n"
                   "            c[i, j] = matmul(full(f16, 2.0, i, 64), b[:, j], zeros(f32, i, j))\n")
        b, c = np.random.default_rng(0).normal(size=(64, 70)).astype(np.float16), np.zeros((9, 70), np.float32)
        self.run_of(program, b, c)
        np.testing.assert_allclose(c, np.full((9, 64), 2.0) @ b.astype(np.float32), rtol=1e-5, atol=1e-5)

    def test_sines_of_large_angles(self) -> None:
        x = np.concatenate([np.linspace(-205880, 205880, 4001), np.pi * np.arange(0, 60000, 97) / 2, [np.inf, -np.inf, np.nan, 3e5, -1e30, 0, 1e-42]]).astype(np.float32)
        s, c = np.empty_like(x), np.empty_like(x)
        self.run_of("def program(x: In[Tensor[f32, N]], s: Out[Tensor[f32, N]], c: Out[Tensor[f32, N]]) -> None:\n"
                    "    for i in tiles(N, 512):\n        s[i] = sin(x[i])\n        c[i] = cos(x[i])\n", x, s, c)
        known = np.abs(x) < 205887
        for got, function in ((s, np.sin), (c, np.cos)):
            self.assertTrue(np.isnan(got[~known]).all())
            self.assertLess(np.abs(got[known] - function(x[known].astype(np.float64))).max(), 3 * 2**-24)


    def test_either_way_of_a_branch(self) -> None:
        x = np.linspace(-2, 2, 37 * 5, dtype=np.float32).reshape(37, 5)
        n, y = np.array([3, 0, 2, 7, 1], np.int32), np.empty_like(x)
        self.run_of("def program(n: In[Tensor[i32, B]], x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:\n"
                    "    for b in range(B):\n        left = index(n[b])\n        for i in tiles(M, 8):\n"
                    "            if i.start < left * 8 and not (i.start == 8 or b == 1):\n                h = exp(x[i, :])\n"
                    "            else:\n                if len(i) != 8:\n                    h = x[i, :] * 2.0\n                else:\n                    h = x[i, :] - 1.0\n"
                    "            y[i, :] = h + 0.5\n", n, x, y)
        rows, left, b = np.arange(37) // 8 * 8, 1, 4
        taken = (rows < left * 8) & ~((rows == 8) | (b == 1))
        expected = np.where(taken[:, None], np.exp(x), np.where(rows[:, None] == 32, x * 2, x - 1)) + 0.5
        np.testing.assert_allclose(y, expected, rtol=1e-6, atol=1e-6)


    def test_what_is_gathered_is_as_it_was(self) -> None:
        x = np.full((5, 100), -5, np.float32)
        x[0, 3], x[0, 50], x[1, 7], x[2, 9], x[3, :] = -0.0, 0.0, np.nan, np.inf, -0.0
        y = np.empty((5, 4), np.float32)
        self.run_of("def program(x: In[Tensor[f32, M, 100]], y: Out[Tensor[f32, M, 4]]) -> None:\n"
                    "    for i in tiles(M, 4):\n        row = x[i, :]\n        y[i, :] = gather(row, argtopk(row, 4, axis=1), axis=1)\n", x, y)
        expected = np.array([[0, -0.0, -5, -5], [np.nan, -5, -5, -5], [np.inf, -5, -5, -5], [-0.0] * 4, [-5] * 4], np.float32)
        np.testing.assert_array_equal(y, expected)
        np.testing.assert_array_equal(np.signbit(y), np.signbit(expected))

    # One line each of what has no instruction of its own, or of another dtype or extents; `x` is 19 x 32.
    LIFTED = (
        ("f32", "i8", "cast(x[i, :] * 100.0, i8)"),
        ("f32", "u8", "cast(x[i, :] * 100.0, u8)"),
        ("f32", "i16", "cast(x[i, :] * 20000.0, i16)"),
        ("f32", "i8", 'cast(x[i, :] * 10.0, i8, rounding="nearest")'),
        ("f32", "i32", 'cast(x[i, :], i32, rounding="down")'),
        ("f32", "f32", "round(x[i, :]) + floor(x[i, :]) * 8.0 + ceil(x[i, :]) * 64.0 + trunc(x[i, :]) * 512.0"),
        ("f32", "f32", "where(x[i, :] > 1.5, round(x[i, :] * 0.125), trunc(x[i, :] * -0.25))"),
        ("i32", "i8", "cast(x[i, :], i8)"),
        ("i32", "u8", "cast(x[i, :], u8)"),
        ("i32", "i16", "cast(x[i, :], i16)"),
        ("i32", "f16", "cast(x[i, :], f16)"),
        ("i8", "f32", "cast(x[i, :], f32) * 0.5"),
        ("i8", "i32", "cast(x[i, :], i32) * 3"),
        ("u8", "f32", "cast(x[i, :], f32)"),
        ("f16", "bf16", "cast(x[i, :], bf16)"),
        ("i32", "i32", "x[i, :] // 16 + x[i, :] % 16 * 3 + x[i, :] / 16 * 5 + rem(x[i, :], 16) * 7 + x[i, :] / 1"),
        ("i32", "i32", "(x[i, :] << 3) ^ (x[i, :] >> 5) ^ (x[i, :] & 12) ^ 3"),
        ("u32", "u32", "(x[i, :] << 13) ^ (x[i, :] >> 17) | 1"),
        ("f16", "f16", "tanh(x[i, :]) * reduce_sum(x[i, :], axis=1)"),
        ("bf16", "bf16", "exp(x[i, :]) * x[0, :] + 1.0"),
        ("bf16", "bf16", "where(x[i, :] > 0.5, x[i, :], 0)"),
        ("bf16", "bf16", "x[i, :] - reduce_max(x[i, :], axis=1) + reduce_sum(x[i, :], axis=1)"),
        ("f32", "f32", "x[i, :] ** 4 + abs(x[i, :]) ** 0.5 + (abs(x[i, :]) + 1.0) ** -3"),
        ("f32", "f32", "scan_sum(x[i, :], axis=1) - scan_max(x[i, :], axis=1) * scan_min(x[i, :], axis=1)"),
        ("f32", "f32", "where(reduce_any(x[i, :] > 4.0, axis=1) ^ reduce_all(x[i, :] > -4.0, axis=1), x[i, :], 0.0)"),
        ("f32", "f32", "where(x[0, 0] > 0.0, x[i, :], -x[i, :]) + x[1, 1]"),
        ("f32", "f32", "x[i, :] * cast(argmin(x[i, :], axis=1), f32) + reduce_prod(x[i, :] * 0.25, axis=1)"),
        ("f16", "f16", "gather(x[i, :], argtopk(x[i, :], 32, axis=1), axis=1) + topk(x[i, :], 32, axis=1)"),
    )

    def test_what_has_no_instruction_is_made_of_others(self) -> None:
        head = HEAD.replace("htp_tile import", "htp_tile import argmin, ceil, floor, minimum, reduce_all, reduce_any, reduce_min, reduce_prod, rem, round, scan_max, scan_min, tanh, trunc,")
        rows, signature = [], []
        arrays: list[np.ndarray] = []
        random = np.random.default_rng(5)
        inputs: dict[str, np.ndarray] = {}
        for dtype in sorted({one for one, _, _ in self.LIFTED}):
            real = (random.standard_normal((19, 32)) * 3).astype(np.float32)
            real[0, :8] = [0.5, 1.5, -0.5, -0.0, 2.5, -2.5, 0.0, 7.25]
            whole = random.integers(-(2**31), 2**31, (19, 32))
            whole[0, :6] = [-(2**31), 2**31 - 1, -1, 0, 7, -7]
            made = {"f32": real, "f16": real.astype(np.float16), "bf16": (real.view(np.uint32) >> 16).astype(np.uint16)}.get(dtype)
            inputs[dtype] = whole.astype({"i8": np.int8, "u8": np.uint8, "i32": np.int32, "u32": np.uint32}[dtype]) if made is None else made
            signature.append(f"x_{dtype}: In[Tensor[{dtype}, M, 32]]")
            arrays.append(inputs[dtype])
        kinds = {"f32": np.float32, "f16": np.float16, "bf16": np.uint16, "i8": np.int8, "u8": np.uint8, "i16": np.int16, "i32": np.int32, "u32": np.uint32}
        for part in range(0, len(self.LIFTED), 8):  # a program's tiles lie in one kernel's memory
            chosen = self.LIFTED[part : part + 8]
            rows = [f"    for i in tiles(M, 8):\n        y{k}[i, :] = {text.replace('x[', f'x_{one}[')}\n" for k, (one, _, text) in enumerate(chosen)]
            used = sorted({one for one, _, _ in chosen})
            taken = [f"x_{one}: In[Tensor[{one}, M, 32]]" for one in used] + [f"y{k}: Out[Tensor[{to}, M, 32]]" for k, (_, to, _) in enumerate(chosen)]
            program = f"def program({', '.join(taken)}) -> None:\n" + "".join(rows)
            expected = [np.empty((19, 32), kinds[to]) for _, to, _ in chosen]
            results = [np.empty((19, 32), kinds[to]) for _, to, _ in chosen]
            done = self.compile(head + program)
            self.assertEqual(done.returncode, 0, done.stderr)
            with np.errstate(all="ignore"):
                runpy.run_path(str(self.folder / "program.py"))["program"](*(inputs[one] for one in used), *expected)
            with htp.bind(self.folder / "package", plugin_path=[Path(os.environ["HTP_HOST"]).parents[1] / "plugins"]) as opened:
                (routine,) = opened.routines.values()
                routine(*(inputs[one] for one in used), *results)
            for (one, to, text), got, wanted in zip(chosen, results, expected):
                with self.subTest(dtype=one, to=to, text=text):
                    if to == "bf16":
                        got, wanted = ((a.astype(np.uint32) << 16).view(np.float32) for a in (got, wanted))
                    if to[0] in "iu":
                        np.testing.assert_array_equal(got, wanted)
                    else:
                        exact = "round" in text
                        np.testing.assert_allclose(got, wanted, *((0, 0) if exact else {"f32": (2e-5, 2e-5), "f16": (2e-3, 2e-3), "bf16": (2e-2, 2e-2)}[to]))
                        np.testing.assert_array_equal(np.signbit(got) & (got == 0) & exact, np.signbit(wanted) & (wanted == 0) & exact)

    def test_whole_numbers_of_all_magnitudes(self) -> None:
        head = HEAD.replace("htp_tile import", "htp_tile import ceil, floor, round, trunc,")
        scales = 2.0 ** np.arange(-30, 128, 3)
        x = np.outer([1, -1, 1.7, -1.7], scales).astype(np.float32).reshape(-1)
        x = np.concatenate([x, [2**22 + 0.5, 2**23 - 0.5, -(2**23) + 0.5, 2**31, 2**56, 1e17, -1e38, np.inf, -np.inf, np.nan, -0.0, 1e-45]]).astype(np.float32)
        whole = ("floor", "ceil", "round", "trunc")
        for dtype in ("f32", "bf16"):
            given = x if dtype == "f32" else (x.view(np.uint32) >> 16).astype(np.uint16)
            made = [np.empty_like(given) for _ in whole]
            outs = ", ".join(f"{name}_of: Out[Tensor[{dtype}, N]]" for name in whole)
            self.run_of(f"def program(x: In[Tensor[{dtype}, N]], {outs}) -> None:\n    for i in tiles(N, 128):\n"
                        + "".join(f"        {name}_of[i] = {name}(x[i])\n" for name in whole), given, *made, head=head)
            for name, got in zip(whole, made):
                with self.subTest(dtype=dtype, name=name):
                    values, result = (a if dtype == "f32" else (a.astype(np.uint32) << 16).view(np.float32) for a in (given, got))
                    wanted = getattr(np, name)(values)
                    np.testing.assert_array_equal(result, wanted)
                    np.testing.assert_array_equal(np.signbit(result) & (result == 0), np.signbit(wanted) & (wanted == 0))

    def test_counts_of_as_many_rows_as_columns(self) -> None:
        x = np.arange(40 * 40, dtype=np.float32).reshape(40, 40)
        y, one, more = x.copy(), np.empty((2, 16, 16), np.int32), np.empty((1, 8, 8), np.int32)
        self.run_of("def program(x: In[Tensor[f32, M, M]], y: InOut[Tensor[f32, M, M]], o: Out[Tensor[i32, 2, 16, 16]], p: Out[Tensor[i32, 1, 8, 8]]) -> None:\n"
                    "    for i in tiles(M, 16):\n        y[i, i] = where(iota(i32, i, i, axis=0) >= iota(i32, i, i, axis=1), x[i, i], -1.0)\n"
                    "    o[0, :, :] = iota(i32, 16, 16, axis=0)\n    o[1, :, :] = iota(i32, 16, 16, axis=1)\n    p[:, :, :] = iota(i32, 1, 8, 8, axis=1)\n", x, y, one, more)
        rows, columns = np.indices((40, 40))
        np.testing.assert_array_equal(y, np.where((rows // 16 == columns // 16) & (rows < columns), -1, x))
        np.testing.assert_array_equal(one, np.indices((16, 16)))
        np.testing.assert_array_equal(more, np.indices((1, 8, 8))[1])

    def test_the_lesser_and_the_larger_of_ints_are_values(self) -> None:
        x = np.arange(9 * 21, dtype=np.float32).reshape(9, 21)
        y, z = np.empty_like(x), np.empty((9, 1), np.float32)
        self.run_of("def program(x: In[Tensor[f32, M, N]], n: In[Tensor[i32, B]], y: Out[Tensor[f32, M, N]], z: Out[Tensor[f32, M, 1]]) -> None:\n    for i in tiles(M, 8):\n"
                    "        y[i, :] = where(iota(i32, i, N, axis=1) < min(N, 10), x[i, :] * max(N - 1, 1), x[i, :] + min(max(M, 4), 2 * N + 3))\n"
                    "        z[i, :] = reduce_sum(x[i, :], axis=1) / max(index(n[1]), 1)\n", x, np.array([5, -3], np.int32), y, z)
        np.testing.assert_array_equal(y, np.where(np.arange(21) < 10, x * 20, x + 9))
        np.testing.assert_array_equal(z, x.sum(1, keepdims=True))

    def test_a_branch_that_no_size_takes(self) -> None:
        x = np.arange(100, dtype=np.float32)
        y = np.empty_like(x)
        self.run_of("def program(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:\n    for i in tiles(N, 32):\n        y[i] = x[i]\n"
                    "        if 0 < i.start < 64:\n            y[i] = -x[i]\n        if 0 < i.start < 32:\n            y[i] = exp(x[i])\n", x, y)
        np.testing.assert_array_equal(y, np.where((x >= 32) & (x < 64), -x, x))

    def test_a_scalar_is_one_element(self) -> None:
        program = ("def program(s: f32, least: f16, n: i32, x: In[Tensor[f32, M, N]], h: In[Tensor[f16, M, N]], k: In[Tensor[i32, M, N]], y: Out[Tensor[f32, M, N]], g: Out[Tensor[f16, M, N]], l: Out[Tensor[i32, M, N]]) -> None:\n"
                   "    for i in tiles(M, 8):\n        y[i, :] = where(x[i, :] * s > s, exp(x[i, :] - s), s)\n    for i in tiles(M, 8):\n        g[i, :] = maximum(h[i, :], least) * least\n"
                   "    for i in tiles(M, 8):\n        l[i, :] = where(k[i, :] < n, k[i, :] * n, n)\n")
        random = np.random.default_rng(2)
        for columns in (37, 5000):
            x, h, k = random.standard_normal((19, columns)).astype(np.float32), random.standard_normal((19, columns)).astype(np.float16), random.integers(-9, 9, (19, columns), np.int32)
            y, g, l = np.empty_like(x), np.empty_like(h), np.empty_like(k)
            self.run_of(program, 0.75, 0.5, 3, x, h, k, y, g, l)
            np.testing.assert_allclose(y, np.where(x * np.float32(0.75) > 0.75, np.exp(x - np.float32(0.75)), 0.75), rtol=1e-6)
            np.testing.assert_array_equal(g, np.maximum(h, 0.5) * np.float16(0.5))
            np.testing.assert_array_equal(l, np.where(k < 3, k * 3, 3))
        (stage,) = (self.folder / "package").glob("ir/stages/*-a2a3.select")
        self.assertEqual((stage / "program.py").read_text().count("pto.tload(least_tile"), 1)
        registry = json.loads((self.folder / "package/codegen/a2a3/registry.json").read_text())
        self.assertEqual(registry["entry"]["parameters"][1], {"name": "least", "direction": "in", "dtype": "f16", "dims": [1]})
        torch = ModuleType("torch")
        torch.from_numpy = lambda array: SimpleNamespace(numpy=lambda: array)  # type: ignore[attr-defined]
        with unittest.mock.patch.dict("sys.modules", {"torch": torch}):
            golden = runpy.run_path(str(self.folder / "package/codegen/a2a3/golden.py"))
            inputs = dict(golden["generate_inputs"]({"M": 3, "N": 5}))
            self.assertEqual(inputs["s"].numpy().shape, (1,))
            golden["compute_golden"](inputs, {})
        h, least, g = (inputs[name].numpy() for name in ("h", "least", "g"))
        np.testing.assert_array_equal(g, np.maximum(h, least) * least)

    def test_what_is_compared_and_chosen_may_be_a_column_or_one_element(self) -> None:
        random = np.random.default_rng(4)
        x, v, w = random.standard_normal((19, 41)).astype(np.float32), random.standard_normal((19, 1)).astype(np.float32), random.standard_normal((1, 3)).astype(np.float32)
        y, z = np.empty_like(x), np.empty_like(v)
        self.run_of("def program(x: In[Tensor[f32, M, N]], v: In[Tensor[f32, M, 1]], w: In[Tensor[f32, 1, 3]], y: Out[Tensor[f32, M, N]], z: Out[Tensor[f32, M, 1]]) -> None:\n"
                    "    for i in tiles(M, 8):\n        y[i, :] = where(v[i, :] > 0.0, x[i, :], where(w[0, 1] > 0.0, v[i, :], -x[i, :]))\n        z[i, :] = where(v[i, :] > w[0, 0], v[i, :] * w[0, 2], w[0, 1])\n", x, v, w, y, z)
        np.testing.assert_array_equal(y, np.where(v > 0, x, np.where(w[0, 1] > 0, v, -x)))
        np.testing.assert_array_equal(z, np.where(v > w[0, 0], v * w[0, 2], w[0, 1]))

    def test_one_element_for_all(self) -> None:
        x, w = np.linspace(-2, 2, 37 * 5, dtype=np.float32).reshape(37, 5), np.array([2, -0.5, 8], np.float32)
        y, s = np.empty_like(x), np.empty(2, np.float32)
        self.run_of("def program(x: In[Tensor[f32, M, N]], w: In[Tensor[f32, 3]], y: Out[Tensor[f32, M, N]]) -> None:\n"
                    "    for i in tiles(M, 8):\n        y[i, :] = (w[1] - x[i, :]) / w[0] * w[2]\n", x, w, y)
        np.testing.assert_array_equal(y, (w[1] - x) / w[0] * w[2])
        v = np.arange(200, dtype=np.float32)
        self.run_of("def program(v: In[Tensor[f32, N]], s: Out[Tensor[f32, 2]]) -> None:\n    total = zeros(f32, 1)\n    top = full(f32, -1e30, 1)\n"
                    "    for i in tiles(N, 64):\n        total = total + reduce_sum(v[i], axis=0)\n        top = maximum(top, reduce_max(v[i] - v[0], axis=0))\n    s[0] = total\n    s[1] = top\n", v, s)
        np.testing.assert_array_equal(s, [19900, 199])

    def test_blocks_beside_a_block(self) -> None:
        x = np.arange(19 * 41, dtype=np.float32).reshape(19, 41)
        y = np.empty((17, 39), np.float32)
        self.run_of("def program(x: In[Tensor[f32, M + 2, N + 2]], y: Out[Tensor[f32, M, N]]) -> None:\n    for i in tiles(M, 8):\n        for j in tiles(N, 16):\n"
                    "            y[i, j] = x[i + 1, j + 1] * 4.0 - x[i, j + 1] - x[2 + i, j + 1] - x[i + 1, j] - x[i + 1, 2 + j]\n", x, y)
        np.testing.assert_array_equal(y, x[1:-1, 1:-1] * 4 - x[:-2, 1:-1] - x[2:, 1:-1] - x[1:-1, :-2] - x[1:-1, 2:])

    def test_what_stands_where_in_one_row(self) -> None:
        random = np.random.default_rng(5)
        x = random.normal(size=(3, 40)).astype(np.float32)
        at = random.integers(0, 40, (3, 5)).astype(np.int32)
        for rows in ("tiles(M, 1)", "range(M)", "tiles(M, 8)"):
            largest, top, found, first, sums = (np.empty(size, dtype) for size, dtype in (
                (3, np.int32), ((3, 4), np.float32), ((3, 5), np.float32), ((3, 1), np.float32), ((3, 40), np.float32)))
            self.run_of("def program(x: In[Tensor[f32, M, 40]], at: In[Tensor[i32, M, N]], one: In[Tensor[i32, M, 1]], largest: Out[Tensor[i32, M]], top: Out[Tensor[f32, M, 4]], found: Out[Tensor[f32, M, N]], first: Out[Tensor[f32, M, 1]], sums: Out[Tensor[f32, M, 40]]) -> None:\n"
                        f"    for i in {rows}:\n        r = x[i, :]\n        largest[i] = argmax(r, axis=1)\n        top[i, :] = topk(r, 4, axis=1)\n        found[i, :] = gather(r, at[i, :], axis=1)\n"
                        "        first[i, :] = gather(r, one[i, :], axis=1)\n        sums[i, :] = scan_sum(r, axis=1)\n", x, at, at[:, :1].copy(), largest, top, found, first, sums)
            np.testing.assert_array_equal(largest, x.argmax(1))
            np.testing.assert_array_equal(top, -np.sort(-x, 1)[:, :4])
            np.testing.assert_array_equal(found, np.take_along_axis(x, at, 1))
            np.testing.assert_array_equal(first, np.take_along_axis(x, at[:, :1], 1))
            np.testing.assert_allclose(sums, np.cumsum(x, 1), rtol=1e-4, atol=1e-5)

    def test_a_block_of_one_row_says_where_it_begins(self) -> None:
        x, y, v = np.arange(15, dtype=np.float32).reshape(5, 3), np.empty((5, 3), np.float32), np.empty(5, np.float32)
        self.run_of("def program(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]], v: Out[Tensor[f32, M]]) -> None:\n"
                    "    for i in tiles(M, 1):\n        a = zeros(f32, i, N) + x[i, :] * (10 * i.start + i.stop + len(i))\n        if i.start > 2:\n            a = a + 0.5\n        y[i, :] = a\n"
                    "        v[i] = reduce_max(a, axis=1)\n", x, y, v)
        rows = np.arange(5)[:, None]
        np.testing.assert_array_equal(y, x * (11 * rows + 2) + np.where(rows > 2, 0.5, 0))
        np.testing.assert_array_equal(v, y.max(1))

    def test_ranges_that_run_down(self) -> None:
        """Between ints of a call, within blocks, and the sums of products over them."""
        x = np.arange(13 * 20, dtype=np.float32).reshape(13, 20)
        body = ("    for m in range(a, b, -3):\n        y[m, :] = x[m, :] * 2.0 + max(m, a - 3, 2)\n"
                "    for i in tiles(M, 8):\n        s = zeros(f32, 1, N)\n        for r in range(len(i) - 1, -1, -1):\n"
                "            s = s + x[i.start + r, :]\n            z[i.start + r, :] = s\n")
        for a, b in ((12, -1), (11, 4), (5, 5), (3, 7)):
            y, z = np.zeros_like(x), np.zeros_like(x)
            self.run_of("def program(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]], z: Out[Tensor[f32, M, N]], a: int, b: int) -> None:\n" + body, x, y, z, a, b)
            expected = np.zeros_like(x)
            for m in range(a, b, -3):
                expected[m] = x[m] * 2 + max(m, a - 3, 2)
            np.testing.assert_array_equal(y, expected)
            for start in (0, 8):
                np.testing.assert_array_equal(z[start : start + 8], np.cumsum(x[start : start + 8][::-1], axis=0)[::-1])
        for loop in ("range(B - 1, 0, -1)", "range(1, B)"):
            self.assertEqual(self.compile(HEAD + "def program(a: In[Tensor[f32, B, M, 16]], b: In[Tensor[f32, B, 16, 16]], y: Out[Tensor[f32, 1, M, 16]]) -> None:\n    for i in tiles(M, 16):\n        s = zeros(f32, 1, i, 16)\n"
                                          f"        for k in {loop}:\n            s = matmul(a[k, i, :], b[k, :, :], s)\n        y[:, i, :] = s\n").returncode, 0)
            a, b = np.ones((3, 5, 16), np.float32), np.full((3, 16, 16), 0.5, np.float32)
            ran = self.ran(a=a, b=b)
            self.assertEqual(ran.returncode, 0, ran.stderr)
            with np.load(self.folder / "out.npz") as out:
                np.testing.assert_array_equal(out["y"], np.full((1, 5, 16), 16, np.float32))
            ran = self.ran(a=a[:1], b=b[:1])
            self.assertIn("error[a2a3sim.size-least]: `B` is 1, and the package is compiled for at least 2\n", ran.stderr)

    def test_ranges_of_processes_that_run_down(self) -> None:
        head = HEAD.replace("@kernel\n", "").replace("from htp_tile", "from htp_csp import channel, pipeline, process\nfrom htp_tile")
        for rows, put, got, get in (("M", "range(M - 1, -1, -1)", "M", "range(M)"), ("M", "range(M - 1, 0, -1)", "M", "range(M - 1, 0, -1)"), ("10", "range(9, -1, -3)", "4", "range(3, -1, -1)")):
            with self.subTest(put=put, get=get):
                x = np.arange(50 if rows == "10" else 35, dtype=np.float32).reshape(-1, 5)
                y, expected = np.zeros((4 if got == "4" else 7, 5), np.float32), np.zeros((4 if got == "4" else 7, 5), np.float32)
                self.run_of(f"@pipeline\ndef program(x: In[Tensor[f32, {rows}, N]], y: InOut[Tensor[f32, {got}, N]]) -> None:\n    c = channel(f32, 1, N, capacity=2)\n\n"
                            f"    @process\n    def first() -> None:\n        for m in {put}:\n            c.put(x[m, :] * 2.0)\n\n"
                            f"    @process\n    def second() -> None:\n        for m in {get}:\n            y[m, :] = c.get() + m\n", x, y, head=head)
                for m, n in zip(eval(put, {"M": 7}), eval(get, {"M": 7})):
                    expected[n] = x[m] * 2 + n
                np.testing.assert_array_equal(y, expected)

    def test_a_name_of_a_product_may_be_bound_again(self) -> None:
        random = np.random.default_rng(3)
        x, w, v = (random.normal(size=size).astype(np.float16) for size in ((21, 32), (32, 32), (32, 32)))
        c, y = random.normal(size=(1, 32)).astype(np.float32), np.empty((21, 32), np.float32)
        self.run_of("def program(x: In[Tensor[f16, M, 32]], w: In[Tensor[f16, 32, 32]], v: In[Tensor[f16, 32, 32]], c: In[Tensor[f32, 1, 32]], y: Out[Tensor[f32, M, 32]], n: int) -> None:\n"
                    "    for i in tiles(M, 16):\n        h = x[i, :]\n        h = cast(maximum(matmul(h, w[:, :], zeros(f32, i, 32)) * 0.25, 0.0), f16)\n"
                    "        g = zeros(f32, i, 32)\n        g = matmul(h, v[:, :], g)\n        g = matmul(x[i, :], w[:, :], g)\n        g *= 2.0\n        g += c[:, :]\n"
                    "        for k in range(3):\n            g = g * 0.5\n        if n > 0:\n            g = g + 1.0\n        g = where(g > 0.0, g, 0.1 * g)\n        y[i, :] = g\n", x, w, v, c, y, 1)
        h = np.maximum(x.astype(np.float32) @ w.astype(np.float32) / 4, 0).astype(np.float16).astype(np.float32)
        g = (2 * (h @ v.astype(np.float32) + x.astype(np.float32) @ w.astype(np.float32)) + c) / 8 + 1
        np.testing.assert_allclose(y, np.where(g > 0, g, 0.1 * g), rtol=1e-3, atol=1e-3)

    def test_stores_to_one_place_come_one_after_the_other(self) -> None:
        x = np.linspace(-2, 2, 37 * 20, dtype=np.float32).reshape(37, 20)
        y, s, blocks = np.empty_like(x), np.empty_like(x), np.zeros((5, 20), np.float32)
        self.run_of("def program(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]], s: Out[Tensor[f32, M, N]], b: InOut[Tensor[f32, B, N]]) -> None:\n"
                    "    for i in tiles(M, 8):\n        y[i, :] = x[i, :] * 2.0\n        y[i, 0:8] = x[i, 0:8]\n        s[i, 0:8] = x[i, 0:8]\n        s[i, 8:N] = x[i, 8:N]\n"
                    "    for p in range(3):\n        b[1, :] = x[p, :]\n        b[p + 2, :] = x[p, :]\n", x, y, s, blocks)
        np.testing.assert_array_equal(y, np.concatenate([x[:, :8], x[:, 8:] * 2], axis=1))
        np.testing.assert_array_equal(s, x)
        np.testing.assert_array_equal(blocks, np.stack([np.zeros(20, np.float32), x[2], *x[:3]]))
        made = ordered(self.folder / "package")
        text = (made / "program.py").read_text()
        barriers = re.findall(r"pipe_barrier\('MTE3'\)\n +pto.tstore\((\w+), \w+, (.*)\)", text)
        self.assertEqual(barriers, [("y", "slice(i_at, i_at + i_n), slice(0, 8)"), ("b", "1, slice(columns_at, columns_at + columns_n)")], text)
        self.assertEqual(text.count("pipe_barrier('MTE3')"), 2)
        (made / "program.py").write_text(text.replace("pto.pipe_barrier('MTE3')", "pass"))
        done = host("--plugins", PROFILE, "compile", "--from-stage", made, "-o", self.folder / "again")
        self.assertIn("is not ordered behind what MTE3 does before, and both access bytes of `y`", done.stderr)

    def test_more_loads_than_flags(self) -> None:
        names = "abcdef"
        x = [np.arange(37 * 50, dtype=np.float32).reshape(37, 50) + k for k in range(len(names))]
        y = np.empty_like(x[0])
        self.run_of(f"def program({', '.join(f'{n}: In[Tensor[f32, M, N]]' for n in names)}, y: Out[Tensor[f32, M, N]]) -> None:\n"
                    f"    for i in tiles(M, 8):\n        for j in tiles(N, 16):\n            y[i, j] = {' + '.join(f'{n}[i, j]' for n in names)}\n", *x, y)
        np.testing.assert_array_equal(y, sum(x))
        stage = ordered(self.folder / "package") / "program.py"
        self.assertNotIn("'ALL'", stage.read_text(), "what is loaded first needs one flag")

    def test_what_is_needed_twice_is_loaded_once(self) -> None:
        x, y = np.linspace(-2, 2, 37 * 5, dtype=np.float32).reshape(37, 5), np.empty((37, 5), np.float32)
        z = x.copy()
        self.run_of("def program(x: In[Tensor[f32, M, N]], z: InOut[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:\n    for i in tiles(M, 8):\n"
                    "        for j in tiles(N, 4):\n            z[i, j] = x[i, j] * x[i, j] + z[i, j]\n            y[i, j] = x[i, j] + z[i, j]\n", x, z, y)
        np.testing.assert_array_equal(z, x * x + x)
        np.testing.assert_array_equal(y, x + z)
        (kernel,) = (self.folder / "package/codegen/a2a3/kernels/aiv").glob("*.cpp")
        self.assertEqual(kernel.read_text().count("TLOAD("), 3)

    def test_rows_of_any_length(self) -> None:
        by_row = "def program(x: In[Tensor[f32, M, {n}]], y: Out[Tensor[f32, M, {n}]]) -> None:\n    for i in tiles(M, {rows}):\n        row = x[i, :]\n"
        softmax = "        e = exp(row - reduce_max(row, axis=1))\n        y[i, :] = e / reduce_sum(e, axis=1)\n"
        norm = "        centred = row - reduce_mean(row, axis=1)\n        y[i, :] = centred * rsqrt(reduce_mean(centred * centred, axis=1) + 1e-5)\n"
        rms = "        y[i, :] = row * rsqrt(reduce_mean(row * row, axis=1) + 1e-5)\n"
        for columns in (32768, 32771, 900):
            x = np.random.default_rng(columns).standard_normal((9, columns)).astype(np.float32)
            wide = x.astype(np.float64)
            e, centred = np.exp(wide - wide.max(1, keepdims=True)), wide - wide.mean(1, keepdims=True)
            for n in ("N", str(columns)):
                for rows, body, wanted in ((8, softmax, e / e.sum(1, keepdims=True)), (4, norm, centred / np.sqrt((centred**2).mean(1, keepdims=True) + 1e-5)),
                                           (64, rms, wide / np.sqrt((wide**2).mean(1, keepdims=True) + 1e-5))):
                    with self.subTest(n=n, columns=columns, rows=rows):
                        y = np.empty_like(x)
                        self.run_of(by_row.format(n=n, rows=rows) + body, x, y)
                        np.testing.assert_allclose(y, wanted, rtol=3e-5, atol=1e-6)

    def test_blocks_that_are_cut_are_what_they_were(self) -> None:
        x = np.random.default_rng(3).standard_normal((300, 257)).astype(np.float32)
        g, y, low = np.linspace(1, 2, 257, dtype=np.float32), np.empty_like(x), np.empty((1, 257), np.float32)
        self.run_of("def program(x: In[Tensor[f32, M, N]], g: In[Tensor[f32, N]], y: Out[Tensor[f32, M, N]], low: Out[Tensor[f32, 1, N]]) -> None:\n"
                    "    for i in tiles(M, 256):\n        for j in tiles(N, 128):\n            t = x[i, j] * g[j]\n            y[i, j] = maximum(t, 0.0) - exp(t) / 2.0\n"
                    "    for j in tiles(N, 64):\n        low[:, j] = reduce_max(x[0:300, j], axis=0)\n", x, g, y, low)
        t = x.astype(np.float64) * g
        np.testing.assert_allclose(y, np.maximum(t, 0) - np.exp(t) / 2, rtol=1e-5, atol=1e-5)
        np.testing.assert_array_equal(low, x.max(0, keepdims=True))

    def test_a_row_of_a_fixed_length_is_as_long_as_it_is(self) -> None:
        x, y = np.arange(2 * 40000, dtype=np.float32).reshape(2, 40000), np.empty((2, 40000), np.float32)
        self.run_of("def program(x: In[Tensor[f32, M, 40000]], y: Out[Tensor[f32, M, 40000]]) -> None:\n    for i in tiles(M, 8):\n        y[i, :] = x[i, :] * 2.0 + 1.0\n", x, y)
        np.testing.assert_array_equal(y, x * 2 + 1)

    def test_many_rows_of_any_length(self) -> None:
        x = np.random.default_rng(5).standard_normal((150, 9000)).astype(np.float32)
        y = np.empty_like(x)
        self.run_of("def program(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:\n    for i in tiles(M, 128):\n        y[i, :] = maximum(x[i, :], 0.0) * 2.0\n", x, y)
        np.testing.assert_array_equal(y, np.maximum(x, 0) * 2)

    def test_a_row_is_reduced_in_place(self) -> None:
        x = np.random.default_rng(1).standard_normal((9, 3000)).astype(np.float32)
        wanted, worst = x - x.max(1, keepdims=True), x.min(1, keepdims=True)
        low = np.empty((9, 1), np.float32)
        self.run_of("def program(x: InOut[Tensor[f32, M, N]], low: Out[Tensor[f32, M, 1]]) -> None:\n    for i in tiles(M, 8):\n        row = x[i, :]\n"
                    "        low[i, :] = reduce_min(row, axis=1)\n        x[i, :] = row - reduce_max(row, axis=1)\n", x, low)
        np.testing.assert_array_equal(x, wanted)
        np.testing.assert_array_equal(low, worst)

    def test_numbers_keep_their_sign(self) -> None:
        x, y = np.array([-1, 0, 2], np.float32), np.empty(3, np.float32)
        self.run_of("def program(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:\n    for i in tiles(N, 64):\n        y[i] = where(x[i] > 0.0, x[i], -0.0)\n", x, y)
        np.testing.assert_array_equal(np.signbit(y), [True, True, False])


class Schedules(Case):
    """What a package's pipes do beside each other, by the cycle model."""

    def test_a_product_takes_as_long_as_its_loads(self) -> None:
        done = self.compile(ROOT / "bench/a2a3/wide.py", "--verify-each")
        self.assertEqual(done.returncode, 0, done.stderr)
        (self.folder / "report.yaml").write_text("htp_profile: 1\ntarget: a2a3\noptions:\n  a2a3sim.binding:\n    report: M=128 N=256 K=6144\n")
        built = host("--plugins", self.folder / "report.yaml", "build", self.folder / "package", "--into", self.folder / "built")
        self.assertEqual(built.returncode, 0, built.stderr)
        report = json.loads((self.folder / "built/report.json").read_text())
        (task,) = report["tasks"]
        (loads,) = (row["cycles"] for row in report["pipes"] if row["pipe"] == "MTE2")
        self.assertGreater(loads / task["cycles"], 0.95)

    def test_a_sum_that_fills_its_memory_is_made_in_halves(self) -> None:
        done = self.compile(ROOT / "bench/a2a3/wide.py", "--verify-each")
        self.assertEqual(done.returncode, 0, done.stderr)
        stage = ordered(self.folder / "package")
        text = (stage / "program.py").read_text()
        self.assertIn("acc = pto.tile(f32, 128, 128, valid=(i_n, j_half_n), at=turn_1 * 65536, space='acc', kept=True)\n", text)
        self.assertIn("if k_at + k_n == K:\n" + 36 * " " + "pto.tstore(c, acc, ", text)
        self.assertNotIn("barrier", text)
        generator = np.random.default_rng(3)
        plugins = Path(os.environ["HTP_HOST"]).parents[1] / "plugins"
        with htp.bind(self.folder / "package", plugin_path=[plugins]) as opened:
            (routine,) = opened.routines.values()
            for m, n, k in ((130, 400, 250), (16, 128, 192), (5, 130, 400)):
                a, b = generator.standard_normal((m, k)).astype(np.float16), generator.standard_normal((k, n)).astype(np.float16)
                c = np.empty((m, n), np.float32)
                routine(a, b, c)
                np.testing.assert_allclose(c, a.astype(np.float32) @ b.astype(np.float32), rtol=1e-4, atol=1e-3)

    def test_what_stays_the_same_is_loaded_before_loops(self) -> None:
        done = self.compile(HEAD + "def program(x: In[Tensor[f32, M, 256]], gain: In[Tensor[f32, 1, 256]], y: Out[Tensor[f32, M, 256]]) -> None:\n"
                            "    for i in tiles(M, 8):\n        y[i, :] = x[i, :] * gain[:, :]\n", "--verify-each")
        self.assertEqual(done.returncode, 0, done.stderr)
        stage = ordered(self.folder / "package")
        text = (stage / "program.py").read_text()
        self.assertLess(text.index("pto.tload(gain_tile, "), text.index("for turn, i_at in "))
        done = self.compile(ROOT / "bench/a2a3/attention.py")
        stage = ordered(self.folder / "package")
        text = (stage / "program.py").read_text()
        self.assertLess(text.index("pto.tload(q_tile_mat, q, "), text.index("for turn_1, j_at in "))

    def test_a_product_keeps_the_cores_busy(self) -> None:
        done = self.compile(ROOT / "bench/a2a3/product.py")
        self.assertEqual(done.returncode, 0, done.stderr)
        for sizes, cores in (("M=512 N=512 K=128", 16), ("M=1024 N=768 K=128", 24), ("M=512 N=500 K=128", 4)):  # 500: rows end within a line
            (self.folder / "report.yaml").write_text(f"htp_profile: 1\ntarget: a2a3\noptions:\n  a2a3sim.binding:\n    report: {sizes}\n")
            built = host("--plugins", self.folder / "report.yaml", "build", self.folder / "package", "--into", self.folder / "built")
            self.assertEqual(built.returncode, 0, built.stderr)
            report = json.loads((self.folder / "built/report.json").read_text())
            self.assertEqual((len(report["tasks"]), report["cores"]), (cores, {"cube": {"used": cores, "there": 24}}))
            self.assertAlmostEqual(report["microseconds"], report["start_microseconds"] + report["cycles"] / report["clock_mhz"], delta=0.1)
        picture = (self.folder / "built/report.svg").read_text()
        for said in ("cycles (µs)", ">0 (0.0)<", "a pipe's instruction", "11.0 to start"):
            self.assertIn(said, picture)

    def test_no_core_waits_while_a_task_is_ready(self) -> None:
        done = self.compile(ROOT / "bench/a2a3/attention.py", "--verify-each")
        self.assertEqual(done.returncode, 0, done.stderr)
        (self.folder / "report.yaml").write_text("htp_profile: 1\ntarget: a2a3\noptions:\n  a2a3sim.binding:\n    report: Q=2048 K=128\n")
        built = host("--plugins", self.folder / "report.yaml", "build", self.folder / "package", "--into", self.folder / "built")
        self.assertEqual(built.returncode, 0, built.stderr)
        tasks = json.loads((self.folder / "built/report.json").read_text())["tasks"]
        ends = {task["task"]: task["begin"] + task["cycles"] for task in tasks}
        start = 1850  # from when it may run, and has its core
        self.assertGreater(len(tasks), 100)
        for task in tasks:
            begin, kind = task["begin"] - start, task["core"].split()[0]
            if begin > max([ends[before] for before in task["after"]], default=0) + 1:
                busy = [t for t in tasks if t["core"].startswith(kind) and t["begin"] - start <= begin - 1 < ends[t["task"]]]
                self.assertEqual(len(busy), {"AIC": 24, "AIV": 48}[kind], task)


if __name__ == "__main__":
    unittest.main()
