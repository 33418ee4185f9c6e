"""The backend for AMD's AI Engines: what it emits for each version of MLIR-AIE, and what it refuses."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import unittest
from pathlib import Path

import sized
from case import HEAD, PROFILE, ROOT, Case, host, last, plain


class Emitted(Case):
    """What stands in a package."""

    def test_as_many_cores_as_channels_allow(self) -> None:
        # Two streams in and one out: a memory tile has 6 channels each way, so 2 cores a column. One each way: 4.
        self.assertEqual(len(re.findall(r"= aie\.core\(", self.module("vector_add", "--set", "N=4096"))), 8)
        self.assertEqual(len(re.findall(r"= aie\.core\(", self.module("softmax", "--set", "M=512", "--set", "N=64"))), 16)

    PIPELINED = """import htp
from htp import In, Out, f32
from htp_tile import Tensor, matmul, zeros
from htp_wsp import P, Schedule, schedule, seq, workload

M = 64
K = 512
N = {columns}


@workload
def product(a: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], c: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        acc = zeros(f32, i, N)
        for k in seq(K):
            acc = matmul(a[i, k], b[k, :], acc)
        c[i, :] = acc


@schedule(product)
def plan(s: Schedule) -> None:
    s.tile("i", 8)
    s.tile("k", 32)
    s.pipeline("k", depth=4)
"""

    def test_a_pipelined_loop_has_the_room_that_it_asks_for_or_is_told(self) -> None:
        for columns, depth in ((32, 4), (192, 2)):
            with self.subTest(columns):
                shutil.rmtree(self.folder / "package", ignore_errors=True)
                done = self.compile(self.PIPELINED.format(columns=columns), "--entry", "plan")
                self.assertEqual(done.returncode, 0, done.stderr)
                stage = last(self.folder / "package") / "program.py"
                self.assertRegex(stage.read_text(), rf"a_in = aie\.feed\(.*, {depth}\)\n *b_in = aie\.feed\(.*, {depth}\)\n *c_out = aie\.collect\(.*, 2\)")
                self.assertEqual("warning[aie.depth]: streams of `k`: depth 4 requested, 2 available" in done.stderr, depth == 2, done.stderr)

    def test_columns_and_devices_are_options(self) -> None:
        profile = self.profile(pass_options={"device": "npu2", "columns": 3})
        text = self.module("softmax", "--set", "M=512", "--set", "N=64", profile=profile)
        self.assertIn("aie.device(npu2) {", text)
        self.assertEqual(len(re.findall(r"= aie\.core\(", text)), 12)
        text = self.module("softmax", "--set", "M=512", "--set", "N=64", profile=self.profile(pass_options={"device": "npu2"}))
        self.assertEqual(len(re.findall(r"= aie\.core\(", text)), 32)

    def test_versions_differ_in_five_spots(self) -> None:
        texts = {}
        for version in ("2408", "v1.0", "2608"):
            texts[version] = self.module("vector_add", "--set", "N=65536", profile=self.profile(mlir_aie=f'"{version}"'))
        self.assertIn("aie.device(npu1_4col) {", texts["v1.0"])
        self.assertIn("aie.device(npu1) {", texts["2608"])
        self.assertIn("] ()\n", texts["2408"])
        self.assertIn("] ([] [0, 64])\n", texts["v1.0"])
        self.assertIn("dma_memcpy_nd (0, 0, %a[", texts["2408"])
        self.assertIn("dma_memcpy_nd (%a[", texts["v1.0"])
        self.assertIn("  aiex.runtime_sequence @vector_add(", texts["v1.0"])
        self.assertIn("  aie.runtime_sequence @vector_add(", texts["2608"])
        for other in ("2408", "2608"):
            for old, new in zip(texts["v1.0"].splitlines(), texts[other].splitlines(), strict=True):
                if old != new:
                    self.assertRegex(old, r"aie\.device|objectfifo\.link|dma_memcpy_nd|runtime_sequence")

    def test_depths_that_are_more_than_a_core_takes_at_a_time_and_one_are_lists(self) -> None:
        text = self.module("split_merge", "--set", "M=37")
        self.assertRegex(text, r"aie\.objectfifo @skipped\(%shim_\d, \{%core_\d_\d\}, \[3, 3\]\)")
        self.assertRegex(text, r"aie\.objectfifo @normal\(%core_\d_\d, \{%core_\d_\d\}, 1 : i32\)")
        text = self.module("rates", "--set", "M=5", "--set", "N=32")
        self.assertRegex(text, r"aie\.objectfifo @twos\(.*, \[2, 2\]\)")

    def test_streams_of_one_tensor_have_names_of_their_own(self) -> None:
        module = self.module("softmax_parts", "--set", "M=37", "--set", "N=128")
        names = re.findall(r"aie\.objectfifo @(\w+)\(", module)
        self.assertEqual(len(names), len(set(names)))
        self.assertLessEqual({"x_in_1", "x_in_1_0", "x_in_1_at_0", "x_in_1_at_0_0"}, set(names))

    def test_passes_over_a_tensor_are_one_stream_where_channels_are_few(self) -> None:
        package = self.example("rmsnorm_parts", "--set", "M=37", "--set", "N=128")
        made = last(package)
        text = (made / "program.py").read_text()
        self.assertIn("x_in = aie.feed(x, (48, 128), (4, 32), ((2, 0), (4, 32), (12, 128), (32, 1)), 1536, 'each', 2)", text)
        self.assertEqual(re.findall(r"(\w+) = aie.acquire\(x_in, core\)", text), ["part", "x_tile"])
        # What is acquired is released before the next one is.
        (made / "program.py").write_text(text.replace("part = aie.acquire(x_in, core)", "part = aie.acquire(x_in, core)\n                more = aie.acquire(x_in, core)", 1))
        done = host("--plugins", PROFILE, "compile", "--from-stage", made, "-o", self.folder / "again")
        self.assertIn("error[aie.held-twice]: a block of `x_in` is acquired while another one is held\n", done.stderr)

    def test_only_ops_that_all_versions_have(self) -> None:
        stable = """aie.device aie.tile aie.objectfifo aie.objectfifo.link aie.objectfifo.acquire aie.objectfifo.release aie.objectfifo.subview.access
            aie.objectfifosubview aie.core aie.end aie.buffer aiex.runtime_sequence aiex.npu.dma_memcpy_nd aiex.npu.dma_wait""".split()
        for name, *sizes in sized.rows():
            text = re.sub("//.*", "", self.module(name, *(word for size in sizes for word in ("--set", size))))
            self.assertLessEqual(set(re.findall(r"\baiex?(?:\.[a-z_]+)+", text)), set(stable))

    def test_the_mapping_says_what_the_host_hands_over(self) -> None:
        package = self.example("gelu", "--set", "M=37", "--set", "N=100")
        mapping = json.loads((package / "codegen/aie/mapping.json").read_text())
        self.assertEqual(mapping["parameters"][0], {"name": "x", "direction": "in", "dtype": "f32", "extents": [37, 100], "padded": [48, 128]})
        fifos = json.loads((package / "codegen/aie/fifos.json").read_text())["fifos"]
        self.assertEqual([(f["tensor"], f["direction"], f["part"], f["bytes"]) for f in fifos], [("x", "in", [8, 64], 2048), ("y", "out", [8, 64], 2048)])
        self.assertIn('{"x", true, false, 4, {37, 100}', (package / "codegen/aie/host.cpp").read_text())

    def test_products_repeat_what_they_share(self) -> None:
        text = self.module("gemm", "--set", "M=512", "--set", "N=64", "--set", "K=128")
        self.assertEqual(len(re.findall(r"= aie\.core\(", text)), 16)
        # Blocks of `a` come again for each block of columns: the outermost dimension of 2 does not move. `b` goes to all cores of a column.
        self.assertRegex(text, r"dma_memcpy_nd \(%a\[0, 0, 0, 0\]\[2, 2, 64, 64\]\[0, 64, 128, 1\]\)")
        self.assertIn("aie.objectfifo @b_in_0(%shim_0, {%core_0_0, %core_0_1, %core_0_2, %core_0_3}, 2 : i32)", text)

    PRODUCT = """    for i in tiles(512, 32):
        for j in tiles(128, 64):
            acc = zeros({sums}, i, j)
            for k in tiles(256, 128):
                acc = matmul(a[i, k], b[k, j], acc)
            c[i, j] = {result}
