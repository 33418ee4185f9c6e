"""Every pass of the plugin changes an example: it makes a stage there, which holds what it promises."""

from __future__ import annotations

import re
import unittest
from pathlib import Path

from case import PROFILE, ROOT, Case, host

ACTS = {
    "normalize_loops": "tests/backend-a2a3/downwards",
    "sequence_processes": "examples/gemm_chain/gemm_chain",
    "decide_branches": "examples/masked_softmax/masked_softmax",
    "rename_rebindings": "plugins/backend-a2a3/examples/rebound",
    "legalize_casts": "examples/quantize/quantize",
    "index_single_rows": "examples/gemm_batches/gemm_batches",
    "share_loads": "examples/custom_pass/custom_pass",
    "scalarize_single_elements": "examples/layernorm/layernorm",
    "flatten_to_2d": "examples/batched_gemm/batched_gemm",
    "scalarize_loaded_indices": "examples/embedding/embedding",
    "lay_in_rows": "plugins/backend-a2a3/examples/panels",
    "split_long_reductions": "examples/softmax/softmax",
    "strip_mine_rows": "examples/embedding/embedding",
    "mark_indices": "examples/clip/clip",
    "select": "examples/softmax/softmax",
    "forward_results": "examples/flash_attention/flash_attention",
    "hoist_buffers": "examples/softmax_wsp/softmax_wsp",
    "keep_outputs": "plugins/backend-a2a3/examples/chosen",
    "split_accumulations": "examples/gemm_chain/gemm_chain",
    "split": "examples/softmax/softmax",
    "initialize_accumulators": "examples/half_gemm/half_gemm",
    "stage_operands": "examples/half_gemm/half_gemm",
    "split_products": "plugins/backend-a2a3/examples/deep",
    "split_tasks": "examples/softmax/softmax",
    "hoist_loads": "examples/layernorm/layernorm",
    "cut_blocks": "plugins/backend-a2a3/examples/large",
    "double_buffer_sums": "plugins/backend-a2a3/examples/wide",
    "allocate_buffers": "examples/softmax/softmax",
    "drop_unused_ints": "examples/flash_attention/flash_attention",
    "cluster_loads": "plugins/backend-a2a3/examples/mixed",
    "insert_flags": "examples/softmax/softmax",
    "drop_redundant_flags": "examples/softmax/softmax",
}


class Passes(Case):
    def test_each_pass_makes_a_stage_of_an_example(self) -> None:
        made: dict[str, set[str]] = {}
        for program in sorted(set(ACTS.values())):
            done = self.compile(ROOT / f"{program}.py", "--verify-each")
            self.assertEqual(done.returncode, 0, done.stderr)
            made[program] = {stage.name.rpartition("a2a3.")[2] for stage in (self.folder / "package/ir/stages").iterdir()}
        for name, program in ACTS.items():
            with self.subTest(name):
                self.assertIn(name, made[program])

    def test_the_table_has_every_pass(self) -> None:
        manifest = (ROOT / "plugins/backend-a2a3/htp-plugin.yaml").read_text()
        self.assertEqual(re.findall(r"- kind: pass\n    name: a2a3\.(\w+)", manifest), list(ACTS))
        self.assertEqual({path.stem for path in Path(ROOT / "plugins/backend-a2a3/passes").glob("*.cpp")} - {"load"}, set(ACTS))

    def test_a_stage_in_which_a_pass_has_something_to_do_again_is_refused_there(self) -> None:
        """A person may break what a pass established; the verifier says which pass, and where."""
        for program, name, old, new, line in (
            ("examples/masked_softmax/masked_softmax", "decide_branches", "for i in", "if 0:\n        pass\n    for i in", "if 0:"),
            ("examples/gemm_batches/gemm_batches", "index_single_rows", "in range(", "in tile.tiles(1, 1):\n        pass\n    for other in range(", "in tile.tiles(1, 1)"),
            ("examples/half_gemm/half_gemm", "initialize_accumulators", "if k.start == 0:",
             "other = pto.tile(f32, i, j)\n                    pto.texpands(other, 0)\n                    pto.tmatmul_acc(other, a_tile, transpose)\n                    if k.start == 0:", "pto.texpands(other, 0)"),
            ("examples/flash_attention/flash_attention", "drop_unused_ints", "i_n = min(", "other_n = min(1, S); i_n = min(", "other_n = min(1, S)"),
        ):
            with self.subTest(name):
                done = self.compile(ROOT / f"{program}.py")
                self.assertEqual(done.returncode, 0, done.stderr)
                (stage,) = (self.folder / "package/ir/stages").glob(f"*-a2a3.{name}")
                text = (stage / "program.py").read_text()
                self.assertIn(old, text)
                (self.folder / "edited").mkdir(exist_ok=True)
                (self.folder / "edited/program.py").write_text(text.replace(old, new, 1))
                done = host("--plugins", PROFILE, "compile", "--from-stage", self.folder / "edited", "-o", self.folder / "again")
                self.assertEqual(done.returncode, 1, done.stderr)
                self.assertIn("pipeline.not-held", done.stderr)
                self.assertIn("a2a3.not-rewritten", done.stderr)
                self.assertIn(f"`a2a3.{name}` has something to do here", done.stderr)
                self.assertIn(line, done.stderr)


if __name__ == "__main__":
    unittest.main()
