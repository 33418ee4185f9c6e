"""The backend for Ascend's A2 and A3: what it emits, and that its verifier finds every flag that is missing."""

from __future__ import annotations

import json
import re
import runpy
import unittest
import unittest.mock
from types import ModuleType

import numpy as np

from case import HEAD, ROOT, Case, host, ordered


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
        least = ["max", 8, ["*", 16, ["min", ["%", "N", 16], 1]]]
        step = ["max", "i_least", ["*", ["//", ["-", ["+", "M", ["*", 48, "i_least"]], 1], ["*", 48, "i_least"]], "i_least"]]
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
        step = ["max", ["max", 64, ["*", 64, ["//", ["+", "N", 3071], 3072]]], ["*", "N", ["min", ["%", "N", 16], 1]]]
        self.assertEqual(registry["computed"], [{"name": "j_step", "value": step}])
        self.assertEqual(registry["tasks"], [{"func_id": 0, "for": [{"part": "j_part", "by": "j_step", "stop": "N", "step": "j_step"}]}])

    def test_loops_one_in_the_other_are_tasks_together(self) -> None:
        stage = ordered(self.example("batched_gemm"))
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

    def parts_of(self, signature: str, *body: str) -> list[tuple[str, str]]:
        """The loops of tasks, and how much a part is."""
        done = self.compile(HEAD + f"def program({signature}) -> None:\n" + "".join(f"    {line}\n" for line in body))
        self.assertEqual(done.returncode, 0, done.stderr)
        placed = host("stages", self.folder / "package", "a2a3.allocate_buffers").stdout
        return re.findall(r"    (\w+_step) = (.*)\n", placed)

    def test_what_stands_before_the_loops_is_done_by_each_task(self) -> None:
        signature = "x: In[Tensor[f32, M, 64]], y: Out[Tensor[f32, M, 64]], a: f32"
        loop = ("for i in tiles(M, 16):", "    y[i, :] = x[i, :] * c")
        for before in ("c = M - 1", "c = a * a + 1.0", "c = reduce_max(x[0, :], axis=1)"):
            self.assertEqual(self.parts_of(signature, before, *loop), [("i_step", "max(16, 16 * ((M + 767) // 768))")], before)
        # What goes on from one block to the next is one task's, and what is stored before is a task that the others wait for.
        running = ("for i in tiles(M, 16):", "    c = c + reduce_sum(x[i, :], axis=(0, 1))", "    y[i, :] = x[i, :] * c")
        self.assertEqual(self.parts_of(signature, "c = zeros(f32, 1, 1)", *running), [])
        self.assertEqual(self.parts_of(signature, "c = a + 1.0", "y[0, :] = x[0, :] * c", *loop), [("i_step", "max(16, 16 * ((M + 767) // 768))")])
        tasks = json.loads((self.folder / "package/codegen/a2a3/registry.json").read_text())["tasks"]
        self.assertEqual([("for" in task, task.get("after")) for task in tasks], [(False, None), (True, [0])])

    def test_rows_that_make_one_element_each_are_more_work_than_elements(self) -> None:
        rows = self.parts_of("x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M]]", "for i in tiles(M, 16):", "    y[i] = reduce_sum(x[i, :], axis=1)")
        self.assertEqual(rows, [("i_step", "max(16, 16 * ((M + 767) // 768))")])
        elements = self.parts_of("x: In[Tensor[f32, M]], y: Out[Tensor[f32, M]]", "for i in tiles(M, 16):", "    y[i] = x[i] + x[i]")
        self.assertEqual(elements, [("i_step", "max(4096, 4096 * ((M + 196607) // 196608))")])

    def test_one_task_is_told(self) -> None:
        body = "    for i in tiles(M, 16):\n        y[:, :] = reduce_sum(x[i, :], axis=0)\n    for i in tiles(M, 32):\n        z[:, :] = reduce_sum(x[i, :], axis=0)\n"
        done = self.compile(HEAD + "def program(x: In[Tensor[f32, M, 32]], y: Out[Tensor[f32, 1, 32]], z: Out[Tensor[f32, 1, 32]]) -> None:\n" + body)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("note[a2a3.one-task-loops]: `program` runs on one core of 48 vector cores: its loops go over different blocks\n", done.stderr)
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
        self.assertIn("task_2_args.add_input(task_1_made.get_ref(0));", (folder / "orchestration/simpler-2026-08/orchestration.cpp").read_text())

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
        self.assertIn("pto.tstore(across, x, 4 * cell_i + cell_j + 1, tile.whole, cell_k)", cells)
        # What one place hands on to the next keeps parts of the rows apart, and not the places.
        self.assertIn("sums = pto.gm(f32, 3, M, 16)", stage("gemm_chain"))
        (path,) = self.folder.glob("package/ir/stages/*-a2a3.allocate_buffers/program.py")
        self.assertIn("for i_part in range(0, M, i_step):", path.read_text())
        self.assertNotIn("p_part", path.read_text())
        # Those that get from each other go round together, and what they hand on stays where it is.
        self.assertNotIn("pto.gm(", stage("deadlocks/answers"))
        # Places that store parts of their own are tasks, as many together as share lines of memory.
        stage("gemm_places")
        (path,) = self.folder.glob("package/ir/stages/*-a2a3.allocate_buffers/program.py")
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
        stage = ordered(self.folder / "package") / "program.py"
        self.assertIn("pto.set_flag('MTE3', 'V', 5)", stage.read_text())  # each way has flags of its own
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
        (stage,) = self.folder.glob("package/ir/stages/*-a2a3.allocate_buffers/program.py")
        vector = stage.read_text().partition("pto.one_by_one():")[2]
        # What all rows need is loaded once; rows are loaded while others are computed with.
        self.assertRegex(vector, r"pto\.tload\(bias_tile, .*\n +for turn\w*, i_rows_at in pto\.turns\(range\(i_at\w*, i_at\w* \+ i_n\w*, 32\)\):")
        self.assertRegex(vector, r"pto\.tload\(acc, acc_gm, slice\(i_rows_at - i_part, ")
        # Along columns where rows are not apart; what neither may be done with says so.
        for out, body, cut in (("1, N", "    for j in tiles(N, 128):\n        y[:, j] = reduce_sum(exp(x[0:512, j]), axis=0)\n", "j_columns"),
                               ("M, N", "    for i in tiles(M, 512):\n        for j in tiles(N, 128):\n            y[i, j] = exp(x[i, j]) / x[i, j]\n", "i_rows")):
            done = self.compile(HEAD + f"def program(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, {out}]]) -> None:\n" + body)
            self.assertEqual(done.returncode, 0, done.stderr)
            (stage,) = self.folder.glob("package/ir/stages/*-a2a3.allocate_buffers/program.py")
            self.assertIn(f"for turn, {cut}_at in pto.turns(range(", stage.read_text())

    def test_results_are_written_where_they_go(self) -> None:
        done = self.compile(ROOT / "bench/a2a3/attention.py", "--verify-each")
        self.assertEqual(done.returncode, 0, done.stderr)
        (stage,) = self.folder.glob("package/ir/stages/*-a2a3.forward_results/program.py")
        text = stage.read_text()
        self.assertRegex(text, r"pto\.tadd\(total, mul\w*, reduce_sum\)")
        self.assertNotIn("_new", text)
        done = self.compile(HEAD + "def program(a: In[Tensor[f16, M, 64]], b: In[Tensor[f16, 64, N]], c: Out[Tensor[f32, M, N]]) -> None:\n    for i in tiles(M, 64):\n"
                            "        for j in tiles(N, 64):\n            c[i, j] = matmul(a[i, :], b[:, j], zeros(f32, i, j)) * 2.0\n")
        self.assertEqual(done.returncode, 0, done.stderr)
        (stage,) = self.folder.glob("package/ir/stages/*-a2a3.forward_results/program.py")
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


if __name__ == "__main__":
    unittest.main()