"""

    def product(self, dtype: str, sums: str, result: str = "acc", device: str = "npu1", inside: str = "") -> tuple[str, str]:
        """The last stage of a product, and its module. It is added up `inside` a wider dtype."""
        signature = f"a: In[Tensor[{dtype}, 512, 256]], b: In[Tensor[{dtype}, 256, 128]], c: Out[Tensor[{sums}, 512, 128]]"
        body = self.PRODUCT.format(sums=inside or sums, result=result)
        done = self.compile(HEAD + f"def program({signature}) -> None:\n" + body, "--verify-each", profile=self.profile(pass_options={"device": device}))
        self.assertEqual(done.returncode, 0, done.stderr)
        stage = last(self.folder / "package")
        return (stage / "program.py").read_text(), (self.folder / "package/codegen/aie/aie.mlir").read_text()

    def test_products_go_by_blocks_of_the_device(self) -> None:
        for device, dtype, sums, (m, k, n) in (("npu1", "i8", "i32", (4, 8, 8)), ("npu2", "i8", "i32", (8, 8, 8)), ("npu1", "i16", "i32", (4, 4, 4)),
                                               ("npu2", "i16", "i32", (4, 4, 8)), ("npu1", "bf16", "f32", (4, 8, 4)), ("npu2", "bf16", "f32", (4, 8, 8))):  # fmt: skip
            stage, module = self.product(dtype, sums, device=device)
            self.assertRegex(stage, r"aie\.mmul\(acc, a_tile, b_tile\)|aie\.mmul\(aie\.strip\(acc, \d+, strip\), a_tile, b_tile\)")
            (rows, depth) = map(int, re.search(rf"aie\.feed\(a, \(\d+, \d+\), \((\d+), (\d+), {m}, {k}\), ", stage).groups())  # type: ignore[union-attr]
            # Rows become blocks on the way out of the memory tile, and blocks rows on the way back: those of each core for itself, as each
            # part that is joined has descriptors of its own.
            blocks = f"<size = {rows}, stride = {m * depth * k}>, <size = {depth}, stride = {k}>, <size = {m}, stride = {depth * k}>, <size = {k}, stride = 1>"
            self.assertIn(f"aie.objectfifo @a_in_0_all(%memory_0 dimensionsToStream [{blocks}], {{%core_0_0, %core_0_1", module)
            self.assertIn("aie.objectfifo.link [@b_in_0] -> [@b_in_0_all] ([] [])", module)
            self.assertRegex(module, rf"aie\.objectfifo @c_out_0\(%memory_0 dimensionsToStream \[<size = 1, stride = \d+>, <size = {m}, stride = {n}>, <size = \d+, stride = {m * n}>, <size = {n}, stride = 1>\]")
            self.assertIn(f": vector<{m}x{k}x{sums}>, vector<{k}x{n}x{sums}> into vector<{m}x{n}x{sums}>", module)

    def test_rows_and_columns_of_cores_share_blocks(self) -> None:
        # One channel of a shim for the blocks of rows of each column of cores, and one for the blocks of columns of each row.
        stage, module = self.product("i8", "i32", device="npu2")
        columns, rows = map(int, re.search(r"columns=(\d+), rows=(\d+)", stage).groups())  # type: ignore[union-attr]
        self.assertGreater(rows, 1)
        self.assertIn("'all', 2)", stage)
        self.assertIn("'rows', 2)", stage)
        for column in range(columns):
            cores = ", ".join(f"%core_{column}_{row}" for row in range(rows))
            self.assertRegex(module, rf"@a_in_{column}_all\(%memory_{column} .*, {{{cores}}}")
        for row in range(rows):
            cores = ", ".join(f"%core_{column}_{row}" for column in range(columns))
            self.assertRegex(module, rf"@b_in_{row}_all\(%memory_{row * columns // rows} .*, {{{cores}}}")

    def test_the_blocks_of_a_product_are_told(self) -> None:
        done = self.compile(ROOT / "examples/gemm_i8/gemm_i8.py", "--set", "M=512", "--set", "N=512", "--set", "K=512")
        self.assertRegex(done.stderr, r"note\[aie\.product-blocks\]: this product goes by blocks of \d+ by \d+, \d+ deep on 4 columns of 4 cores of npu1: predicted are \d+ % of what its cores could multiply, by ")

    def test_the_prediction_of_a_product_agrees_with_that_of_its_module(self) -> None:
        ends = ("cast(acc, f32)", "acc * sigmoid(acc)", "maximum(acc * 0.5, 0.0)", "exp(acc)", "tanh(acc * 0.125)", "acc / 3.0")
        cases = [("bf16", "f32", f"cast({end}, bf16)") for end in ends] + [("i8", "i32", "cast(acc >> 7, i8)"), ("i8", "i32", "cast(cast(acc, f32) * 0.01, i8)")]
        cases += [("bf16", "f32", "cast(maximum(acc + along[j], 0.0), bf16)"), ("i8", "i32", "cast(cast(acc, f32) * along[j], i8)"), ("i8", "i32", "cast(cast(acc, f32) * down[i, :] + along[j], i8)")]
        for (dtype, sums, result), device in [(case, device) for case in cases for device in ("npu1", "npu2")]:
            with self.subTest(f"{result} on {device}"):
                (self.folder / "program.py").write_text(HEAD.replace("import Tensor", "import sigmoid, tanh, Tensor") + f"""def program(a: In[Tensor[{dtype}, 1024, 1024]], b: In[Tensor[{dtype}, 1024, 1024]],{' along: In[Tensor[f32, 1024]],' * ('along' in result)}{' down: In[Tensor[f32, 1024, 1]],' * ('down' in result)} c: Out[Tensor[{dtype}, 1024, 1024]]) -> None:
    for i in tiles(1024, 32):
        for j in tiles(1024, 32):
            acc = zeros({sums}, i, j)
            for k in tiles(1024, 64):
                acc = matmul(a[i, k], b[k, j], acc)
            c[i, j] = {result}
