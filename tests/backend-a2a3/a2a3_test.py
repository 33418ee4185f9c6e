"""The backend for Ascend's A2 and A3: what it emits, what it refuses, and that its verifier finds every flag that is missing."""

from __future__ import annotations

import json
import os
import re
import runpy
import shutil
import unittest
import unittest.mock
from pathlib import Path
from types import ModuleType, SimpleNamespace

import htp
import numpy as np

from case import HEAD, PROFILE, PROGRAMS, ROOT, Case, host


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
        step = ["max", "i_least", ["*", ["//", ["-", ["+", "M", ["*", "i_least", 48]], 1], ["*", "i_least", 48]], "i_least"]]
        self.assertEqual(registry["computed"], [{"name": "i_least", "value": least}, {"name": "i_step", "value": step}])
        loop = {"part": "i_part", "by": "i_step", "stop": "M", "step": "i_step"}
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
        self.assertEqual(registry["computed"], [{"name": "j_step", "value": step}])
        self.assertEqual(registry["tasks"], [{"func_id": 0, "for": [{"part": "j_part", "by": "j_step", "stop": "N", "step": "j_step"}]}])

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

    def test_what_goes_through_channels_has_its_place(self) -> None:
        def stage(name: str) -> str:
            self.example(name)
            (path,) = self.folder.glob("package/ir/stages/*-a2a3.select/program.py")
            return path.read_text()

        # Two for three: what both sides do in one iteration is counted.
        rates = stage("rates")
        for line in ("threes = pto.gm(f32, M, 3, N)", "pto.tload(second, x, _m, 1, tile.whole)", "pto.tstore(threes, second, _m, 2, tile.whole)"):
            self.assertIn(line, rates)
        # Loops of another shape: the first line comes before the others.
        lines = stage("line_buffers")
        for line in ("pto.tload(below, x, _m + 1, tile.whole)", "pto.tstore(smooth, mul_3, M - 1, tile.whole)", "if M - 1 > 0:"):
            self.assertIn(line, lines)
        # Places of a grid are loops, in the order in which they get from each other.
        cells = stage("systolic")
        self.assertRegex(cells, r"for cell_i in range\(3\):\n +for cell_j in range\(3\):\n")
        self.assertIn("pto.tstore(across, x, cell_j + 4 * cell_i + 1, tile.whole, cell_k)", cells)
        # What one place hands on to the next keeps parts of the rows apart, and not the places.
        self.assertIn("sums = pto.gm(f32, 3, M, 16)", stage("gemm_chain"))
        (path,) = self.folder.glob("package/ir/stages/*-a2a3.place/program.py")
        self.assertIn("for i_part in range(0, M, i_step):", path.read_text())
        self.assertNotIn("p_part", path.read_text())
        # Those that get from each other go round together, and what they hand on stays where it is.
        self.assertNotIn("pto.gm(", stage("deadlocks/answers"))
        # Places that store parts of their own are tasks, as many together as share lines of memory.
        stage("gemm_places")
        (path,) = self.folder.glob("package/ir/stages/*-a2a3.place/program.py")
        self.assertRegex(path.read_text(), r"for i_part in range\(0, 6, 1\):\n +for j_part in range\(0, 6, 2\):\n")

    def test_both_ways_of_a_branch_set_what_they_wait_for(self) -> None:
        head = HEAD.replace("@kernel\n", "").replace("from htp_tile", "from htp_csp import channels, pipeline, process\nfrom htp_tile")
        done = self.compile(head + """@pipeline
def program(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    a = channels((2, 3), f32, 1, N, capacity=4)
    b = channels(6, f32, 1, N, capacity=4)

    @process
    def deal() -> None:
        for m in range(M):
            for i in range(2):
                for j in range(3):
                    if (i + j) % 2 == 0:
                        a[i, j].put(x[m, :] * 2.0)
                    else:
                        a[i, j].put(x[m, :] + 1.0)
                        a[i, j].put(x[m, :] + 3.0)

    @process(grid=(2, 3))
    def work(i: int, j: int) -> None:
        for _m in range(M):
            if (i + j) % 2 == 0:
                b[3 * i + j].put(a[i, j].get())
            else:
                one = a[i, j].get()
                b[3 * i + j].put(one + a[i, j].get())

    @process
    def collect() -> None:
        for m in range(M):
            total = b[0].get()
            for k in range(1, 6):
                total = total + b[k].get()
            y[m, :] = total
""", "--verify-each")
        self.assertEqual(done.returncode, 0, done.stderr)
        (stage,) = self.folder.glob("package/ir/stages/*-a2a3.select/program.py")
        self.assertIn("a = pto.gm(f32, 6, M, 2, N)", stage.read_text())
        (stage,) = self.folder.glob("package/ir/stages/*-a2a3.order/program.py")
        self.assertRegex(stage.read_text(), r"pto\.pipe_barrier\('ALL'\)\n +if \(i \+ j\) % 2 == 0:\n")  # there are fewer events than flags
        ran = host("run", self.folder / "package", "--dim", "M=3", "--dim", "N=40")
        self.assertEqual(ran.returncode, 0, ran.stderr)

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
        head = HEAD.replace("htp_tile import", "htp_tile import argmin, ceil, floor, minimum, reduce_all, reduce_any, reduce_min, reduce_prod, rem, round, scan_max, scan_min, tanh, topk, trunc,")
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
        self.assertGreater(loads / task["cycles"], 0.95)

    def test_a_sum_that_fills_its_memory_is_made_in_halves(self) -> None:
        done = self.compile(ROOT / "bench/a2a3/wide.py", "--verify-each")
        self.assertEqual(done.returncode, 0, done.stderr)
        (stage,) = self.folder.glob("package/ir/stages/*-a2a3.order")
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
        (stage,) = self.folder.glob("package/ir/stages/*-a2a3.order")
        text = (stage / "program.py").read_text()
        self.assertLess(text.index("pto.tload(gain_tile, "), text.index("for turn, i_at in "))
        done = self.compile(ROOT / "bench/a2a3/attention.py")
        (stage,) = self.folder.glob("package/ir/stages/*-a2a3.order")
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
        head = HEAD.replace("htp_tile import", "htp_tile import argsort, holds, scatter_add, sort, topk,")
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

    def test_products_without_an_instruction(self) -> None:
        signature = "x: In[Tensor[i32, M, 64]], y: In[Tensor[i32, 64, 64]], z: Out[Tensor[i32, M, 64]]"
        self.refused("a2a3.no-instruction", "z[i, :] = matmul(x[i, :], y[:, :])", "`tile.matmul` of i32 by i32 has no instruction on a2a3", "multiply f16, bf16 or f32 to f32, and i8 to i32",
                     signature, "for i in tiles(M, 16):", "    z[i, :] = matmul(x[i, :], y[:, :])")

    def test_products_of_unknown_extents(self) -> None:
        self.refused("a2a3.unsupported-form", "z[i, :] = matmul(x[i, :], y[:, :])", "a2a3 does not do this yet: a product of which `N` rows or columns are made at once", "compute it in blocks whose size is known: `tiles(N, 128)`",
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
