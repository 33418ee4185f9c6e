"""What cube cores wait for is made by two vector cores: each has half of the rows of a part."""

from __future__ import annotations

import hashlib
import json
import unittest
from pathlib import Path

import numpy as np
from case import HEAD, ROOT, Case, host

ATTENTION = ROOT / "bench/a2a3/attention.py"
NEW = "orchestration/simpler-2026-08/orchestration.cpp"


class Lanes(Case):
    def attention(self) -> Path:
        done = self.compile(ATTENTION, "--verify-each")
        self.assertEqual(done.returncode, 0, done.stderr)
        return self.folder / "package/codegen/a2a3"

    def registry(self, program: str) -> list[list[str]]:
        done = self.compile(program)
        self.assertEqual(done.returncode, 0, done.stderr)
        tasks = json.loads((self.folder / "package/codegen/a2a3/registry.json").read_text())["tasks"]
        return [[loop["part"] for loop in task.get("for", [])] for task in tasks]

    def test_tasks_of_vector_cores_have_half_of_a_part(self) -> None:
        folder = self.attention()
        registry = json.loads((folder / "registry.json").read_text())
        self.assertEqual([k["core_type"] for k in registry["kernels"]], ["aic", "aiv", "aic", "aiv"])
        part = registry["tasks"][0]["for"]
        lane = {"part": "i_lane", "by": "i_lane_step", "stop": "i_step", "step": "i_lane_step"}
        self.assertIn({"name": "i_lane_step", "value": ["//", "i_step", 2]}, registry["computed"])
        self.assertEqual([task["for"] for task in registry["tasks"]], [part, [*part, lane], part, [*part, lane]])
        self.assertEqual([a["name"] for a in registry["kernels"][1]["args"][-4:]], ["i_part", "i_step", "i_lane", "i_lane_step"])
        graph = (folder / "orchestration/pto-runtime-2026-03/host_build_graph.cpp").read_text()
        edges = ("task_1, task_2_added", "task_2[n], task_3", "task_3, task_4")
        self.assertEqual([graph.count(f"add_successor({edge});") for edge in edges], [1, 1, 1])
        made = (folder / NEW).read_text()
        self.assertLess(made.index("task_2_memory = alloc_tensors(total_gm, fade_gm, cast_2_gm);"), made.index("for (int64_t i_lane = 0; i_lane < i_step; i_lane += i_lane_step) {"))

    def test_what_they_compute_is_attention(self) -> None:
        self.attention()
        generator = np.random.default_rng(5)
        for rows, keys in ((1, 1), (33, 130), (200, 300)):
            q, k, v = (generator.standard_normal((n, 128)).astype(np.float16) for n in (rows, keys, keys))
            done = self.ran(q=q, k=k, v=v)
            self.assertEqual(done.returncode, 0, done.stderr)
            scores = q.astype(np.float32) @ k.astype(np.float32).T / np.sqrt(np.float32(128))
            e = np.exp(scores - scores.max(axis=1, keepdims=True))
            wanted = e @ v.astype(np.float32) / e.sum(axis=1, keepdims=True)
            np.testing.assert_allclose(np.load(self.folder / "out.npz")["o"], wanted, rtol=2e-3, atol=2e-3)

    def test_they_keep_more_vector_cores_busy(self) -> None:
        self.attention()
        (self.folder / "report.yaml").write_text("htp_profile: 1\ntarget: a2a3\noptions:\n  a2a3sim.binding:\n    report: Q=1024 K=1024\n")
        built = host("--plugins", self.folder / "report.yaml", "build", self.folder / "package", "--into", self.folder / "built")
        self.assertEqual(built.returncode, 0, built.stderr)
        report = json.loads((self.folder / "built/report.json").read_text())
        self.assertEqual(report["cores"], {"vector": {"used": 48, "there": 48}, "cube": {"used": 24, "there": 24}})
        self.assertLess(report["microseconds"], 28)  # 31.9 with one task of vector cores for a part
        cores = list(dict.fromkeys(row["core"] for row in report["pipes"]))
        self.assertEqual(cores, [f"AIC {n}" for n in range(24)] + [f"AIV {n}" for n in range(48)])

    def test_memory_of_lanes_is_that_of_its_name(self) -> None:
        done = self.compile(ROOT / "examples/attention_wsp/attention_wsp.py")
        self.assertEqual(done.returncode, 0, done.stderr)
        path = self.folder / "package/codegen/a2a3" / NEW
        text = path.read_text()
        self.assertIn("task_2_args.add_input(task_1_made.get_ref(0));", text)
        path.write_text(text.replace("task_2_args.add_input(task_1_made.get_ref(0));", "task_2_args.add_input(task_1_made.get_ref(1));"))
        refused = self.verified()
        self.assertIn(f"`{NEW}` gives kernel 1 `matmul_1_gm` for `matmul_gm`", refused)

    def verified(self) -> str:
        """What is said of a package whose files were changed, and whose digests are those of the changed ones."""
        root = self.folder / "package"
        manifest = json.loads((root / "manifest.json").read_text())
        for output in manifest["outputs"]:
            data = (root / output["path"]).read_bytes()
            output["sha256"], output["size"] = hashlib.sha256(data).hexdigest(), len(data)
        (root / "manifest.json").write_text(json.dumps(manifest))
        done = host("build", root)
        self.assertEqual(done.returncode, 1, done.stderr)
        return done.stderr

    def test_parts_stay_whole_where_rows_are_not_apart(self) -> None:
        both = "def program(x: In[Tensor[f16, M, 64]], y: Out[Tensor[f32, M, 64]]) -> None:\n    for i in tiles(M, 64):\n"
        apart = both + "        h = matmul(cast(x[i, :], f32), cast(transpose(x[0:64, :]), f32))\n        e = cast(exp(h), f16)\n        y[i, :] = matmul(cast(e, f32), cast(x[0:64, :], f32))\n"
        self.assertEqual(self.registry(HEAD + apart), [["i_part"], ["i_part", "i_lane"], ["i_part"]])
        over_rows = apart.replace("exp(h)", "exp(h - reduce_max(h, axis=0))")
        self.assertEqual(self.registry(HEAD + over_rows), [["i_part"]] * 3)
        last = both + "        y[i, :] = exp(matmul(cast(x[i, :], f32), cast(transpose(x[0:64, :]), f32)))\n"
        self.assertEqual(self.registry(HEAD + last), [["i_part"]] * 2)


if __name__ == "__main__":
    unittest.main()