""")
                done = host("--plugins", self.profile(pass_options={"device": device}), "simulate", self.folder / "program.py")
                self.assertEqual(done.returncode, 0, done.stderr)
                ((told, by),) = re.findall(r"predicted are (\d+) % of what its cores could multiply, by (.*)", done.stderr)
                (found,) = re.findall(r"([\d.]+) % of what the device's cores could do", done.stdout)
                (bound,) = re.findall(r"bound: ([^,]*),", done.stdout)
                self.assertLess(abs(float(told) - float(found)), 1.5 + 0.15 * float(found))
                if float(found) < 50 and dtype == "bf16":
                    self.assertEqual((by, bound), ("the cores", "the cores"))

    def test_what_is_made_of_a_product_goes_by_rows_of_blocks(self) -> None:
        stage, _ = self.product("i8", "i8", "cast(acc >> 7, i8)", device="npu2", inside="i32")
        # Shifted where the sums lie; rounded into the part that leaves.
        self.assertRegex(stage, r"cast = aie\.acquire\(c_out, core\)\n *aie\.shr\(aie\.strip\(acc, 1, row\), aie\.strip\(acc, 1, row\), 7\)\n *aie\.cast\(cast, aie\.strip\(acc, 1, row\)\)")
        stage, _ = self.product("bf16", "bf16", "cast(maximum(acc * 0.5, 0.0) + acc, bf16)", device="npu2", inside="f32")
        self.assertRegex(stage, r"mul = aie\.buffer\(f32, 1, \d+, 4, 8\)")

    def test_what_comes_beside_a_product_is_packed_with_its_operands(self) -> None:
        # Columns of the sums with b, rows of them with a; where an operand is turned the host packs it in blocks of the units.
        for name, packed in (("linear_rows", {"w_bias_gain": "w bias gain", "x_scale": "x scale"}), ("turned_product", {"a_packed": "a", "b_bias": "b bias"})):
            package = self.example(name, "--set", "M=70", "--set", "N=50", "--set", "K=40", profile=self.profile(pass_options={"device": "npu2"}))
            stage = last(package)
            text = (stage / "program.py").read_text()
            self.assertIn("aie.mmul(", text)
            self.assertNotIn("aie.transpose(", text)
            for room, tensors in packed.items():
                (line,) = re.findall(rf"{room} = aie\.pack\((.*)\)$", text, re.MULTILINE)
                self.assertEqual(re.findall(r"\((\w+), \d+, \(", line), tensors.split())
        # An element a row, or a column, is spread over a register: one loop for all that is done with the sums.
        module = plain(self.example("linear_rows", "--set", "M=512", "--set", "N=512", "--set", "K=64", profile=self.profile(pass_options={"device": "npu2"})))
        (end,) = re.findall(r"func\.func private @do_add_cast\w*\(.*?\n    }\n", module, re.DOTALL)
        self.assertEqual(end.count("scf.for"), 1)
        self.assertIn("[0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7] : vector<8xi32>", end)
        self.assertIn("[0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1] : vector<2xf32>", end)

    def test_products_stay_in_rows_where_tiles_must(self) -> None:
        # A reduction of the sums; a dtype without units; sums that units do not make.
        for dtype, sums, result in (("bf16", "f32", "acc - reduce_max(acc, axis=1)"), ("f32", "f32", "acc"), ("i16", "i16", "acc")):
            stage, module = self.product(dtype, sums, result)
            self.assertIn("aie.matmul(acc, a_tile, b_tile)", stage)
            self.assertNotIn("dimensionsToStream", module)
            self.assertIn("vector.load", module)

    def test_elements_go_by_registers(self) -> None:
        for dtype, lanes in (("f32", 16), ("bf16", 32), ("i32", 16), ("i16", 32), ("i8", 64)):
            done = self.compile(HEAD + f"def program(x: In[Tensor[{dtype}, M, N]], y: Out[Tensor[{dtype}, M, N]]) -> None:\n    for i in tiles(M, 4):\n        y[i, :] = x[i, :] + x[i, :]\n")
            self.assertEqual(done.returncode, 0, done.stderr)
            text = (self.folder / "package/codegen/aie/aie.mlir").read_text()
            self.assertIn(f"memref<520x{dtype}>, vector<{lanes}x{dtype}>", text)
            self.assertEqual("memref.load" in text, 520 % lanes != 0)

    def test_a_chain_of_words_is_one_loop(self) -> None:
        body = """def program(x: In[Tensor[f32, 100, 96]], y: Out[Tensor[f32, 100, 96]]) -> None:
    for i in tiles(100, 8):
        a = x[i, :] + x[i, :]
        b = maximum(a * 3.0 - 1.0, 0.0)
        y[i, :] = exp(b) * x[i, :]
