"""What the backend for A2 and A3 refuses, and the forms that it names."""

from __future__ import annotations

import re
import shutil
import unittest

import numpy as np

from case import HEAD, PROGRAMS, ROOT, Case


class Refusals(Case):
    """What the target has no instructions for is said where it stands, and how to mend it."""

    def refused(self, code: str, line: str, message: str, hint: str, signature: str, *body: str) -> None:
        program = HEAD + f"def program({signature}) -> None:\n" + "".join(f"    {one}\n" for one in body)
        done = self.compile(program)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn(f"error[{code}]: {message}", done.stderr)
        self.assertIn(line, done.stderr)
        self.assertIn(f"= hint: {hint}", done.stderr)
        self.assertFalse((self.folder / "package").exists())

    def test_a_dtype_without_an_instruction(self) -> None:
        for dtype, hint in (("u32", "declare it `i32`"), ("u16", "declare it `i16`")):
            self.refused("a2a3.no-instruction", "y[i, :] = x[i, :] + x[i, :]", f"`tile.add` of {dtype} has no instruction on a2a3", hint,
                         f"x: In[Tensor[{dtype}, M, 64]], y: Out[Tensor[{dtype}, M, 64]]", "for i in tiles(M, 8):", "    y[i, :] = x[i, :] + x[i, :]")

    def test_an_intrinsic_without_instructions_is_told_once_with_a_form_that_works(self) -> None:
        head = HEAD.replace("htp_tile import", "htp_tile import argsort, holds, scatter_add, sort,")
        for line, word, instead, works in (
            ("y[i, :] = sort(x[i, :], axis=1)", "sort", "`topk(x, 8, axis=1)`", "y[i, :] = topk(x[i, :], 16, axis=1)"),
            ("y[i, :] = x[i, :]\n        scatter_add(c, 1, n[:])", "scatter_add", "`counts[b] = reduce_sum(where(part == b, 1, 0), axis=0)`", "y[i, :] = x[i, :]\n    for b in range(16):\n        c[b] = reduce_sum(where(n[:] == b, 1, 0), axis=0)"),
            ("y[i, :] = gather(x[i, :], argsort(x[i, :], axis=1), axis=1)", "argsort", "`argtopk(x, 8, axis=1)`", "y[i, :] = gather(x[i, :], argtopk(x[i, :], 16, axis=1), axis=1)"),
            ("y[i, :] = x[i, :]\n        if holds(x[0, 0] > 0.0):\n            y[i, :] = exp(x[i, :])", "holds", "`where(x > 0, a, b)`", "y[i, :] = where(x[0, 0] > 0.0, exp(x[i, :]), x[i, :])"),
            ("y[i, :] = x[i, :]\n        if holds(n[0] > 0):\n            y[i, :] = exp(x[i, :])", "holds", "`if index(n[0]) > 0:`", "y[i, :] = x[i, :]\n        if index(n[0]) > 0:\n            y[i, :] = exp(x[i, :])"),
        ):
            with self.subTest(word):
                program = head + "def program(n: In[Tensor[i32, 1]], c: InOut[Tensor[i32, 16]], x: In[Tensor[f32, M, 16]], y: Out[Tensor[f32, M, 16]]) -> None:\n    c[:] = 0\n    for i in tiles(M, 8):\n        "
                done = self.compile(program + line + "\n")
                self.assertEqual(done.returncode, 1, done.stderr)
                self.assertIn(f"error[a2a3.no-handler]: `tile.{word}` has no instructions on a2a3", done.stderr)
                self.assertIn(instead, done.stderr)
                self.assertEqual(done.stderr.count("error["), 1, done.stderr)
                done = self.compile(program + works + "\n")
                self.assertEqual(done.returncode, 0, done.stderr)

    def test_masks_and_columns_that_have_another_form(self) -> None:
        self.refused("a2a3.no-instruction", "y[i, :] = x[i, :] > 0.5", "`tile.store` of bool_ has no instruction on a2a3", "declare the tensor `i32`, and store a number: `where(mask, 1, 0)`",
                     "x: In[Tensor[f32, M, N]], y: Out[Tensor[bool_, M, N]]", "for i in tiles(M, 16):", "    y[i, :] = x[i, :] > 0.5")
        self.refused("a2a3.unsupported-form", "reduce_sum(reduce_sum", "a2a3 does not do this yet: a reduction of Tile[f32, i, 1] along axis 0", "reduce what the column is made of along both at once: `axis=(0, 1)`",
                     "x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, 1, 1]]", "c = zeros(f32, 1, 1)", "for i in tiles(M, 16):", "    c = c + reduce_sum(reduce_sum(x[i, :], axis=1), axis=0)", "y[:, :] = c")
        self.refused("a2a3.unsupported-form", "where(iota", "a2a3 does not do this yet: a mask that goes from one kernel to another",
                     "let numbers go there, which are added: `s + where(mask, 0.0, -1e30)` for `where(mask, s, -1e30)`",
                     "q: In[Tensor[f16, B, 8, 64]], k: In[Tensor[f16, B, N, 64]], lens: In[Tensor[i32, B]], y: Out[Tensor[f32, B, 8, 64]]",
                     "for b in range(B):", "    o = zeros(f32, 1, 8, 64)", "    for n in tiles(N, 64):", "        if n.start < index(lens[b]):",
                     "            s = matmul(q[b, :, :], transpose(k[b, n, :]), zeros(f32, 1, 8, n)) * 0.125", "            s = where(iota(i32, 1, 1, n, axis=2) < lens[b], s, -1e30)",
                     "            o = o + matmul(cast(s, f16), k[b, n, :], zeros(f32, 1, 8, 64))", "    y[b, :, :] = o")

    def test_a_cast_that_would_be_rounded_twice(self) -> None:
        self.refused("a2a3.no-instruction", "cast(x[i, :], bf16)", "`tile.cast` of i32 to bf16 has no instruction on a2a3", "cast in two steps: `cast(cast(x, f32), bf16)`",
                     "x: In[Tensor[i32, M, N]], y: Out[Tensor[bf16, M, N]]", "for i in tiles(M, 8):", "    y[i, :] = cast(x[i, :], bf16)")
        done = self.compile(HEAD + "def program(x: In[Tensor[i32, M, N]], y: Out[Tensor[bf16, M, N]]) -> None:\n    for i in tiles(M, 8):\n        y[i, :] = cast(cast(x[i, :], f32), bf16)\n")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_what_fits_is_found(self) -> None:
        """The hint of what is too large, and that what it says compiles."""
        rows = "x: In[Tensor[f32, M, {0}]], z: Out[Tensor[i32, M]]"
        product = "    for i in tiles(M, {0}):\n        for j in tiles(N, {1}):\n            a = zeros(f32, i, j)\n            for k in tiles(B, {2}):\n                a = matmul(x[i, k], w[k, j], a)\n            y[i, j] = a\n"
        best = ("    for i in tiles(M, 8):\n        best = full(f32, -3.0e38, i, 1)\n        at = zeros(i32, i, 1)\n        for j in tiles(16000, 512):\n            m = reduce_max(x[i, j], axis=1)\n"
                "            at = where(m > best, argmax(x[i, j], axis=1) + j.start, at)\n            best = maximum(best, m)\n        z[i] = at\n")
        for signature, body, hint, works in (
            (rows.format(4000), "    for i in tiles(M, 8):\n        z[i] = argmax(x[i, :], axis=1)\n", "`for i in tiles(M, 1)` would fit", "    for i in tiles(M, 1):\n        z[i] = argmax(x[i, :], axis=1)\n"),
            ("x: In[Tensor[f32, 4, 4000]], z: Out[Tensor[i32, 4]]", "    z[:] = argmax(x[:, :], axis=1)\n", "go row by row, with `i` for the rows: `for i in tiles(4, 1)`", "    for i in tiles(4, 1):\n        z[i] = argmax(x[i, :], axis=1)\n"),
            (rows.format(16000), "    for i in tiles(M, 8):\n        z[i] = argmax(x[i, :], axis=1)\n", "go over `16000` in parts, `for j in tiles(16000, 512)`, and keep in a tile what goes on from one to the next: `best = maximum(best, …)`", best),
            ("x: In[Tensor[f32, M, B]], w: In[Tensor[f32, B, N]], y: Out[Tensor[f32, M, N]]", product.format(512, 512, 512), "`for i in tiles(M, 128)`, `for j in tiles(N, 256)`, `for k in tiles(B, 256)` would fit together", product.format(128, 256, 256)),
        ):
            with self.subTest(hint):
                done = self.compile(HEAD + f"def program({signature}) -> None:\n{body}")
                self.assertEqual(done.returncode, 1, done.stderr)
                self.assertIn("error[a2a3.buffer-full]", done.stderr)
                self.assertIn(f"= hint: {hint}\n", done.stderr)
                done = self.compile(HEAD + f"def program({signature}) -> None:\n{works}")
                self.assertEqual(done.returncode, 0, done.stderr)

    def test_places_along_columns_have_another_form(self) -> None:
        types = {"y": "i32, 1, N", "z": "f32, 4, N", "g": "f32, M, 4"}
        for line, what, hint, works in (
            ("y[:, j] = argmax(x[:, j], axis=0)", "the places of the largest of anything but the rows of a tile", "look along the last dimension, of the transpose: `argmax(transpose(x), axis=1)`", "y[:, j] = transpose(argmax(transpose(x[:, j]), axis=1))"),
            ("z[:, j] = topk(x[:, j], 4, axis=0)", "the largest of anything but the rows of a tile", "look along the last dimension, of the transpose: `transpose(topk(transpose(x), 4, axis=1))`", "z[:, j] = transpose(topk(transpose(x[:, j]), 4, axis=1))"),
            ("g[j, :] = gather(x[j, :], p[:, :], axis=1)", "places of Tile[i32, 1, 4] along the rows of Tile[f32, j, N]", "give each row its places: `p + zeros(i32, i, 4)`", "g[j, :] = gather(x[j, :], p[:, :] + zeros(i32, j, 4), axis=1)"),
        ):
            signature = f"x: In[Tensor[f32, M, N]], p: In[Tensor[i32, 1, 4]], {line[0]}: Out[Tensor[{types[line[0]]}]]"
            loop = "for j in tiles(M, 8):" if line.startswith("g") else "for j in tiles(N, 32):"
            self.refused("a2a3.unsupported-form", line, f"a2a3 does not do this yet: {what}\n", hint, signature, loop, "    " + line)
            done = self.compile(HEAD + f"def program({signature}) -> None:\n    {loop}\n        {works}\n")
            self.assertEqual(done.returncode, 0, done.stderr)
            shutil.rmtree(self.folder / "package")

    def test_products_without_an_instruction(self) -> None:
        signature = "x: In[Tensor[i32, M, 64]], y: In[Tensor[i32, 64, 64]], z: Out[Tensor[i32, M, 64]]"
        self.refused("a2a3.no-instruction", "z[i, :] = matmul(x[i, :], y[:, :])", "`tile.matmul` of i32 by i32 has no instruction on a2a3", "multiply f16, bf16 or f32 to f32, and i8 to i32",
                     signature, "for i in tiles(M, 16):", "    z[i, :] = matmul(x[i, :], y[:, :])")

    def test_products_of_i8_are_added_up_in_i32(self) -> None:
        program = HEAD + "def program(x: In[Tensor[i8, M, 32]], y: In[Tensor[i8, 32, N]], z: Out[Tensor[i8, M, N]]) -> None:\n    for i in tiles(M, 16):\n        for j in tiles(N, 16):\n            z[i, j] = cast(matmul(x[i, :], y[:, j], {}), i8)\n"
        for acc, what, hint in (("zeros(i8, i, j)", "error[a2a3.no-instruction]: `tile.matmul` of i8 has no instruction on a2a3", "add up in i32: `matmul(a, b, zeros(i32, i, j))`"),
                                ("zeros(f32, i, j)", "error[tile.dtype-mismatch]: `tile.matmul` expects i8, got f32", "what is added up in has the operands' dtype, or a wider one that holds all they do: `zeros(i32, i, j)`")):
            done = self.compile(program.format(acc))
            self.assertIn(what, done.stderr)
            self.assertIn(f"= hint: {hint}\n", done.stderr)
        self.assertEqual(self.compile(program.format("zeros(i32, i, j)")).returncode, 0)

    def test_products_of_unknown_extents(self) -> None:
        self.refused("a2a3.unsupported-form", "z[i, :] = matmul(x[i, :], y[:, :])", "a2a3 does not do this yet: a product of which `N` rows or columns are made at once", "compute it in blocks whose size is known: `tiles(N, 128)`; or compile it for one size, `--set N=64`",
                     "x: In[Tensor[f32, M, 64]], y: In[Tensor[f32, 64, N]], z: Out[Tensor[f32, M, N]]", "for i in tiles(M, 16):", "    z[i, :] = matmul(x[i, :], y[:, :])")

    def test_two_products_over_what_is_between_them(self) -> None:
        signature = "x: In[Tensor[f32, M, 64]], a: In[Tensor[f32, 64, N]], b: In[Tensor[f32, N, 64]], y: Out[Tensor[f32, M, 64]]"
        self.refused("a2a3.unsupported-form", "h = maximum(matmul(x[i, :], a[:, :]), 0.0)", "a2a3 does not do this yet: a product of which `N` rows or columns are made at once",
                     "go over it in blocks, and add up the product that sums along it: `for j in tiles(N, 128): h = matmul(a[i, :], b[:, j]); acc = matmul(h, c[j, :], acc)`",
                     signature, "for i in tiles(M, 16):", "    h = maximum(matmul(x[i, :], a[:, :]), 0.0)", "    y[i, :] = matmul(h, b[:, :])")
        blocks = "    for i in tiles(M, 16):\n        acc = zeros(f32, i, 64)\n        for j in tiles(N, 128):\n            h = maximum(matmul(x[i, :], a[:, j]), 0.0)\n"
        done = self.compile(HEAD + f"def program({signature}) -> None:\n" + blocks + "            acc = matmul(h, b[j, :], acc)\n        y[i, :] = acc\n")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_sums_of_half_precision(self) -> None:
        signature = "a: In[Tensor[f16, M, B]], b: In[Tensor[f16, B, N]], c: Out[Tensor[f16, M, N]]"
        self.refused("a2a3.unsupported-form", "acc = matmul(a[i, k], b[k, j], acc)", "a2a3 does not do this yet: products that need what later ones in the same loop are computed from",
                     "sum up in f32, `acc = zeros(f32, …)`, and round it where it is stored: `cast(acc, f16)`",
                     signature, "for i in tiles(M, 64):", "    for j in tiles(N, 64):", "        acc = zeros(f16, i, j)", "        for k in tiles(B, 64):", "            acc = matmul(a[i, k], b[k, j], acc)", "        c[i, j] = acc")
        wide = (self.folder / "program.py").read_text().replace("zeros(f16", "zeros(f32").replace("c[i, j] = acc", "c[i, j] = cast(acc, f16)")
        self.assertEqual(self.compile(wide).returncode, 0, "what the hint says")

    def test_tensors_of_f64(self) -> None:
        self.refused("a2a3.no-instruction", "x: In[Tensor[htp.f64, M]]", "`x` of f64 has no instruction on a2a3", "declare it f32, `Tensor[f32, …]`",
                     "x: In[Tensor[htp.f64, M]], y: Out[Tensor[f32, M]]", "for i in tiles(M, 8):", "    y[i] = cast(x[i], f32)")

    def test_products_that_feed_themselves(self) -> None:
        self.refused("a2a3.unsupported-form", "s = exp(matmul(s, y[:, :]))", "a2a3 does not do this yet: products that need what later ones in the same loop are computed from", "compile for the CPU",
                     "x: In[Tensor[f32, M, 64]], y: In[Tensor[f32, 64, 64]], z: Out[Tensor[f32, M, 64]]", "for i in tiles(M, 16):", "    s = x[i, :]",
                     "    for k in range(3):", "        s = exp(matmul(s, y[:, :]))", "    z[i, :] = s")

    def test_more_than_l0c_holds(self) -> None:
        self.refused("a2a3.buffer-full", "z[i, :] = matmul(x[i, :], y[:, :])", "the tiles of `program` take 262144 bytes at once, and L0C has 131072", "`for i in tiles(M, 128)` would fit",
                     "x: In[Tensor[f32, M, 64]], y: In[Tensor[f32, 64, 256]], z: Out[Tensor[f32, M, 256]]", "for i in tiles(M, 256):", "    z[i, :] = matmul(x[i, :], y[:, :])")

    def test_three_dimensions(self) -> None:
        self.refused("a2a3.too-many-dimensions", "y[:, i, :] = exp(x[:, i, :])", "a tile of Tile[f32, 3, i, N] has more than two dimensions that are not 1",
                     "loop over the dimensions before the last two", "x: In[Tensor[f32, 3, M, N]], y: Out[Tensor[f32, 3, M, N]]",
                     "for i in tiles(M, 2):", "    y[:, i, :] = exp(x[:, i, :])")

    def test_more_than_the_buffer_holds(self) -> None:
        said = ("the tiles of `program` take 786432 bytes at once, and the unified buffer has 188416", "`for i in tiles(M, 32)` would fit")
        self.refused("a2a3.buffer-full", "y[j, i] = transpose(x[i, j])", *said,
                     "x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, N, M]]", "for i in tiles(M, 256):", "    for j in tiles(N, 256):", "        y[j, i] = transpose(x[i, j])")
        program = (self.folder / "program.py").read_text()
        tiles = "note: bytes of its tiles there, not all of them at once: `x_tile` 262144 (256 x 256 of f32), `transpose` 262144 (256 x 256 of f32), `work` 262144 (256 x 256 of f32)"
        self.assertIn(tiles, self.compile(program).stderr)
        self.assertEqual(self.compile(program.replace("tiles(M, 256)", "tiles(M, 32)")).returncode, 0, "what the hint says")
        shutil.rmtree(self.folder / "package")
        self.refused("a2a3.buffer-full", "y[:, :] = transpose(x[:, :])", *said[:1], "cut dimensions into smaller blocks",
                     "x: In[Tensor[f32, 256, 256]], y: Out[Tensor[f32, 256, 256]]", "y[:, :] = transpose(x[:, :])")

    def test_forms_that_are_not_there_yet(self) -> None:
        signature = "x: In[Tensor[f32, M]], y: Out[Tensor[f32, M]]"
        self.refused("a2a3.unsupported-form", "while n < 4:", "a2a3 does not do this yet: a `while` within a kernel", "go round a fixed number of times, and keep what is done: `for n in range(8): r = where(r > 1.0, r * 0.5, r)`",
                     signature, "for i in tiles(M, 8):", "    s = x[i]", "    n = 0", "    while n < 4:", "        s = exp(s)", "        n = n + 1", "    y[i] = s")
        program = HEAD.replace("htp_tile import", "htp_tile import holds,") + f"def program({signature}) -> None:\n    for i in tiles(M, 8):\n        r = x[i]\n        n = 0\n"
        done = self.compile(program + "        while n < 8 and holds(reduce_max(r, axis=0) > 1.0):\n            r = where(r > 1.0, r * 0.5, r)\n            n = n + 1\n        y[i] = r\n")
        self.assertEqual(done.stderr.count("error["), 1, done.stderr)
        done = self.compile(program.replace("        n = 0\n", "") + "        for n in range(8):\n            r = where(r > 1.0, r * 0.5, r)\n        y[i] = r\n")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_what_a_schedule_asks_for_is_done_or_refused(self) -> None:
        head = HEAD.replace("@kernel\n", "").replace("from htp_tile", "from htp_wsp import P, Schedule, schedule, seq, workload\nfrom htp_tile")
        gemm = ("K = htp.dim(\"K\")\n\n\n@workload\ndef gemm(a: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], c: Out[Tensor[f32, M, N]]) -> None:\n"
                "    for i in P(M):\n        for j in P(N):\n            acc = zeros(f32, i, j)\n            for k in seq(K):\n"
                "                acc = matmul(a[i, k], b[k, j], acc)\n            c[i, j] = acc\n\n\n"
                "@schedule(gemm)\ndef plan(s: Schedule) -> None:\n    s.tile(\"i\", 16)\n    s.tile(\"j\", 64)\n    s.tile(\"k\", 32)\n")
        for line, message in (
            ('s.cache("a", at="k", space="ub")', "a buffer in `htp.space('ub')`: buffers lie in global memory, and go through a core's memories by parts"),
            ('s.prefetch("b", at="k", space="l1")', "a buffer in `htp.space('l1')`: buffers lie in global memory, and go through a core's memories by parts"),
            ('s.vectorize("j")', "iterations that are lanes of a vector: instructions take all elements of a tile at once"),
            ('s.pipeline("k", depth=3)', "a pipeline of another depth than 2: what is moved has two places in turn"),
            ('s.pipeline("i", depth=2)', "iterations of `i` that overlap: only those of an innermost loop do, where what they move has room twice"),
        ):
            with self.subTest(line):
                done = self.compile(head + gemm + f"    {line}\n")
                self.assertEqual(done.returncode, 1)
                self.assertIn(f"error[a2a3.unsupported-form]: a2a3 does not do this yet: {message}\n", done.stderr)
        done = self.compile(head + gemm + '    s.pipeline("k", depth=2)\n', "--verify-each")
        self.assertEqual(done.returncode, 0, done.stderr)
        (stage,) = (self.folder / "package").glob("ir/stages/*-a2a3.order/program.py")
        self.assertRegex(stage.read_text(), r"for turn_1, k_at in pto\.turns\(range\(0, K, 32\)\):")

    def test_ints_that_change(self) -> None:
        signature = "n: In[Tensor[i32, 4]], x: In[Tensor[f32, M]], y: Out[Tensor[f32, M]]"
        self.refused("a2a3.unsupported-form", "w = w + 8", "a2a3 does not do this yet: `w`, an int that changes", "compile for the CPU",
                     signature, "w = 0", "for i in tiles(M, 8):", "    y[i] = x[i]", "    w = w + 8", "for p in range(w):", "    y[p] = x[p]")
        self.refused("a2a3.unsupported-form", "w = index(n[1])", "a2a3 does not do this yet: `w`, an int that changes", "compile for the CPU",
                     signature, "for i in tiles(M, 8):", "    y[i] = x[i]", "    w = 1", "    if len(i) == 8:", "        w = index(n[1])", "    for p in range(w):", "        y[p] = x[p]")

    def test_columns_of_what_lies_in_rows(self) -> None:
        for wide, signature, line in (("x", "x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, 1]]", "y[i, :] = x[i, 0]"), ("y", "x: In[Tensor[f32, M, 1]], y: InOut[Tensor[f32, M, N]]", "y[i, 2] = x[i, :]"),
                                      ("y", "x: In[Tensor[f32, M, 1]], y: InOut[Tensor[f32, M, 4]]", "y[i, 2:3] = x[i, :]")):
            self.refused("a2a3.strided", line, f"`{wide}` is reached along a dimension that is not its last", "load blocks that hold the last dimension",
                         signature, "for i in tiles(M, 8):", f"    {line}")

    def test_elements_that_are_left_out(self) -> None:
        hint = "go one by one: `for n in range(N): y[n] = x[2 * n]`"
        self.refused("a2a3.unsupported-form", "y[:] = x[::2]", "a2a3 does not do this yet: the index `slice(0, 2 * N, 2)`, which leaves out elements", hint,
                     "x: In[Tensor[f32, 2 * N]], y: Out[Tensor[f32, N]]", "y[:] = x[::2]")
        self.refused("a2a3.unsupported-form", "y[::2] = x[:]", "a2a3 does not do this yet: the index `slice(0, 2 * N, 2)`, which leaves out elements", hint,
                     "x: In[Tensor[f32, N]], y: InOut[Tensor[f32, 2 * N]]", "y[::2] = x[:]")
        done = self.compile(HEAD + "def program(x: In[Tensor[f32, 2 * N]], y: Out[Tensor[f32, N]]) -> None:\n    for n in range(N):\n        y[n] = x[2 * n]\n")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_rows_that_are_left_out(self) -> None:
        self.refused("a2a3.unsupported-form", "y[i, :] = x[i * 2, :]", "a2a3 does not do this yet: the index `i * 2`", "go one by one: `for n in range(M): y[n, :] = x[2 * n, :]`",
                     "x: In[Tensor[f32, 2 * M, N]], y: Out[Tensor[f32, M, N]]", "for i in tiles(M, 8):", "    y[i, :] = x[i * 2, :]")
        done = self.compile(HEAD + "def program(x: In[Tensor[f32, 2 * M, N]], y: Out[Tensor[f32, M, N]]) -> None:\n    for n in range(M): y[n, :] = x[2 * n, :]\n")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_integers_that_are_divided(self) -> None:
        signature = "x: In[Tensor[i32, M, N]], y: Out[Tensor[i32, M, N]]"
        self.refused("a2a3.unsupported-form", "x[i, :] // 7", "a2a3 does not do this yet: integers that are divided by anything but a power of two", "below 2 ** 24 floats divide exactly: `cast(floor(cast(x, f32) / 7.0), i32)`",
                     signature, "for i in tiles(M, 8):", "    y[i, :] = x[i, :] // 7")
        head = HEAD.replace("htp_tile import", "htp_tile import floor, rem, trunc,") + "def program(x: In[Tensor[{0}, M, N]], d: In[Tensor[{0}, M, N]], y: Out[Tensor[{0}, M, N]]) -> None:\n    for i in tiles(M, 8):\n        y[i, :] = {1}\n"
        x = np.array([[-(2**24) + 1, 2**24 - 1, -8, -7, -1, 0, 1, 6, 7, 8]], np.int32)
        d = np.array([[3, 7, 5, 7, 9, 1, 2, 6, 8, 3]], np.int32)
        for dtype, one, form, result in (
            ("i32", "a // 7", "cast(floor(cast(a, f32) / 7.0), i32)", x // 7),
            ("i32", "a % 7", "a - cast(floor(cast(a, f32) / 7.0), i32) * 7", x % 7),
            ("i32", "rem(a, 7)", "a - cast(trunc(cast(a, f32) / 7.0), i32) * 7", np.fmod(x, 7)),
            ("i32", "a // b", "cast(floor(cast(a, f32) / cast(b, f32)), i32)", x // d),
            ("i32", "a % b", "a - cast(floor(cast(a, f32) / cast(b, f32)), i32) * b", x % d),
            ("i16", "a // 4", "cast(cast(a, i32) // 4, i16)", None),
        ):
            with self.subTest(one):
                tiles_of = lambda text: re.sub(r"\ba\b", "x[i, :]", re.sub(r"\bb\b", "d[i, :]", text))
                done = self.compile(head.format(dtype, tiles_of(one)))
                self.assertEqual(done.stderr.count("error["), 1, done.stderr)
                self.assertIn("`" + re.sub(r"\ba\b", "x", re.sub(r"\bb\b", "d", form)) + "`\n", done.stderr)
                done = self.compile(head.format(dtype, tiles_of(form)))
                self.assertEqual(done.returncode, 0, done.stderr)
                if result is not None:
                    self.assertEqual(self.ran(x=x, d=d).returncode, 0)
                    with np.load(self.folder / "out.npz") as out:
                        np.testing.assert_array_equal(out["y"], result)
                shutil.rmtree(self.folder / "package")

    def test_copies_that_a_program_waits_for(self) -> None:
        head = HEAD.replace("htp_tile import", "htp_tile import copy_async, wait,") + "def program(x: In[Tensor[f32, M, 64]], y: Out[Tensor[f32, M, 64]]) -> None:\n    h = buffer(f32, 1, 64)\n    for m in range(M):\n        "
        done = self.compile(head + "wait(copy_async(h, x[m, :], 0, whole))\n        y[m, :] = h[0, :]\n")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("error[a2a3.no-handler]: `tile.copy_async` has no instructions on a2a3", done.stderr)
        self.assertIn("store it, `rows[r, :] = x[r, :]`", done.stderr)
        self.assertIn("leave it out: what is stored is there when it is loaded", done.stderr)
        done = self.compile(head + "h[0, :] = x[m, :]\n        y[m, :] = h[0, :]\n")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_what_lies_outside(self) -> None:
        self.refused("a2a3.unsupported-form", "load(x, i - 1, whole, outside=0.0)", "a2a3 does not do this yet: a load with `outside`", "store it into a larger buffer that is filled before: `h[:, :] = 0.0`, `h[i + 1, :] = x[i, :]`, and load `h[i, :]`",
                     "x: In[Tensor[f32, M, 64]], y: Out[Tensor[f32, M, 64]]", "for i in tiles(M, 8):", "    y[i, :] = load(x, i - 1, whole, outside=0.0)")
        done = self.compile(HEAD + "def program(x: In[Tensor[f32, M, 64]], y: Out[Tensor[f32, M, 64]]) -> None:\n    h = buffer(f32, M + 2, 64)\n    for p in range(M + 2):\n        h[p, :] = 0.0\n"
                            "    for i in tiles(M, 8):\n        h[i + 1, :] = x[i, :]\n    for i in tiles(M, 8):\n        y[i, :] = h[i, :]\n")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_places_that_come_from_data(self) -> None:
        for columns, extent, count, places in (("N", 20, 8, [0, 12, 5]), ("64", 64, 1, [0, 63, 5])):
            with self.subTest(columns=columns, count=count):
                done = self.compile(HEAD + f"def program(x: In[Tensor[f32, M, {columns}]], t: In[Tensor[i32, M]], y: Out[Tensor[f32, M, {count}]]) -> None:\n"
                                    f"    for b in range(M):\n        p = index(t[b])\n        y[b, :] = x[b, p : p + {count}]\n")
                self.assertEqual(done.returncode, 0, done.stderr)
                x = np.arange(3 * extent, dtype=np.float32).reshape(3, extent)
                ran = self.ran(x=x, t=np.array(places, np.int32))
                self.assertEqual(ran.returncode, 0, ran.stderr)
                np.testing.assert_array_equal(np.load(self.folder / "out.npz")["y"], np.stack([x[b, p : p + count] for b, p in enumerate(places)]))
                for wrong in (extent - count + 1, -1):
                    ran = self.ran(x=x, t=np.array([places[0], wrong, places[2]], np.int32))
                    self.assertEqual(ran.returncode, 1, ran.stderr)
                    self.assertIn(f"error[a2a3sim.outside]: `t` holds {wrong} at element 1, and ind", ran.stderr)
                    self.assertIn(f"not there: it has {extent}\n  = hint: let `t` hold 0 to {extent - count}, or keep it inside: `p = min(max(index(t[b]), 0), {'N - 8' if count == 8 else 63})`\n", ran.stderr)

    def test_extents_are_no_tuple(self) -> None:
        head = HEAD.replace("htp_tile import", "htp_tile import iota,") + "def program(x: In[Tensor[i32, M, N]], y: Out[Tensor[i32, M, N]]) -> None:\n    for i in tiles(M, 8):\n        y[i, :] = x[i, :] + iota(i32, {}, axis=1)\n"
        done = self.compile(head.format("(i, N)"))
        self.assertEqual(done.stderr.count("error["), 1, done.stderr)
        self.assertIn("error[tile.unsupported]: the tile language has no tuples\n", done.stderr)
        self.assertIn("= hint: give the extents one by one: `i, N`\n", done.stderr)
        self.assertEqual(self.compile(head.format("i, N")).returncode, 0)

    def test_an_int_is_read_once_for_both_bounds(self) -> None:
        head = HEAD + "def program(x: In[Tensor[f32, M, N]], t: In[Tensor[i32, B]], y: Out[Tensor[f32, B, 4, N]]) -> None:\n    for b in range(B):\n        {}\n"
        done = self.compile(head.format("y[b, :, :] = x[index(t[b]) : index(t[b]) + 4, :]"))
        self.assertIn("= hint: as many indices as sizes say: ints in the bounds cancel, as in `p:p + 8`, of what is read once, `p = index(t[b])`; `tiles` cuts what may be shorter\n", done.stderr)
        self.assertEqual(self.compile(head.format("p = index(t[b])\n        y[b, :, :] = x[p : p + 4, :]")).returncode, 0)

    def test_casts_between_bytes_wrap_around(self) -> None:
        for one, other in (("i8", "u8"), ("u8", "i8")):
            with self.subTest(one):
                done = self.compile(HEAD + f"def program(x: In[Tensor[{one}, 8, 32]], y: Out[Tensor[{other}, 8, 32]]) -> None:\n    y[:, :] = cast(x[:, :], {other})\n")
                self.assertEqual(done.returncode, 0, done.stderr)
                x = np.arange(256).astype({"i8": np.int8, "u8": np.uint8}[one]).reshape(8, 32)
                self.assertEqual(self.ran(x=x).returncode, 0)
                with np.load(self.folder / "out.npz") as out:
                    np.testing.assert_array_equal(out["y"], x.view({"i8": np.int8, "u8": np.uint8}[other]))
                shutil.rmtree(self.folder / "package")

    def test_casts_that_there_are_not_name_one_that_there_is(self) -> None:
        program = HEAD.replace("u32\n", "u32, i64\n") + "def program(x: In[Tensor[{0}, M, N]], y: Out[Tensor[{1}, M, N]]) -> None:\n    for i in tiles(M, 8):\n        y[i, :] = {2}\n"
        for one, other, hint, form in (
            ("i32", "bf16", "cast in two steps: `cast(cast(x, f32), bf16)`", ("i32", "bf16", "cast(cast(x[i, :], f32), bf16)")),
            ("f32", "u16", "these cores convert nothing to u16: cast to `i16`, and declare what it is stored to so", ("f32", "i16", "cast(x[i, :], i16)")),
            ("i8", "i64", "these cores convert nothing to i64: cast to `i32`, and declare what it is stored to so", ("i8", "i32", "cast(x[i, :], i32)")),
            ("u32", "f16", "these cores convert no u32: declare it `i32`, and convert arrays before the call", ("i32", "f16", "cast(x[i, :], f16)")),
            ("i64", "f32", "these cores convert no i64: declare it `i32`, and convert arrays before the call", ("i32", "f32", "cast(x[i, :], f32)")),
        ):
            with self.subTest(one=one, other=other):
                done = self.compile(program.format(one, other, f"cast(x[i, :], {other})"))
                self.assertEqual(done.stderr.count("error["), 1, done.stderr)
                self.assertIn(f"error[a2a3.no-instruction]: `tile.cast` of {one} to {other} has no instruction on a2a3\n", done.stderr)
                self.assertIn(f"= hint: {hint}\n", done.stderr)
                done = self.compile(program.format(*form))
                self.assertEqual(done.returncode, 0, done.stderr)
                shutil.rmtree(self.folder / "package")

    def test_scalars_that_there_are_not(self) -> None:
        for dtype, use, hint, form in (
            ("f64", "x[0, j] * cast(s, f32)", "declare it `s: f32`", ("s: f32", "x[0, j] * s")),
        ):
            with self.subTest(dtype):
                program = HEAD + "def program(x: In[Tensor[f32, M, N]], {}, y: Out[Tensor[f32, 1, N]]) -> None:\n    for j in tiles(N, 64):\n        y[0, j] = {}\n"
                done = self.compile(program.format(f"s: {dtype}", use))
                self.assertEqual(done.returncode, 1, done.stderr)
                self.assertIn(f"error[a2a3.unsupported-form]: a2a3 does not do this yet: a scalar of `{dtype}`\n", done.stderr)
                self.assertIn("program.py:11:39\n", done.stderr)
                self.assertIn(f"= hint: {hint}\n", done.stderr)
                self.assertIn("\n1 error\n", done.stderr)
                done = self.compile(program.format(*form))
                self.assertEqual(done.returncode, 0, done.stderr)

    def test_ints_that_only_the_run_knows(self) -> None:
        signature = "n: In[Tensor[i32, M]], x: In[Tensor[f32, M, 64]], y: In[Tensor[f32, 64, 64]], z: Out[Tensor[f32, M, 64]]"
        self.refused("a2a3.unsupported-form", "index(n[m] + 1)", "a2a3 does not do this yet: an int that is not an element of an input", "compile for the CPU",
                     signature, "for m in range(M):", "    z[m, :] = x[index(n[m] + 1), :]")
        self.refused("a2a3.unsupported-form", "for k in range(often):", "a2a3 does not do this yet: a loop to an int that is only known when the program runs, of which no input is indexed by `k`", "compile for the CPU",
                     signature, "for m in range(M):", "    s = zeros(f32, 1, 64)", "    often = index(n[m])", "    for k in range(often):",
                     "        s = s + exp(matmul(x[m, :], y[:, :]) * 0.5)", "    z[m, :] = s")

    def test_networks_that_are_no_sequence(self) -> None:
        head = HEAD.replace("@kernel\n", "").replace("from htp_tile", "from htp_csp import channel, pipeline, process\nfrom htp_tile") + "@pipeline\ndef program(x: In[Tensor[f32, M, 8]], y: Out[Tensor[f32, M, 8]]) -> None:\n"
        for channels, put, get, line, message, hint in (
            ("a = channel(f32, 1, 8, capacity=2)", "for m in range(M):\n            if m > 0:\n                a.put(x[m, :])\n        a.put(x[0, :])", "for m in range(M):\n            y[m, :] = a.get()",
             "if m > 0:", "a branch or loop of which the number of items in `a` depends on more than sizes",
             "let each way put and get as many, and loops count to sizes: `for m in range(M)`"),
            ("a = channel(f32, 1, 8, capacity=2)\n    b = channel(f32, 1, 8, capacity=2)", "a.put(x[0, :])\n        for m in range(M):\n            row = b.get()\n            y[m, :] = row\n            a.put(row)", "for m in range(M):\n            b.put(a.get() + 1.0)\n        _ = a.get()",
             "def first() -> None:", "processes that get from each other",
             "let both put and get in one loop each, over the same, what they get in the iteration in which it is put, or let one process do what both do"),
            ("a = channel(f32, 1, 8, capacity=2)", "for i in range(3):\n            for j in range(i + 1):\n                a.put(x[0, :] + 1.0)", "for i in range(3):\n            for j in range(i + 1):\n                y[0, :] = a.get()\n        for m in range(M):\n            y[m, :] = x[m, :]",
             "a.put(x[0, :] + 1.0)", "items of `a` that iterations, or places of a grid, do not put or get evenly", "put or get as many in each: `for k in range(3)`"),
        ):
            with self.subTest(message):
                done = self.compile(head + f"    {channels}\n\n    @process\n    def first() -> None:\n        {put}\n\n    @process\n    def second() -> None:\n        {get}\n")
                self.assertEqual(done.returncode, 1, done.stderr)
                self.assertIn(f"error[a2a3.unsupported-form]: a2a3 does not do this yet: {message}\n", done.stderr)
                self.assertIn(f" {line}\n", done.stderr)
                self.assertIn(f"= hint: {hint}\n", done.stderr)

    def test_places_that_get_from_each_other(self) -> None:
        head = HEAD.replace("@kernel\n", "").replace("from htp_tile", "from htp_csp import channels, pipeline, process\nfrom htp_tile") + (
            "@pipeline\ndef program(x: In[Tensor[f32, 3, M, N]], y: Out[Tensor[f32, 3, M, N]]) -> None:\n    ring = channels(3, f32, 1, 1, N, capacity=1)\n\n")
        put, get = "    @process(grid=3)\n    def {}(p: int) -> None:\n        for m in range(M):\n", "            y[p, m, :] = ring[(p + 2) % 3].get()\n"
        done = self.compile(head + put.format("node") + "            ring[p].put(x[p, m, :])\n" + get)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("error[a2a3.unsupported-form]: a2a3 does not do this yet: places of a process that get from each other\n", done.stderr)
        self.assertIn("= hint: let one process put and another one get, both with `grid=`: what is put is there before anything is got\n", done.stderr)
        done = self.compile(head + put.format("node") + "            ring[p].put(x[p, m, :])\n\n" + put.format("other") + get)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_the_other_examples_say_why(self) -> None:
        for path in sorted(ROOT.glob("examples/*/*.py")):
            if path.stem in PROGRAMS:
                continue
            with self.subTest(path.stem):
                done = self.compile(path, *(["--entry", "strips"] if path.stem == "blur_wsp" else []))  # the others of it compile
                self.assertEqual(done.returncode, 1, done.stderr)
                self.assertRegex(done.stderr, r"error\[(a2a3|resolve|wsp)\.[a-z-]+\]")
                self.assertNotIn("broken-promise", done.stderr)


if __name__ == "__main__":
    unittest.main()
