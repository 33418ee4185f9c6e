"""Grids of processes on the array: what their places exchange with the host shares channels by memory tiles, and more places than there are cores
take turns."""

from __future__ import annotations

import re
import unittest
from pathlib import Path

from case import ROOT, Case, host, last

HERE = Path(__file__).resolve().parent
HEAD = """import htp
from htp import In, Out, f32
from htp_csp import R, S, Schedule, channels, pipeline, process, schedule, shard
from htp_tile import Tensor, matmul, tiles, zeros

M = 16
N = 64


@pipeline
"""


def scaled(places: int, bundle: int = 0) -> str:
    """Rows by a vector: each place has a part of the rows."""
    text = f"""{HEAD}def scaled(x: In[Tensor[f32, {places} * M, N]], w: In[Tensor[f32, 1, N]], y: Out[Tensor[f32, {places} * M, N]]) -> None:
    @process(grid={places}, args=(shard(x, S(0), R), w, shard(y, S(0), R)))
    def work(g: int, x: In[Tensor[f32, M, N]], w: In[Tensor[f32, 1, N]], y: Out[Tensor[f32, M, N]]) -> None:
        for m in tiles(M, 8):
            y[m, :] = x[m, :] * w[:, :]
"""
    return text + (f"""

@schedule(scaled)
def fewer(s: Schedule) -> None:
    s.bundle("work", {bundle})
""" if bundle else "")  # fmt: skip


def product(rows: int, columns: int) -> str:
    return f"""{HEAD}def product(a: In[Tensor[f32, {rows} * M, N]], b: In[Tensor[f32, N, {columns} * M]], c: Out[Tensor[f32, {rows} * M, {columns} * M]]) -> None:
    @process(grid=({rows}, {columns}), args=(shard(a, S(0), R), shard(b, R, S(1)), shard(c, S(0), S(1))))
    def cell(i: int, j: int, a: In[Tensor[f32, M, N]], b: In[Tensor[f32, N, M]], c: Out[Tensor[f32, M, M]]) -> None:
        acc = zeros(f32, M, M)
        for k in tiles(N, 32):
            acc = matmul(a[:, k], b[k, :], acc)
        c[:, :] = acc
"""


def chain(places: int) -> str:
    return f"""{HEAD}def chain(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channels({places - 1}, f32, 1, N, capacity=2)

    @process(grid={places})
    def work(p: int) -> None:
        for m in range(M):
            if p > 0:
                row = rows[p - 1].get() * 2.0
            else:
                row = x[m, :] + 1.0
            if p < {places - 1}:
                rows[p].put(row)
            else:
                y[m, :] = row
"""


