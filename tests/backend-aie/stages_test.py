"""Pipelines on AI Engines: the streams and cores of their stages."""

from __future__ import annotations

import json
import re
import shutil
import unittest
from pathlib import Path

from case import PIPELINE, PROFILE, Case, host, last


class Pipelines(Case):
    """A core for each process that computes."""

    def test_what_is_loaded_twice_comes_once(self) -> None:
        program = PIPELINE + """def twice(x: In[Tensor[f32, M, N]], z: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    @process
    def work() -> None:
        for m in tiles(M, 8):
            y[m, :] = x[m, :] * x[m, :] + x[m, :] + z[m, :]
"""
        self.assertEqual(self.compile(program).returncode, 0)
        stage = last(self.folder / "package") / "program.py"
        self.assertEqual(stage.read_text().count("aie.feed("), 2)

    def stage(self, name: str, *options: str, profile: Path = PROFILE) -> str:
        made = last(self.example(name, *options, profile=profile))
        return (made / "program.py").read_text()

    def test_processes_that_only_move_need_no_core(self) -> None:
        package = self.example("line_buffers", "--set", "M=8", "--set", "N=16")
        mapping = json.loads((package / "codegen/aie/mapping.json").read_text())
        self.assertEqual([core["process"] for core in mapping["cores"]], ["blur", "sharpen"])

    def test_neighbours_share_memory(self) -> None:
        package = self.example("resample", "--set", "M=8", "--set", "N=16")
        fifos = json.loads((package / "codegen/aie/fifos.json").read_text())["fifos"]
        between = {fifo["stream"]: (fifo["depth"], fifo["shares_memory"]) for fifo in fifos if "tensor" not in fifo}
        self.assertEqual(between, {"twos": (2, True), "threes": (3, True), "again": (2, True)})

    def test_rates_are_how_many_parts_are_held(self) -> None:
        text = self.module("resample", "--set", "M=8", "--set", "N=16")
        self.assertRegex(text, r"acquire @twos \(Consume, 2\)[^\n]*\n[^\n]*\[1\] : ")

    def test_what_does_not_depend_on_a_loop_comes_once(self) -> None:
        text = self.module("gemm_chain", "--set", "M=64")
        self.assertEqual(len(re.findall(r"dma_memcpy_nd \(%b\[0, 0, 0, \d+\]\[1, 1, 1, 256\]", text)), 4)
        self.assertEqual(len(re.findall(r"= aie\.core\(", text)), 4)

    def test_what_several_cores_load_alike_is_one_stream(self) -> None:
        text = self.module("gemm_grid", "--set", "K=64")
        ends = [len(found.split(",")) for found in re.findall(r"objectfifo @[ab]_in\w*\(%shim_\d, {([^}]*)}", text)]
        self.assertEqual(sorted(ends), [2, 2, 2, 2, 4, 4])

    def test_a_channel_with_less_room_than_asked_for_is_told(self) -> None:
        pipeline = PIPELINE + """def doubled(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channel(f32, 1, N, capacity={capacity})

    @process
    def first() -> None:
        for m in range(M):
            rows.put(x[m, :] * 2.0)

    @process
    def second() -> None:
        for m in range(M):
            y[m, :] = rows.get() + 1.0
"""
        for capacity, depth in ((16, 16), (400, 16)):
            shutil.rmtree(self.folder / "package", ignore_errors=True)
            done = self.compile(pipeline.format(capacity=capacity), profile=self.profile(mlir_aie='"2608"'))  # which does not unroll by depths
            self.assertEqual(done.returncode, 0, done.stderr)
            stage = last(self.folder / "package") / "program.py"
            self.assertIn(f"rows = aie.fifo(f32, (1, 16), 'first', 'second', {depth})", stage.read_text())
            self.assertEqual("warning[aie.capacity]: `rows`: capacity 400 requested, 16 available" in done.stderr, capacity == 400, done.stderr)

    def test_a_column_beside_blocks_stays_in_rows(self) -> None:
        self.assertRegex(self.stage("units_column", "--set", "M=32"), r"aie\.feed\(scale, \(32, 1\), \(4, 1, 4, 1\), .*, 'scaled', 2, start=0, column=")

    def test_columns_are_an_option(self) -> None:
        profile = self.profile(pass_options={"device": "npu2", "columns": 3})
        self.assertIn("aie.device('npu2', columns=3, rows=4)", self.stage("resample", "--set", "M=8", "--set", "N=16", profile=profile))

    def refused(self, code: str, text: str, body: str) -> None:
        done = self.compile(PIPELINE + body)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn(f"error[{code}]: {text}", done.stderr)

    def test_forms_that_are_not_there(self) -> None:
        self.refused("aie.no-handler", "aie has no `csp.event`", """def told(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    done = event()

    @process
    def first() -> None:
        y[0:100, :] = x[0:100, :] * 2.0
        done.put()

    @process
    def second() -> None:
        done.get()
        y[100:200, :] = x[100:200, :] * 2.0
""")  # fmt: skip


class Edited(Case):
    """A stage that was edited in several places; what is said of one edit is in refused/."""

    def test_parts_that_are_no_words_are_refused(self) -> None:
        package = self.example("odd_bytes", "--set", "M=4", "--set", "N=5")
        made = last(package)
        text = (made / "program.py").read_text()
        for old, new in (("low, (4, 5), (4, 5)", "low, (4, 5), (2, 5)"), ("(4, 1), (4, 1)", "(4, 1), (2, 1)"), ("i32, 4, 5", "i32, 2, 5")):
            self.assertIn(old, text)
            text = text.replace(old, new)
        head, body = text.split("        for core in aie.cores():\n")
        text = f"{head}        for core in aie.cores():\n            for half in range(2):\n" + "".join(f"    {line}\n" for line in body.splitlines())
        stage = Path(shutil.copytree(made, self.folder / "edited" / made.name))
        (stage / "program.py").write_text(text.replace("aie.feed(x, (4, 5), (4, 5), ", "aie.feed(x, (4, 5), (2, 5), ", 1))
        done = host("--plugins", PROFILE, "compile", "--from-stage", stage, "-o", self.folder / "again")
        self.assertEqual(done.returncode, 1)
        self.assertIn("error[aie.block-bytes]: blocks of `x`, 2 by 5 elements, are 10 bytes, no multiple of 4\n", done.stderr)


if __name__ == "__main__":
    unittest.main()