"""
        done = self.compile(HEAD + body)
        self.assertEqual(done.returncode, 0, done.stderr)
        text = plain(self.folder / "package")
        (function,) = re.findall(r"func\.func private @do_.*?\n    }", text, re.DOTALL)  # once, though many cores call it
        self.assertEqual(len(re.findall(r"func\.call @do_", text)), len(re.findall(r"= aie\.core", text)))
        self.assertEqual(len(re.findall("scf.for", function)), 1)
        self.assertEqual(len(re.findall("vector.load", function)), 1)
        self.assertEqual(len(re.findall("vector.store", function)), 1)
        self.assertNotIn("func.call", function)
        self.assertNotIn("aie.buffer", text)

    def test_what_another_loop_needs_goes_to_memory(self) -> None:
        body = """def program(x: In[Tensor[f32, 100, 96]], y: Out[Tensor[f32, 100, 96]]) -> None:
    for i in tiles(100, 8):
        a = x[i, :] * 2.0
        b = a - reduce_max(a, axis=1)
        y[i, :] = b * b
"""
        done = self.compile(HEAD + body)
        self.assertEqual(done.returncode, 0, done.stderr)
        text = plain(self.folder / "package")
        (function,) = re.findall(r"func\.func private @do_.*?\n    }", text, re.DOTALL)
        names = set(re.findall(r'sym_name = "(\w+)_at_0_0"', text))
        self.assertEqual(names, {"a", "reduce_max"})
        self.assertEqual(len(re.findall("vector.store", function)), 2)

    def test_long_transfers_are_cut_into_turns(self) -> None:
        # 100 rounds of blocks of a matrix: more than the 64 of a transfer's outermost dimension.
        profile = self.profile(pass_options={"columns": 1})
        text = self.module("gelu", "--set", "M=3200", "--set", "N=128", profile=profile)
        self.assertGreater(len(re.findall("dma_memcpy_nd", text)), 2)
        self.assertEqual(len(re.findall("dma_wait", text)), len(re.findall(r"dma_memcpy_nd \(%y", text)))


class Refusals(Case):
    """Each limit, and what is said of it."""

    def refused(self, body: str, code: str, *texts: str, signature: str = "x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]", profile: Path = PROFILE) -> None:
        done = self.compile(HEAD + f"def program({signature}) -> None:\n" + body, profile=profile)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn(f"error[{code}]", done.stderr)
        for text in texts:
            self.assertIn(text, done.stderr)
        self.assertFalse((self.folder / "package").exists())

    def test_a_size_that_is_not_known(self) -> None:
        self.refused("    for i in tiles(K, 8):\n        y[i, :] = x[i, :]\n", "aie.unknown-size", "the size of `K` is not known", "--set K=1024",
                     signature="x: In[Tensor[f32, K, 64]], y: Out[Tensor[f32, K, 64]]")

    def test_arithmetic_that_cores_do_not_have(self) -> None:
        self.refused("    for i in tiles(M, 8):\n        y[i, :] = x[i, :] / x[i, :]\n", "aie.no-arithmetic", "`tile.div` of i32",
                     signature="x: In[Tensor[i32, M, N]], y: Out[Tensor[i32, M, N]]")

        self.refused("    for i in tiles(M, 8):\n        y[i, :] = x[i, :] & x[i, :]\n", "aie.no-arithmetic", "`tile.bit_and` of u8",
                     signature="x: In[Tensor[u8, M, N]], y: Out[Tensor[u8, M, N]]")
        self.refused("    for i in tiles(M, 8):\n        y[i, :] = cast(x[i, :] < 1.0, f32)\n", "aie.no-arithmetic", "`tile.lt` of f64",
                     signature="x: In[Tensor[f64, M, N]], y: Out[Tensor[f32, M, N]]")

    def test_shifts_by_more_than_there_are_bits(self) -> None:
        for by in ("8", "-1", "x[i, :]"):
            self.refused(f"    for i in tiles(M, 8):\n        y[i, :] = x[i, :] << {by}\n", "aie.shift-count", "shifts elements of i8, by other than a constant from 0 to 7",
                         signature="x: In[Tensor[i8, M, N]], y: Out[Tensor[i8, M, N]]")

    def test_dtypes_that_cores_do_not_have(self) -> None:
        for dtype in ("f16", "f64", "i64", "bool_"):
            self.refused("    for i in tiles(M, 8):\n        y[i, :] = x[i, :]\n", "aie.tensor-dtype", f"a tensor of {dtype}",
                         signature=f"x: In[Tensor[{dtype}, M, N]], y: Out[Tensor[{dtype}, M, N]]")

    def test_an_intrinsic_without_words(self) -> None:
        self.refused("    for i in tiles(M, 8):\n        y[i, :] = sin(x[i, :])\n", "aie.no-handler", "tile.sin")

    def test_blocks_grow_until_their_parts_are_words(self) -> None:
        def stage(program: str, *sizes: str) -> str:
            done = self.compile(sized.beside(program), *(option for size in sizes for option in ("--set", size)))
            self.assertEqual(done.returncode, 0, done.stderr)
            return (last(self.folder / "package") / "program.py").read_text()

        text = stage("odd_rows", "M=5", "N=7")
        self.assertIn("aie.collect(y, (6, 7), (2, 7), ", text)
        self.assertIn("w_packed = aie.pack(i16, (32,), (w, 0, ((7, 0, 1, 1),)))", text)
        self.assertIn("aie.collect(low, (12, 7), (4, 7), ", stage("odd_bytes", "M=10", "N=7"))
        self.assertIn("aie.collect(low, (12, 8), (3, 8), ", stage("odd_bytes", "M=10", "N=8"))  # three are words
        # What an int counts one by one grows too.
        self.assertIn("aie.collect(y, (12, 7), (4, 7), ", stage("int_rows", "M=10", "N=7"))
        self.assertIn("aie.feed(x, (6, 8), (6, 4), ", stage("int_columns", "M=6", "N=7"))
        self.assertIn("aie.collect(y, (3, 6), (1, 2), ", stage("int_elements", "M=3", "N=5"))
        # Rows that a core has room for one of are filled up themselves.
        self.assertIn("aie.feed(x, (3, 9002), (1, 9002), ", stage("odd_lines", "M=3", "N=9001"))

    def test_ints_whose_tiles_do_not_grow_with_them(self) -> None:
        """A sum of one row along its only place, and one of all rows so far, are those of one row."""
        signature = "x: In[Tensor[i8, 12, 7]], y: Out[Tensor[i8, 12, 7]]"
        for body in (
            "    for m in range(12):\n        y[m, :] = x[m, :] * reduce_sum(x[m, :], axis=0)\n",
            "    s = zeros(i8, 1, 7)\n    for m in range(12):\n        s = s + x[m, :]\n        y[m, :] = s\n",
        ):
            done = self.compile(HEAD + f"def program({signature}) -> None:\n" + body)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn(", (12, 8), (1, 8), ", (last(self.folder / "package") / "program.py").read_text())
            shutil.rmtree(self.folder / "package")

    def test_numbers_beyond_f32_are_infinity(self) -> None:
        done = self.compile(HEAD + "def program(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:\n    for i in tiles(M, 8):\n        y[i, :] = maximum(x[i, :], -1e39) * 3.5e38\n")
        self.assertEqual(done.returncode, 0, done.stderr)
        module = plain(self.folder / "package")
        self.assertIn("dense<0xFF800000> : vector<16xf32>", module)
        self.assertIn("dense<0x7F800000> : vector<16xf32>", module)

    def test_what_knows_how_long_a_block_is_keeps_it(self) -> None:
        signature = "x: In[Tensor[i16, 9, 7]], y: Out[Tensor[i16, 9, 7]]"
        self.refused("    for i in tiles(9, 3):\n        t = x[i, :] + 1\n        y[i, :] = reduce_sum(t, axis=0) + reduce_sum(t, axis=1)\n", "aie.block-bytes", "blocks of `x`, 3 by 7 elements, are 42 bytes, no multiple of 4", signature=signature)

    def test_a_reduction_along_ragged_blocks(self) -> None:
        self.refused("    for i in tiles(M, 8):\n        for j in tiles(N, 64):\n            y[i, j] = x[i, j] - reduce_max(x[i, j] * x[i, j], axis=1)\n", "aie.ragged-reduction",
                     "130 is not a multiple of 64", "choose blocks that divide the extent evenly")

        # What blocks are filled up with is known where it was computed of zeros alone, and may be nothing to a product or a sum.
        product = "    for i in tiles(M, 8):\n        acc = zeros(f32, i, 64)\n        for k in tiles(N, 64):\n            acc = matmul({}x[i, k]{}, w[k, :], acc)\n        y[i, :] = acc\n"
        signature = "x: In[Tensor[f32, M, N]], w: In[Tensor[f32, N, 64]], y: Out[Tensor[f32, M, 64]]"
        for before, after in (("(1.0 / ", ")"), ("(", " * reduce_sum(x[i, :], axis=1))"), ("exp(exp(100.0 + x[i, k] * ", "))")):
            self.refused(product.format(before, after), "aie.ragged-reduction", "`aie.matmul` goes along blocks of `k`", signature=signature)
        summed = "    for i in tiles(M, 8):\n        acc = zeros(f32, i, 1)\n        for k in tiles(N, 64):\n            acc = acc + reduce_{}(x[i, k]{}, axis=1)\n        y[i, :] = acc\n"
        for how, after in (("sum", " + 1.0"), ("max", " * x[i, k]")):
            self.refused(summed.format(how, after), "aie.ragged-reduction", f"`aie.reduce_{how}` goes along blocks of `k`", signature="x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, 1]]")
        for before, after in (("", ""), ("exp(", ")")):
            done = self.compile(HEAD + f"def program({signature}) -> None:\n" + product.format(before, after))
            self.assertEqual(done.returncode, 0, done.stderr)
            shutil.rmtree(self.folder / "package")

    @unittest.skipUnless((Path(os.environ["HTP_HOST"]).parents[1] / "plugins/island-mlir/libhtp_island_mlir.so").exists(), "skipped: this build has no island-mlir, whose pipeline it asks for")
    def test_a_pipeline_for_another_target(self) -> None:
        profile = self.profile()
        profile.write_text("htp_profile: 1\ntarget: aie\npipeline: mlir.cpu\n")
        done = self.compile(ROOT / "examples/vector_add/vector_add.py", "--set", "N=1024", profile=profile)
        self.assertEqual(done.returncode, 1)
        self.assertIn("error[pipeline.other-target]: the pipeline `mlir.cpu` is for the target `cpu`, and the profile's is `aie`\n", done.stderr)
        self.assertIn("profile.yaml:3:11", done.stderr)
        self.assertIn("= hint: write `target: cpu`, or leave `pipeline` out, so that the passes are planned", done.stderr)
        profile.write_text("htp_profile: 1\ntarget: aie\n")
        self.assertEqual(self.compile(ROOT / "examples/vector_add/vector_add.py", "--set", "N=1024", profile=profile).returncode, 0)

    def test_devices_and_versions_that_are_not(self) -> None:
        body = "    for i in tiles(M, 8):\n        y[i, :] = x[i, :] + x[i, :]\n"
        self.refused(body, "aie.unknown-device", "there is no device `npu3`", profile=self.profile(pass_options={"device": "npu3"}))
        for columns in (9, -1):
            self.refused(body, "aie.columns", f"npu1 has 4 columns, and the option `columns` of `aie.spread` is {columns}\n  = hint: in the profile, below `options:` and `aie.spread:`, write `columns: 4` or less, or 0 for all", profile=self.profile(pass_options={"columns": columns}))
        self.refused(body, "aie.unknown-version", "there is no MLIR-AIE `v2`", profile=self.profile(mlir_aie="v2"))
        self.refused(body, "aie.unknown-device", "npu2` in MLIR-AIE `2408", profile=self.profile(pass_options={"device": "npu2"}, mlir_aie='"2408"'))

    def test_forms_that_are_not_there_yet(self) -> None:
        # What is refused, what is said to help, and that this does.
        tensors = "x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]"
        for body, code, text, hint, signature, helps, of in (
            ("    for i in tiles(M, 8):\n        if len(i) == 8:\n            y[i, :] = x[i, :]\n        else:\n            y[i, :] = x[i, :] + x[i, :]\n", "branch", "the condition of this `if` is not known when compiling", "compute both and choose by a mask: `where(x > 0.0, a, b)`",
             tensors, "    for i in tiles(M, 8):\n        y[i, :] = where(x[i, :] > 0.0, x[i, :], x[i, :] + x[i, :])\n", tensors),
            ("    for i in range(M):\n        y[i, :] = x[i * i % M, :]\n", "index", "the index `i * i % M` has no stream", "load the dimension whole, or by a loop: `for k in range(4)` and `x[k, :]`",
             tensors, "    for i in tiles(M, 8):\n        acc = zeros(f32, i, 64)\n        for k in range(4):\n            acc = acc + x[i, :] * w[k, :]\n        y[i, :] = acc\n", "x: In[Tensor[f32, M, 64]], w: In[Tensor[f32, 4, 64]], y: Out[Tensor[f32, M, 64]]"),
            ("    for i in tiles(M, 8):\n        y[i, :] = x[i, :]\n    for j in tiles(M, 8):\n        y[j, :] = x[j, :]\n", "two-stores", "`y` is stored by two statements", "store to a tensor of its own, each element once", tensors, "    for i in tiles(M, 8):\n        y[i, :] = x[i, :]\n    for j in tiles(M, 8):\n        z[j, :] = x[j, :]\n", f"{tensors}, z: Out[Tensor[f32, M, N]]"),
            ("    for i in tiles(M, 8):\n        y[:, :] = x[:, :]\n", "repeated-store", "each block of `i` repeats this store", "store to the block, `y[i]`, or behind the loop", tensors, "    for i in tiles(M, 8):\n        y[i, :] = x[i, :]\n", tensors),
            ("    for i in tiles(M, 8):\n        y[i, :] = x[i, :] * 2.0\n", "scalar-dtype", "`count` is a scalar of int", "declare it `count: i32`",
             f"{tensors}, count: int", "    for i in tiles(M, 8):\n        y[i, :] = x[i, :] * cast(count, f32)\n", f"{tensors}, count: i32"),
        ):  # fmt: skip
            with self.subTest(text):
                self.refused(body, f"aie.{code}", text, hint, signature=signature)
                if helps:
                    done = self.compile(HEAD.replace("import Tensor", "import Tensor, where") + f"def program({of}) -> None:\n" + helps)
                    self.assertEqual(done.returncode, 0, done.stderr)
                    shutil.rmtree(self.folder / "package")

    def test_the_other_examples_say_why(self) -> None:
        done = {name for name, *_ in sized.ROWS}
        for path in sorted(ROOT.glob("examples/*/*.py")):
            text = path.read_text()
            if path.stem in done or "htp_tile import" not in text or not ("@kernel" in text or "@pipeline" in text):
                continue
            sizes = [word for dim in re.findall(r"^(\w+) = htp\.dim", text, re.MULTILINE) for word in ("--set", f"{dim}=64")]
            result = self.compile(path, *sizes)
            if result.returncode:
                self.assertEqual(result.returncode, 1, result.stderr)
                self.assertRegex(result.stderr, r"error\[(aie|resolve|pipeline|tile|csp|wsp)\.", path.stem)


class Schedules(Case):
    """What a schedule binds to the array's cores is what they share."""

    def scheduled(self, directives: str) -> subprocess.CompletedProcess[str]:
        return self.compile("""import htp
from htp import In, Out, f32
from htp_tile import Tensor
from htp_wsp import P, Schedule, schedule, workload

M = 64
N = 64


@workload
def doubled(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        for j in P(N):
            y[i, j] = x[i, j] + x[i, j]


@schedule(doubled)
def bound(s: Schedule) -> None:
    s.tile("i", 8)
    s.tile("j", 32)
""" + "".join(f"    {line}\n" for line in directives.split(";")))  # fmt: skip

    def test_the_outermost_loop_is_shared_among_cores(self) -> None:
        done = self.scheduled('s.bind("i", level="core")')
        self.assertEqual(done.returncode, 0, done.stderr)
        made = last(self.folder / "package")
        self.assertIn("aie.device('npu1', columns=4, rows=2)", (made / "program.py").read_text())

    def stage(self) -> str:
        made = last(self.folder / "package")
        return (made / "program.py").read_text()

    def test_an_inner_one_and_two_are_too(self) -> None:
        for directives, cores, share in (
            ('s.bind("j", level="core")', "columns=2, rows=1", "'each'"),
            ('s.bind("i", level="column");s.bind("j", level="row")', "columns=4, rows=2", "'each'"),
            ('s.bind("i", level="row");s.bind("j", level="column")', "columns=2, rows=4", "'each'"),
            ('s.bind("i", level="column")', "columns=4, rows=1", "'each'"),
        ):
            with self.subTest(directives):
                shutil.rmtree(self.folder / "package", ignore_errors=True)
                done = self.scheduled(directives)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertIn(f"aie.device('npu1', {cores})", self.stage())
                self.assertIn(share, self.stage())

    def test_what_cannot_be_shared_is_refused(self) -> None:
        for directives, code, text, hint in (
            ('s.bind("i", level="core");s.bind("j", level="row")', "aie.bound-twice", "`j` is bound to `row`, and cores share the blocks of `i` already", "or one to `column` and the other to `row`"),
            ('s.bind("i", level="row");s.bind("j", level="row")', "aie.bound-twice", "`j` is bound to `row`", "bind one loop to `core`"),
        ):
            with self.subTest(directives):
                done = self.scheduled(directives)
                self.assertEqual(done.returncode, 1)
                self.assertIn(f"error[{code}]: {text}", done.stderr)
                self.assertIn(hint, done.stderr)
                self.assertRegex(done.stderr, r"program\.py:\d+:\d+")

    def test_blocks_that_do_not_make_up_a_block_are_refused(self) -> None:
        text = (Path(__file__).parent / "programs/blocks_in_blocks.py").read_text().replace('"i", 32, 8', '"i", 32, 12')
        done = self.compile(text, "--set", "M=100", "--set", "N=70", "--set", "K=64")
        self.assertEqual(done.returncode, 1)
        self.assertIn("error[aie.ragged-blocks]: blocks of `i`, 12 long, do not make up a block of `i_0`, 32 long", done.stderr)
        self.assertIn('tile by a multiple: `s.tile("i", 64, 16)`', done.stderr)


