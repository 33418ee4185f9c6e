"""The backend for Ascend's A2 and A3: what it emits, what it refuses, and that its verifier finds every flag that is missing."""

from __future__ import annotations

import json
import os
import re
import runpy
import shutil
import subprocess
import tempfile
import unittest
import unittest.mock
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import ModuleType

import htp
import numpy as np

ROOT = Path(__file__).resolve().parents[2]
PROFILE = ROOT / "manifests/a2a3sim.yaml"
PROGRAMS = [name.rpartition("/")[2] for name in (Path(__file__).parent / "programs.txt").read_text().split()]

HEAD = """import htp
from htp import In, InOut, Out, bf16, f16, f32, i8, i32
from htp_tile import Tensor, Tile, argtopk, cast, erf, exp, full, gather, index, kernel, load, matmul, maximum, reduce_max, reduce_mean, reduce_min, reduce_sum, rsqrt, scan_sum, sin, cos, tiles, transpose, where, zeros

M = htp.dim("M")
N = htp.dim("N")
B = htp.dim("B")


@kernel
"""


def host(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([os.environ["HTP_HOST"], *map(str, arguments)], capture_output=True, text=True)


class Case(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def compile(self, program: Path | str, *options: str | Path) -> subprocess.CompletedProcess[str]:
        if isinstance(program, str):
            (self.folder / "program.py").write_text(program)
            program = self.folder / "program.py"
        return host("--plugins", PROFILE, "compile", program, "-o", self.folder / "package", *options)

    def example(self, name: str) -> Path:
        done = self.compile(ROOT / f"examples/{name}/{name}.py", "--verify-each")
        self.assertEqual(done.returncode, 0, done.stderr)
        return self.folder / "package"


class Package(Case):
    """What stands in a package."""

    def test_the_kernel_moves_computes_and_waits(self) -> None:
        text = (self.example("vector_add") / "codegen/a2a3/kernels/aiv/vector_add.cpp").read_text()
        self.assertIn("HtpTile<float, 1, 64> add(1, i_n);", text)
        self.assertIn("TADD(add, a_tile, b_tile);", text)
        self.assertIn("set_flag(PIPE_MTE3, PIPE_S, EVENT_ID7);", text)

    def test_the_registry_says_what_is_where(self) -> None:
        package = self.example("softmax")
        folder = package / "codegen/a2a3"
        registry = json.loads((folder / "registry.json").read_text())
        self.assertEqual(registry["schema"], "htp.pto.registry/1")
        self.assertEqual(registry["entry"]["limits"], [{"extent": "N", "least": 1}])
        (kernel,) = registry["kernels"]
        text = (folder / kernel["source"]).read_text().splitlines()
        for tile in kernel["memory"]:
            self.assertIn(f" {tile['buffer']}", text[tile["first"] - 1])
            self.assertLessEqual(tile["offset"] + tile["bytes"], 184 * 1024)
        for event in kernel["events"]:
            self.assertTrue(event["set"] and event["wait"])
            for word, line in (*(("set_flag", line) for line in event["set"]), *(("wait_flag", line) for line in event["wait"])):
                found = re.search(rf"{word}\(PIPE_{event['source']}, PIPE_{event['destination']}, (.*)\);", text[line - 1])
                self.assertIsNotNone(found)
                self.assertIn(found and found[1], (f"EVENT_ID{event['id']}", *(f"static_cast<event_t>(EVENT_ID{event['id'] - k} + turn)" for k in (0, 1))))
        for contract in registry["contracts"]:
            for source in contract["orchestration"].values():
                self.assertRegex((folder / source).read_text(), contract["function"] + "|aicpu_orchestration_entry")

    def test_rows_that_are_stored_apart_are_tasks(self) -> None:
        folder = self.example("softmax") / "codegen/a2a3"
        registry = json.loads((folder / "registry.json").read_text())
        least = ["max", 8, ["*", ["min", ["%", "N", 16], 1], 16]]
        step = ["max", least, ["*", ["//", ["-", ["+", "M", ["*", least, 48]], 1], ["*", least, 48]], least]]
        loop = {"part": "i_part", "by": "i_step", "stop": "M", "step": step}
        self.assertEqual(registry["tasks"], [{"func_id": 0, "for": [loop]}])
        self.assertEqual(registry["kernels"][0]["args"][-2:], [{"name": name, "kind": "scalar"} for name in ("i_part", "i_step")])
        for contract in registry["contracts"]:
            for source in contract["orchestration"].values():
                self.assertIn("for (int64_t i_part = 0; i_part < M; i_part += i_step) {", (folder / source).read_text())

    def test_columns_that_are_stored_are_tasks_where_rows_end_with_lines(self) -> None:
        body = "    for j in tiles(N, 64):\n        y[:, j] = exp(x[:, j])\n"
        done = self.compile(HEAD + "def program(x: In[Tensor[f32, 32, N]], y: Out[Tensor[f32, 32, N]]) -> None:\n" + body)
        self.assertEqual(done.returncode, 0, done.stderr)
        registry = json.loads((self.folder / "package/codegen/a2a3/registry.json").read_text())
        step = ["max", ["max", 64, ["*", ["//", ["+", "N", 3071], 3072], 64]], ["*", ["min", ["%", "N", 16], 1], "N"]]
        self.assertEqual(registry["tasks"], [{"func_id": 0, "for": [{"part": "j_part", "by": "j_step", "stop": "N", "step": step}]}])

    def test_loops_one_in_the_other_are_tasks_together(self) -> None:
        (stage,) = self.example("batched_gemm").glob("ir/stages/*-a2a3.order")
        text = (stage / "program.py").read_text()
        self.assertIn("    for n_part in range(0, B, n_step):\n        for i_part in range(0, M, i_step):\n            with pto.aic():\n", text)
        self.assertIn("for n in range(n_part, min(n_part + n_step, B)):", text)
        self.assertIn("in pto.turns(range(i_part, min(i_part + i_step, M), 16)):", text)

    def test_loops_that_are_not_independent_have_no_parts(self) -> None:
        body = "    for n in range(M):\n        for j in tiles(N, 64):\n            y[:, j] = exp(x[n, :, j])\n"
        done = self.compile(HEAD + "def program(x: In[Tensor[f32, M, 16, N]], y: Out[Tensor[f32, 16, N]]) -> None:\n" + body)
        self.assertEqual(done.returncode, 0, done.stderr)
        registry = json.loads((self.folder / "package/codegen/a2a3/registry.json").read_text())
        self.assertEqual([loop["part"] for loop in registry["tasks"][0]["for"]], ["j_part"])

    def test_one_task_is_told(self) -> None:
        body = "    for i in tiles(M, 16):\n        y[i, :] = exp(x[i, :])\n    for i in tiles(M, 32):\n        y[i, :] = y[i, :] * 2.0\n"
        done = self.compile(HEAD + "def program(x: In[Tensor[f32, M, 32]], y: Out[Tensor[f32, M, 32]]) -> None:\n" + body)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("note[a2a3.one-task]: `program` works on one core of 48 vector cores: loops over other blocks stand one behind the other\n", done.stderr)
        self.assertIn("program.py:14:5\n", done.stderr)
        self.assertIn("for i in tiles(M, 16): y[i, :] = …", done.stderr)

    def test_what_both_kinds_of_cores_do_is_several_kernels(self) -> None:
        folder = self.example("gated_mlp") / "codegen/a2a3"
        registry = json.loads((folder / "registry.json").read_text())
        self.assertEqual([(k["name"], k["core_type"]) for k in registry["kernels"]], [("gated_mlp_1", "aic"), ("gated_mlp_2", "aiv")])
        self.assertEqual([task.get("after") for task in registry["tasks"]], [None, [0]])
        self.assertEqual([loop["part"] for loop in registry["tasks"][0]["for"]], ["i_part", "j_part"])
        steps = [loop["step"] for loop in registry["tasks"][0]["for"]]
        self.assertEqual([b["dims"] for b in registry["buffers"]], [steps, steps])
        directions = [{a["name"]: a["direction"] for a in k["args"] if a["kind"] == "tensor"} for k in registry["kernels"]]
        for buffer in registry["buffers"]:
            self.assertEqual([d[buffer["name"]] for d in directions], ["out", "in"])
        self.assertIn("runtime->add_successor(task_1, task_2);", (folder / "orchestration/pto-runtime-2026-03/host_build_graph.cpp").read_text())
        self.assertIn("task_2.add_input(task_1_made.get_ref(0));", (folder / "orchestration/simpler-2026-08/orchestration.cpp").read_text())

    def test_a_buffer_lies_between_kernels(self) -> None:
        done = self.compile(ROOT / "examples/rmsnorm_matmul_wsp/rmsnorm_matmul_apart.py", "--verify-each")
        self.assertEqual(done.returncode, 0, done.stderr)
        registry = json.loads((self.folder / "package/codegen/a2a3/registry.json").read_text())
        step = registry["tasks"][0]["for"][0]["step"]
        self.assertEqual([(b["name"], b["dims"]) for b in registry["buffers"]], [("scale", [step, 1]), ("h", [step, "K"])])
        self.assertEqual([k["core_type"] for k in registry["kernels"]], ["aiv", "aic"])
        self.assertEqual({a["name"]: a["direction"] for a in registry["kernels"][0]["args"] if a["kind"] == "tensor"}, {"x": "in", "gain": "in", "scale": "out", "h": "out"})

    def test_processes_stand_one_after_the_other(self) -> None:
        folder = self.example("split_merge") / "codegen/a2a3"
        registry = json.loads((folder / "registry.json").read_text())
        self.assertEqual([b["name"] for b in registry["buffers"]][:4], ["changed", "normal", "rows", "skipped"])
        self.assertEqual([k["core_type"] for k in registry["kernels"]], ["aiv", "aic", "aiv"])
        self.assertEqual([task.get("after") for task in registry["tasks"]], [None, [0], [0, 1]])
        flash = self.example("attention_pipeline") / "codegen/a2a3/registry.json"
        names = [b["name"] for b in json.loads(flash.read_text())["buffers"]]
        self.assertFalse({"queries", "keys", "values"} & set(names), "what is only loaded lies in no memory of its own")

    def test_a_product_moves_on_and_leaves_converted(self) -> None:
        text = (self.example("half_gemm") / "codegen/a2a3/kernels/aic/half_gemm.cpp").read_text()
        for line in ("HtpMatZn<half, 32, 16> b_tile_mat", "TMOV(a_tile_left, a_tile_mat);", "if (k_at == 0) TMATMUL(acc, a_tile_left, b_tile_right);",
                     "else TMATMUL_ACC(acc, acc, a_tile_left, b_tile_right);", "set_flag(PIPE_FIX, PIPE_S, EVENT_ID7);"):
            self.assertIn(line, text)
        self.assertNotIn("TCVT", text)

    def test_blocks_that_do_not_fit_are_cut(self) -> None:
        gelu = "            x = acc + bias[:, j]\n            c[i, j] = cast(x * 0.5 * (erf(x * 0.7071067811865476) + 1.0), bf16)\n"
        done = self.compile(HEAD + "def program(a: In[Tensor[bf16, M, B]], b: In[Tensor[bf16, B, N]], bias: In[Tensor[f32, 1, N]], c: Out[Tensor[bf16, M, N]]) -> None:\n"
                            "    for i in tiles(M, 128):\n        for j in tiles(N, 128):\n            acc = zeros(f32, i, j)\n            for k in tiles(B, 128):\n"
                            "                acc = matmul(cast(a[i, k], f32), cast(b[k, j], f32), acc)\n" + gelu, "--verify-each")
        self.assertEqual(done.returncode, 0, done.stderr)
        (stage,) = self.folder.glob("package/ir/stages/*-a2a3.place/program.py")
        vector = stage.read_text().partition("pto.one_by_one():")[2]
        # What all rows need is loaded once; rows are loaded while others are computed with.
        self.assertRegex(vector, r"pto\.tload\(bias_tile, .*\n +for turn\w*, i_rows_at in pto\.turns\(range\(i_at\w*, i_at\w* \+ i_n\w*, 32\)\):")
        self.assertRegex(vector, r"pto\.tload\(acc, acc_gm, slice\(i_rows_at - i_part, ")
        # Along columns where rows are not apart; what neither may be done with says so.
        for out, body, cut in (("1, N", "    for j in tiles(N, 128):\n        y[:, j] = reduce_sum(exp(x[0:512, j]), axis=0)\n", "j_columns"),
                               ("M, N", "    for i in tiles(M, 512):\n        for j in tiles(N, 128):\n            y[i, j] = exp(x[i, j]) / x[i, j]\n", "i_rows")):
            done = self.compile(HEAD + f"def program(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, {out}]]) -> None:\n" + body)
            self.assertEqual(done.returncode, 0, done.stderr)
            (stage,) = self.folder.glob("package/ir/stages/*-a2a3.place/program.py")
            self.assertIn(f"for turn, {cut}_at in pto.turns(range(", stage.read_text())

    def test_results_are_written_where_they_go(self) -> None:
        done = self.compile(ROOT / "bench/a2a3/attention.py", "--verify-each")
        self.assertEqual(done.returncode, 0, done.stderr)
        (stage,) = self.folder.glob("package/ir/stages/*-a2a3.select/program.py")
        text = stage.read_text()
        self.assertRegex(text, r"pto\.tadd\(total, mul\w*, reduce_sum\)")
        self.assertNotIn("_new", text)
        done = self.compile(HEAD + "def program(a: In[Tensor[f16, M, 64]], b: In[Tensor[f16, 64, N]], c: Out[Tensor[f32, M, N]]) -> None:\n    for i in tiles(M, 64):\n"
                            "        for j in tiles(N, 64):\n            c[i, j] = matmul(a[i, :], b[:, j], zeros(f32, i, j)) * 2.0\n")
        self.assertEqual(done.returncode, 0, done.stderr)
        (stage,) = self.folder.glob("package/ir/stages/*-a2a3.select/program.py")
        self.assertNotRegex(stage.read_text(), "tadd|texpands|zeros = ")

    def test_a_sum_that_does_not_fit_is_made_in_steps(self) -> None:
        rows = "    for i in tiles(M, 128):\n        for j in tiles(128, 128):\n            c[i, j] = matmul(a[i, :], b[:, j])\n"
        for k, step in (("N", "TLOAD"), ("1024", "TEXTRACT")):
            done = self.compile(HEAD + f"def program(a: In[Tensor[f16, M, {k}]], b: In[Tensor[f16, {k}, 128]], c: Out[Tensor[f16, M, 128]]) -> None:\n" + rows)
            self.assertEqual(done.returncode, 0, done.stderr)
            text = (self.folder / "package/codegen/a2a3/kernels/aic/program.cpp").read_text()
            self.assertRegex(text, step + r"\(.*\);(.*\n)*.*if \(k_\w+_at == 0\) TMATMUL")

    def test_the_old_contracts_runner_gets_inputs_and_what_is_expected(self) -> None:
        body = "    for i in tiles(M, 64):\n        for j in tiles(N, 64):\n            c[i, j] = cast(matmul(cast(a[i, :], f32), cast(b[:, j], f32)) + cast(d[:, j], f32), bf16)\n"
        done = self.compile(HEAD + "def program(a: In[Tensor[bf16, M, B]], b: In[Tensor[bf16, B, N]], d: In[Tensor[i32, 1, N]], c: Out[Tensor[bf16, M, N]]) -> None:\n" + body)
        self.assertEqual(done.returncode, 0, done.stderr)
        folder = self.folder / "package/codegen/a2a3"
        compile((folder / "kernel_config.py").read_text(), "kernel_config.py", "exec")
        torch = ModuleType("torch")  # as much of it as the file uses: the bytes of an array by another name
        torch.bfloat16, torch.int16 = "bfloat16", np.int16  # type: ignore[attr-defined]

        class Array:
            def __init__(self, data: np.ndarray, brain: bool = False) -> None:
                self.data, self.brain = data, brain

            def view(self, dtype: object) -> Array:
                return Array(self.data, dtype == "bfloat16")

            def numpy(self) -> np.ndarray:
                if self.brain:
                    raise TypeError("Got unsupported ScalarType BFloat16")
                return self.data

        torch.from_numpy = Array  # type: ignore[attr-defined]
        with unittest.mock.patch.dict("sys.modules", {"torch": torch}):
            golden = runpy.run_path(str(folder / "golden.py"))
            inputs = dict(golden["generate_inputs"]({"M": 64, "N": 64, "B": 64}))
            self.assertEqual([name for name, array in inputs.items() if isinstance(array, Array) and array.brain], ["a", "b", "c"])
            self.assertEqual(golden["__outputs__"], ["c"])
            golden["compute_golden"](inputs, {})

        def wide(array: Array) -> np.ndarray:
            return (array.data.view(np.uint16).astype(np.uint32) << 16).view(np.float32)

        expected = wide(inputs["a"]) @ wide(inputs["b"]) + inputs["d"].data
        np.testing.assert_allclose(wide(inputs["c"]), expected, golden["RTOL"], golden["ATOL"])


class Results(Case):
    """What a package computes where the laws' inputs do not reach."""

    def run_of(self, program: str, *arrays: np.ndarray) -> None:
        done = self.compile(HEAD + program, "--verify-each")
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

    def test_stores_to_one_place_come_one_after_the_other(self) -> None:
        x = np.linspace(-2, 2, 37 * 20, dtype=np.float32).reshape(37, 20)
        y, s, blocks = np.empty_like(x), np.empty_like(x), np.zeros((5, 20), np.float32)
        self.run_of("def program(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]], s: Out[Tensor[f32, M, N]], b: InOut[Tensor[f32, B, N]]) -> None:\n"
                    "    for i in tiles(M, 8):\n        y[i, :] = x[i, :] * 2.0\n        y[i, 0:8] = x[i, 0:8]\n        s[i, 0:8] = x[i, 0:8]\n        s[i, 8:N] = x[i, 8:N]\n"
                    "    for p in range(3):\n        b[1, :] = x[p, :]\n        b[p + 2, :] = x[p, :]\n", x, y, s, blocks)
        np.testing.assert_array_equal(y, np.concatenate([x[:, :8], x[:, 8:] * 2], axis=1))
        np.testing.assert_array_equal(s, x)
        np.testing.assert_array_equal(blocks, np.stack([np.zeros(20, np.float32), x[2], *x[:3]]))
        (made,) = self.folder.glob("package/ir/stages/*-a2a3.order")
        text = (made / "program.py").read_text()
        barriers = re.findall(r"pipe_barrier\('MTE3'\)\n +pto.tstore\((\w+), \w+, (.*)\)", text)
        self.assertEqual(barriers, [("y", "slice(i_at, i_at + i_n), slice(0, 8)")], text)  # flags order those to b
        self.assertEqual(text.count("pipe_barrier('MTE3')"), 1)
        (made / "program.py").write_text(text.replace("pto.pipe_barrier('MTE3')", "pass"))
        done = host("--plugins", PROFILE, "compile", "--from-stage", made, "-o", self.folder / "again")
        self.assertIn("is not ordered behind what MTE3 does before with the same tensor", done.stderr)

    def test_more_loads_than_flags(self) -> None:
        names = "abcdef"
        x = [np.arange(37 * 50, dtype=np.float32).reshape(37, 50) + k for k in range(len(names))]
        y = np.empty_like(x[0])
        self.run_of(f"def program({', '.join(f'{n}: In[Tensor[f32, M, N]]' for n in names)}, y: Out[Tensor[f32, M, N]]) -> None:\n"
                    f"    for i in tiles(M, 8):\n        for j in tiles(N, 16):\n            y[i, j] = {' + '.join(f'{n}[i, j]' for n in names)}\n", *x, y)
        np.testing.assert_array_equal(y, sum(x))
        (stage,) = (self.folder / "package").glob("ir/stages/*-a2a3.order/program.py")
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
        self.assertGreater(loads / task["cycles"], 0.92)

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


class Verifier(Case):
    """Stages without one flag, one barrier or the drain, or with another event or place."""

    def refused(self, stage: Path, text: str) -> bool:
        with tempfile.TemporaryDirectory() as folder:
            shutil.copytree(stage, Path(folder) / stage.name)
            (Path(folder) / stage.name / "program.py").write_text(text)
            done = host("--plugins", PROFILE, "compile", "--from-stage", Path(folder) / stage.name, "-o", Path(folder) / "again")
            return done.returncode == 1 and "pipeline.not-held" in done.stderr

    def test_every_line_of_order_counts(self) -> None:
        mutants: list[tuple[str, Path, str]] = []
        for name in ("axpy", "softmax", "custom_pass", "gelu", "half_gemm", "transpose", "clip"):
            package = self.example(name)
            (made,) = package.glob("ir/stages/*-a2a3.order")
            stage = Path(shutil.copytree(made, self.folder / name / made.name))
            lines = (stage / "program.py").read_text().splitlines(keepends=True)
            self.assertFalse(self.refused(stage, "".join(lines)), f"{name}, as it was")
            for number, line in enumerate(lines):
                if re.match(r" +pto\.(set_flag|wait_flag|pipe_barrier|drain)\(", line):
                    changed = ["", line + line, re.sub(r"(turn|\d)\)", "6)" if "7)" in line else "7)", line)] if "flag" in line else [""]
                    for other in changed:
                        text = "".join([*lines[:number], other, *lines[number + 1 :]])
                        mutants.append((f"{name}: line {number + 1} is {other!r}", stage, text))
        with ThreadPoolExecutor(os.cpu_count()) as workers:
            told = list(workers.map(lambda mutant: self.refused(mutant[1], mutant[2]), mutants))
        self.assertEqual([mutant[0] for mutant, one in zip(mutants, told) if not one], [])
        self.assertGreaterEqual(len(mutants), 200)

    def test_stages_hold_what_they_say(self) -> None:
        package = self.example("gemm")
        for stage, old, new, told in (
            ("split", "    with pto.one_by_one('aic'):\n", "    for n in range(1):\n", "error[a2a3.not-split]: this stands in no kernel"),
            ("place", "space='acc'", "space='mat', layout='zn'", "error[a2a3.not-placed]: `pto.tmatmul_acc` between memories that have no way is not of the form"),
            ("place", "    for i_part in range(0, M, i_step):\n", "    for i_part in range(1, M, i_step):\n", "error[a2a3.not-placed]"),
        ):
            with self.subTest(stage=stage, new=new):
                (made,) = package.glob(f"ir/stages/*-a2a3.{stage}")
                folder = Path(shutil.copytree(made, self.folder / f"edited-{len(list(self.folder.iterdir()))}" / made.name))
                text = (folder / "program.py").read_text()
                self.assertEqual(text.count(old), 1)
                (folder / "program.py").write_text(text.replace(old, new))
                done = host("--plugins", PROFILE, "compile", "--from-stage", folder, "-o", self.folder / "again")
                self.assertEqual(done.returncode, 1)
                self.assertIn(told.replace("error[", "note["), done.stderr)

    def test_places_overlap_nowhere(self) -> None:
        package = self.example("vector_add")
        (stage,) = package.glob("ir/stages/*-a2a3.order")
        text = (stage / "program.py").read_text()
        for other in ("516 + turn * 256", "-32 + turn * 256", "188416 + turn * 256", "256 + turn * 256", "512 + turn * 260", "512", "512 + 1 * 256"):
            with self.subTest(other):
                self.assertTrue(self.refused(stage, text.replace("at=512 + turn * 256", f"at={other}")))


    def test_operands_that_no_core_takes(self) -> None:
        """Of a stage that is written by hand, at the line that is wrong, with what helps."""
        signature = "x: In[Tensor[f32, 64, 64]], y: Out[Tensor[f32, 64, 64]]"
        result = "u = pto.tile(f32, 64, 64, valid=(64, 64), at=16384)"
        for of, call, message, hint in (
            ("u = pto.tile(f32, 64, 64, valid=(64, 64), at=8192)", "pto.texp(u, t)", "`pto.texp` writes `u` over a part of `t`, which it still reads", "let both begin"),
            ("u = pto.tile(f32, 64, 64, valid=(64, 64), at=0)", "pto.trecip(u, t)", "`pto.trecip` writes `u` where it reads `t`", "give `u` bytes of its own"),
            ("u = pto.tile(f32, 64, 32, valid=(64, 32), at=16384)", "pto.texp(u, t)", "`pto.texp` of `u`, 64 x 32, and `t`, 64 x 64", "give both the same"),
            ("u = pto.tile(f16, 64, 64, valid=(64, 64), at=16384)", "pto.texp(u, t)", "`pto.texp` of `u`, a tile of f16, and `t`, one of f32", "declare both"),
            ("u = pto.tile(i8, 64, 64, valid=(64, 64), at=16384)", "pto.tadd(u, u, u)", "`pto.tadd` does not take `u`, a tile of i8", "it takes f16 f32 i16 i32"),
            (result, "pto.tadd(u, t)", "`pto.tadd` takes 3 operands, and is given 2", "like this: `pto.tadd(y, a, b)`"),
            (result, "pto.tadd(u, t, 1.0)", "`b` of `pto.tadd` is a tile, and `1.0` is none", "like this"),
            (result, "pto.tload(t, x, slice(1, 65), slice(0, 64))", "`slice(1, 65)` leaves `x`, which has 64 there", "end at 64"),
            (result, "pto.tload(t, x, slice(0, 32), slice(0, 64))", "`slice(0, 32)` of `x` is of another length than `t`, 64 x 64", "give both"),
        ):
            with self.subTest(call=call, of=of), tempfile.TemporaryDirectory() as folder:
                body = ["t = pto.tile(f32, 64, 64, valid=(64, 64), at=0)", "pto.tload(t, x, slice(0, 64), slice(0, 64))", of, "pto.pipe_barrier('ALL')", call, "pto.drain()"]
                header = "htp.stage(number=6, after='a2a3.order', holds=['Codegen.Ready(target=a2a3)'], then=[], entry='f', target='a2a3')"
                text = f"import htp\n{header}\nfrom htp import In, Out, f16, f32, i8\nfrom htp_tile import Tensor, kernel\nimport htp_pto as pto\n\n\n"
                text += f"@kernel\ndef f({signature}) -> None:\n    with pto.aiv():\n" + "".join(f"        {line}\n" for line in body)
                (Path(folder) / "program.py").write_text(text)
                done = host("--plugins", PROFILE, "compile", "--from-stage", folder, "-o", Path(folder) / "again")
                self.assertEqual(done.returncode, 1)
                self.assertIn(f"error[a2a3.operands]: {message}\n", done.stderr)
                self.assertIn(call, done.stderr)
                self.assertIn(f"= hint: {hint}", done.stderr)


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
        self.refused("a2a3.no-instruction", "y[i, :] = x[i, :] + x[i, :]", "`tile.add` of bf16 has no instruction on a2a3", "calculate in f32: `cast(x, f32)`",
                     "x: In[Tensor[bf16, M, 64]], y: Out[Tensor[bf16, M, 64]]", "for i in tiles(M, 8):", "    y[i, :] = x[i, :] + x[i, :]")

    def test_an_intrinsic_without_instructions(self) -> None:
        done = self.compile(HEAD + "def program(x: In[Tensor[f32, M]], y: Out[Tensor[f32, M]]) -> None:\n    for i in tiles(M, 8):\n        y[i] = scan_sum(x[i], axis=0)\n")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("`tile.scan_sum` has no instructions on a2a3\n", done.stderr)
        self.assertIn("`tile.scan_sum(…)` needs `Intrinsic.Handler(backend=a2a3, op=tile.scan_sum)`, which no plugin provides", done.stderr)

    def test_extents_without_an_instruction(self) -> None:
        self.refused("a2a3.extents", "y[i, :] = x[i, :] * w[0, 0]", "`tile.mul` of Tile[f32, i, 1] and Tile[f32, 1, 1] has no instruction on a2a3",
                     "give both the same extents", "x: In[Tensor[f32, M, 1]], w: In[Tensor[f32, 1, 3]], y: Out[Tensor[f32, M, 1]]",
                     "for i in tiles(M, 8):", "    y[i, :] = x[i, :] * w[0, 0]")

    def test_masks_of_other_extents(self) -> None:
        self.refused("a2a3.unsupported-form", "where(x[i, :] > 0.0, x[i, :], y[i, :])", "a2a3 does not do this yet: a condition of other extents than what is chosen", "compile for the CPU",
                     "x: In[Tensor[f32, M, 1]], y: In[Tensor[f32, M, N]], z: Out[Tensor[f32, M, N]]", "for i in tiles(M, 8):", "    z[i, :] = where(x[i, :] > 0.0, x[i, :], y[i, :])")
        self.refused("a2a3.no-instruction", "x[i, :] > y[i, :]", "`tile.gt` of bf16 has no instruction on a2a3", "calculate in f32",
                     "x: In[Tensor[bf16, M, N]], y: In[Tensor[bf16, M, N]], z: Out[Tensor[bf16, M, N]]", "for i in tiles(M, 8):", "    z[i, :] = where(x[i, :] > y[i, :], x[i, :], y[i, :])")

    def test_products_without_an_instruction(self) -> None:
        signature = "x: In[Tensor[i32, M, 64]], y: In[Tensor[i32, 64, 64]], z: Out[Tensor[i32, M, 64]]"
        self.refused("a2a3.no-instruction", "z[i, :] = matmul(x[i, :], y[:, :])", "`tile.matmul` of i32 by i32 has no instruction on a2a3", "multiply f16, bf16 or f32 to f32, and i8 to i32",
                     signature, "for i in tiles(M, 16):", "    z[i, :] = matmul(x[i, :], y[:, :])")
        self.refused("a2a3.no-instruction", "cast(x[i, :], i32)", "`tile.cast` of i8 to i32 has no instruction on a2a3", "i8 goes into products alone",
                     "x: In[Tensor[i8, M, 64]], y: Out[Tensor[i32, M, 64]]", "for i in tiles(M, 16):", "    y[i, :] = cast(x[i, :], i32)")

    def test_products_of_unknown_extents(self) -> None:
        self.refused("a2a3.unsupported-form", "z[i, :] = matmul(x[i, :], y[:, :])", "a2a3 does not do this yet: a product of which `N` rows or columns are made at once", "compute it in blocks whose size is known: `tiles(N, 128)`",
                     "x: In[Tensor[f32, M, 64]], y: In[Tensor[f32, 64, N]], z: Out[Tensor[f32, M, N]]", "for i in tiles(M, 16):", "    z[i, :] = matmul(x[i, :], y[:, :])")

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
        self.refused("a2a3.unsupported-form", "if 0 < i.start < 64:", "a2a3 does not do this yet: the condition `0 < i_at < 64`", "compile for the CPU",
                     signature, "for i in tiles(M, 8):", "    y[i] = x[i]", "    if 0 < i.start < 64:", "        y[i] = exp(x[i])")
        self.refused("a2a3.unsupported-form", "while n < 4:", "a2a3 does not do this yet: a `while` within a kernel", "compile for the CPU",
                     signature, "for i in tiles(M, 8):", "    s = x[i]", "    n = 0", "    while n < 4:", "        s = exp(s)", "        n = n + 1", "    y[i] = s")

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
        for wide, signature, line in (("x", "x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, 1]]", "y[i, :] = x[i, 0]"), ("y", "x: In[Tensor[f32, M, 1]], y: InOut[Tensor[f32, M, N]]", "y[i, 2] = x[i, :]")):
            self.refused("a2a3.strided", line, f"`{wide}` is reached along a dimension that is not its last", "load blocks that hold the last dimension",
                         signature, "for i in tiles(M, 8):", f"    {line}")

    def test_ints_that_only_the_run_knows(self) -> None:
        signature = "n: In[Tensor[i32, M]], x: In[Tensor[f32, M, 64]], y: In[Tensor[f32, 64, 64]], z: Out[Tensor[f32, M, 64]]"
        self.refused("a2a3.unsupported-form", "index(n[m] + 1)", "a2a3 does not do this yet: an int that is not an element of an input", "compile for the CPU",
                     signature, "for m in range(M):", "    z[m, :] = x[index(n[m] + 1), :]")
        self.refused("a2a3.unsupported-form", "for k in range(often):", "a2a3 does not do this yet: a loop to an int that is only known when the program runs, of which no input is indexed by `k`", "compile for the CPU",
                     signature, "for m in range(M):", "    s = zeros(f32, 1, 64)", "    often = index(n[m])", "    for k in range(often):",
                     "        s = s + exp(matmul(x[m, :], y[:, :]) * 0.5)", "    z[m, :] = s")

    def test_networks_that_are_no_sequence(self) -> None:
        head = HEAD.replace("@kernel\n", "").replace("from htp_tile", "from htp_csp import channel, pipeline, process\nfrom htp_tile") + "@pipeline\ndef program(x: In[Tensor[f32, M, 8]], y: Out[Tensor[f32, M, 8]]) -> None:\n"
        for channels, put, get, message in (
            ("a = channel(f32, 1, 8, capacity=2)", "for m in range(2 * M):\n            a.put(x[m // 2, :])", "for m in range(M):\n            y[m, :] = a.get() + a.get()",
             "a channel that is put into, or got from, at more places of the program than one"),
            ("a = channel(f32, 1, 8, capacity=2)", "for m in range(M):\n            a.put(x[m, :])", "for n in range(1):\n            for m in range(M):\n                y[m, :] = a.get()",
             "a channel that is got from in other loops than it is put into"),
            ("a = channel(f32, 1, 8, capacity=2)\n    b = channel(f32, 1, 8, capacity=2)", "for m in range(M):\n            a.put(x[m, :])\n            y[m, :] = b.get()", "for m in range(M):\n            b.put(a.get() + 1.0)",
             "processes that get from each other"),
        ):
            with self.subTest(message):
                done = self.compile(head + f"    {channels}\n\n    @process\n    def first() -> None:\n        {put}\n\n    @process\n    def second() -> None:\n        {get}\n")
                self.assertEqual(done.returncode, 1, done.stderr)
                self.assertIn(f"error[a2a3.unsupported-form]: a2a3 does not do this yet: {message}\n", done.stderr)

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