class Grids(Case):
    def last(self, program: str, *options: str) -> tuple[str, str, str]:
        """The last stage, the module, and what was noted."""
        done = self.compile(program, "--verify-each", *options)
        self.assertEqual(done.returncode, 0, done.stderr)
        package = self.folder / "package"
        stage = last(package)
        return (stage / "program.py").read_text(), (package / "codegen/aie/aie.mlir").read_text(), done.stderr

    def test_parts_for_sixteen_cores_pass_four_shims(self) -> None:
        stage, module, notes = self.last(scaled(16))
        self.assertEqual(notes, "")
        self.assertEqual(len(re.findall(r"= aie.feed\(x, .*link='x_in\w*_link'", stage)), 16)
        distributed = re.findall(r"aie.objectfifo.link \[@(\w+)\] -> \[(@\w+, @\w+, @\w+, @\w+)\] \(\[\] \[0, 512, 1024, 1536\]\)", module)
        joined = re.findall(r"aie.objectfifo.link \[(@\w+, @\w+, @\w+, @\w+)\] -> \[@(\w+)\] \(\[0, 512, 1024, 1536\] \[\]\)", module)
        self.assertEqual((len(distributed), len(joined)), (4, 4))
        for whole, _ in distributed:  # a transfer has a part of each core in turn
            self.assertRegex(module, rf"%x\[0, 0, 0, \d+\]\[1, 2, 4, 512\]\[0, 512, 1024, 1\]\) {{metadata = @{whole},")

    def test_a_grid_of_blocks(self) -> None:
        stage, module, _ = self.last(product(4, 4))
        self.assertEqual(len(re.findall(r"= aie.feed\(a, .*\('cell_(\d)_0', 'cell_\1_1', 'cell_\1_2', 'cell_\1_3'\)", stage)), 4)
        self.assertEqual(len(re.findall(r"= aie.feed\(b, .*\('cell_0_(\d)', 'cell_1_\1', 'cell_2_\1', 'cell_3_\1'\)", stage)), 4)
        self.assertEqual(module.count("aie.objectfifo.link"), 4)

    def test_a_bundle_that_is_asked_for(self) -> None:
        for bundle in (2, 4, 8):
            stage, _, notes = self.last(scaled(16, bundle))
            self.assertEqual(notes, "")
            self.assertEqual(stage.count("@aie.core("), 16 // bundle)
        self.assertEqual(len(re.findall(r"= aie.feed\(x, ", stage)), 2)  # one stream for the eight parts of a core

    def test_more_places_than_cores_take_turns(self) -> None:
        for program, cores, places, wanted in ((scaled(64), 16, 4, 64), (product(8, 8), 16, 4, 64), (chain(40), 14, 3, 40)):
            stage, _, notes = self.last(program)
            self.assertIn(f"note[aie.bundled]: `{'scaled' if wanted == 64 and 'def scaled' in program else 'product' if wanted == 64 else 'chain'}` has {wanted} processes that compute, and npu1 has 16 cores: "
                          f"{places} instances of each grid share one", notes)  # fmt: skip
            self.assertIn("`s.bundle(\"work\", 2)` in a schedule says which ones share a core", notes)
            self.assertEqual(stage.count("@aie.core("), cores)
        body = stage.split("def work_3(", 1)[1].split("@aie.core", 1)[0]
        self.assertEqual((body.count("for "), body.count("aie.acquire(")), (1, 2))  # what three places of the chain hand on stays there

    def test_what_they_have_in_common_is_loaded_once(self) -> None:
        stage, _, _ = self.last(product(8, 8))
        body = stage.split("def cell_0_0(", 1)[1].split("@aie.core", 1)[0]
        self.assertEqual((len(re.findall(r"aie.acquire\(a_in", body)), len(re.findall(r"aie.acquire\(b_in", body))), (1, 4))

    def test_keys_and_values_come_joined(self) -> None:
        module = self.module("attention_pipeline", "--set", "S=40", "--set", "T=64")
        self.assertRegex(module, r"aie.objectfifo.link \[@keys, @values\] -> \[@keys_link\] \(\[0, 256\] \[\]\)")

    def test_a_kernel_of_another_form_is_dealt_out(self) -> None:
        head = HEAD.replace("@pipeline", "@kernel").replace("htp_tile import", "htp_tile import kernel,")
        for what, to, body, cores in (
            ("a row of its own", "M, N", "    for i in tiles(M, 8):\n        y[i, :] = x[i, :] + x[0, :]\n", 2),
            ("places beside each other", "M, 32", "    for i in tiles(M, 8):\n        y[i, :] = x[i, 0:32] + x[i, 1:33] + x[i, 2:34]\n", 2),
            ("nine places beside each other", "14, 32", "    for i in range(14):\n        y[i, :] = " + " + ".join(f"x[i + {a}, {b}:{b + 32}]" for a in range(3) for b in range(3)) + "\n", 14),
            ("loops beside each other", "M, N", "    for i in tiles(M, 8):\n        y[i, 0:32] = x[i, 0:32]\n    for k in tiles(M, 4):\n        y[k, 32:64] = x[k, 32:64]\n", 1),
        ):  # fmt: skip
            with self.subTest(what):
                stage, _, _ = self.last(f"{head}def dealt(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, {to}]]) -> None:\n{body}")
                self.assertEqual(stage.count("@aie.core("), cores)

    def test_what_cannot_be_dealt_out_says_why(self) -> None:
        head = HEAD.replace("@pipeline", "@kernel").replace("htp_tile import", "htp_tile import kernel,")
        for code, what, body in (
            ("two-stores", "`y` is stored by two statements", "        y[i, :] = x[i, :] + x[0, :]\n        y[i, 0:32] = x[i, 0:32]\n"),
            ("other-elements", "`y` is loaded and stored at different indices", "        y[i, :] = x[i, :] + y[0, :]\n"),
        ):
            with self.subTest(what):
                done = self.compile(f"{head}def dealt(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]]) -> None:\n    for i in tiles(M, 8):\n{body}".replace("import In, ", "import In, InOut, "))
                self.assertEqual(done.returncode, 1, done.stderr)
                self.assertIn(f"error[aie.{code}]: {what}\n", done.stderr)
                self.assertIn("hint: store to a tensor of its own, each element once", done.stderr)

    def test_parts_that_are_not_whole_blocks_are_filled_up(self) -> None:
        stage, _, _ = self.last((HERE / "programs/ragged_grid.py").read_text(), "--set", "M=13", "--set", "N=10", "--set", "K=70")
        self.assertIn("aie.feed(a, (32, 96), (2, 4, 4, 8), ((2, 768), (2, 0), (3, 32), (2, 384), (4, 8), (4, 96), (8, 1)), 0, ('work_0_0', 'work_0_1'), 2, start=0, pieces=(2, 1)", stage)
        self.assertIn("aie.collect(c, (32, 32), ", stage)
        self.assertRegex(stage, r"'work_1_1', 2, start=528, pieces=\(2, 2\)")
        for what, old, new in (
            ("what is not cut evenly", "pieces=(2, 1)", "pieces=(3, 1)"),
            ("other dimensions", "pieces=(2, 1)", "pieces=(2,)"),
            ("other pieces of the same", "pieces=(2, 1)", "pieces=(1, 1)"),
        ):
            with self.subTest(what):
                folder = last(self.folder / "package")
                (folder / "program.py").write_text(stage.replace(old, new, 1))
                done = host("--plugins", ROOT / "manifests/aie.yaml", "compile", "--from-stage", folder, "-o", self.folder / "again")
                self.assertEqual(done.returncode, 1, done.stderr)
                self.assertIn("pieces" if new != "pieces=(1, 1)" else "the streams of `a` differ in its extents", done.stderr)
        # To a maximum they are filled up with what is below all elements; of what is computed of these it is not known.
        most = (f"{HEAD}def p(x: In[Tensor[f32, M, 40]], y: Out[Tensor[f32, M, 1]]) -> None:\n    @process\n    def work() -> None:\n        for i in tiles(M, 8):\n"
                            "            best = full(f32, -1.0, i, 1)\n            for j in tiles(40, 32):\n                best = maximum(best, reduce_max(x[i, j], axis=1))\n            y[i, :] = best\n".replace("htp_tile import", "htp_tile import full, maximum, reduce_max,"))  # fmt: skip
        stage, _, _ = self.last(most, "--set", "M=10")
        self.assertIn("fill='least'", stage)
        done = self.compile(most.replace("reduce_max(x[i, j],", "reduce_max(x[i, j] * x[i, j],"), "--set", "M=10")
        self.assertIn("error[aie.ragged-reduction]: `aie.reduce_max` goes along blocks of `j`, and 40 is not a multiple of 32", done.stderr)

    def test_rows_that_transfers_do_not_take_are_filled_up(self) -> None:
        rows = (HERE / "programs/ragged_rows.py").read_text()
        stage, _, _ = self.last(rows, "--set", "M=3", "--set", "N=33")
        self.assertIn("aie.feed(x, (12, 3, 34), (1, 1, 34), ((306, 1),), 0, 'leaf_0'", stage)
        self.assertIn("aie.collect(y, (3, 1, 34), ", stage)
        stage, _, _ = self.last(rows, "--set", "M=3", "--set", "N=32")
        self.assertIn("aie.feed(x, (12, 3, 32), ", stage)
        # Where the zeros would be counted, a core takes the row from a longer part.
        stage, _, _ = self.last(rows.replace("w[:])", "reduce_max(w[:] * w[:], axis=0))").replace("maximum,", "maximum, reduce_max,"), "--set", "M=3", "--set", "N=33")
        self.assertIn("aie.unpack(w_tile, w_block, 0)", stage)
        # What a transfer puts is as long as what is got of it; where that is counted, several rows are words.
        most = f"{HEAD}def p(x: In[Tensor[i8, 12, 11]], y: Out[Tensor[i8, 12, 11]]) -> None:\n    rows = channel(i8, 1, 11, capacity=2)\n\n    @process\n    def load() -> None:\n        for i in range(12):\n            rows.put(x[i, :])\n\n    @process\n    def work() -> None:\n        for i in range(12):\n            t = rows.get()\n            y[i, :] = t - reduce_max(t, axis=1)\n"
        most = most.replace("htp_tile import", "htp_tile import reduce_max,").replace("import In", "import i8, In", 1).replace("import R", "import channel, R", 1)
        done = self.compile(most)
        self.assertIn("error[aie.block-bytes]: blocks of `x`, 1 by 11 elements, are 11 bytes, no multiple of 4\n", done.stderr)
        self.assertIn("hint: take 4 rows at a time: `tiles(M, 4)`, or, where a channel carries them, `x[4 * i:4 * i + 4, :]`\n", done.stderr)
        done = self.compile(most.replace("range(12)", "range(3)").replace("(i8, 1,", "(i8, 4,").replace("[i, :]", "[4 * i:4 * i + 4, :]"))
        self.assertEqual(done.returncode, 0, done.stderr)
        done = self.compile(rows, "--set", "M=3")
        self.assertIn("error[aie.unknown-size]: the size of `N` is not known", done.stderr)
        done = self.compile(rows, "--set", "N=3")
        self.assertIn("error[aie.unknown-size]: the size of `4 * M` is not known", done.stderr)
        self.assertIn("hint: give it one: `--set M=1024`", done.stderr)

    def test_rows_of_parts_are_filled_up_each_by_itself(self) -> None:
        parts = (HERE / "programs/ragged_parts.py").read_text()
        stage, _, _ = self.last(parts, "--set", "M=7", "--set", "N=13", "--set", "K=37")
        self.assertIn("aie.feed(b, (48, 48), (16, 16), ((48, 48), (16, 1)), 0, ('work_0_1', 'work_1_1'), 2, start=16, pieces=(1, 3)", stage)
        self.assertIn("aie.collect(y, (14, 48), (7, 16), ((7, 48), (16, 1)), 0, 'work_1_2', 1, start=368, pieces=(1, 3)", stage)
        # What both operands go along is filled up in both, in whatever dimension it is.
        stage, _, _ = self.last(parts, "--set", "M=5", "--set", "N=3", "--set", "K=9")
        self.assertIn("aie.feed(a, (10, 12), (5, 12), ((60, 1),), 0, ", stage)
        self.assertIn("aie.feed(b, (12, 12), (12, 4), ((12, 12), (4, 1)), 0, ", stage)
        stage, _, _ = self.last(parts, "--set", "M=4", "--set", "N=16", "--set", "K=32")
        self.assertNotIn("pieces", stage)

    def test_2408_has_them_too(self) -> None:
        done = self.compile(scaled(16), profile=self.profile(mlir_aie=2408))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual((self.folder / "package/codegen/aie/aie.mlir").read_text().count("] ()"), 8)

    def test_links_of_an_edited_stage_are_held_against_their_streams(self) -> None:
        stage, _, _ = self.last(scaled(16))
        for said, old, new in (
            ("`x_in` alone has the link `other`\n", "link='x_in_link', column", "link='other', column"),
            ("starts 1020 elements behind `x_in_1`, and the streams of its link start every 1028\n", "start=1024, link='x_in_link'", "start=1028, link='x_in_link'"),
            ("`x_in_1` and `x_in` share a link, and differ in their depth\n", "'work_1', 2, start=1024, link='x_in_link'", "'work_1', 1, start=1024, link='x_in_link'"),
        ):  # fmt: skip
            with self.subTest(said):
                self.assertEqual(stage.count(old) and 1, 1, old)
                folder = last(self.folder / "package")
                (folder / "program.py").write_text(stage.replace(old, new, 1))
                done = host("--plugins", ROOT / "manifests/aie.yaml", "compile", "--from-stage", folder, "-o", self.folder / "again")
                self.assertEqual(done.returncode, 1, done.stderr)
                self.assertIn(said, done.stderr)
                self.assertFalse((self.folder / "again").exists())


if __name__ == "__main__":
    unittest.main()