class Caches(Case):
    def test_what_a_schedule_keeps_comes_as_often_as_it_is_read(self) -> None:
        done = self.compile(ROOT / "examples/softmax_wsp/softmax_wsp.py", "--verify-each", "--set", "M=37", "--set", "N=96")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("note[aie.cached]: `x` is not kept in a core's memory: it comes as often as it is read", done.stderr)
        stage = last(self.folder / "package")
        self.assertNotIn("x_local =", (stage / "program.py").read_text())
        # What is changed where it is kept is no copy.
        changed = (ROOT / "examples/softmax_wsp/softmax_wsp.py").read_text().replace('    s.cache("x", at="i")\n', "")
        body = "    kept = buffer(f32, M, N)\n    for p in P(M):\n        kept[p, :] = x[p, :] * 2.0\n    for i in P(M):"
        changed = changed.replace("    for i in P(M):", body, 1).replace("block = x[i, j]", "block = kept[i, j]").replace("import Tensor,", "import Tensor, buffer,")
        done = self.compile(changed, "--set", "M=37", "--set", "N=96")
        self.assertEqual(done.returncode, 1)
        self.assertIn("error[aie.no-handler]: aie has no `tile.buffer`", done.stderr)
        self.assertNotIn("aie.cached", done.stderr)


if __name__ == "__main__":
    unittest.main()
