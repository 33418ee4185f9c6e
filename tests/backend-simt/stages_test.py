"""Stages of the SIMT backend: each runs and equals the source, no two lanes meet where plain Python watches them, each wait is needed, and the
text that is emitted cites them."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests/laws"), str(ROOT / "tests/support")]

from programs import cases, compare, entry_of, import_program, outcomes, stages_of  # noqa: E402
from slices import taken  # noqa: E402

PROFILE = ROOT / "manifests/opencl.yaml"
SIZES = {1: [(70,)], 2: [(3, 37)], 3: [(3, 5, 18)]}
PROGRAMS = [ROOT / "examples" / (name if "/" in name else f"{name}/{name}") for name in (Path(__file__).parent / "programs.txt").read_text().split()]
OWN = sorted((ROOT / "plugins/backend-simt/examples").glob("*.py"))
ORDERED = ["softmax", "layernorm", "gemm", "prefix_sum", "paged_attention", "histogram", "flash_attention", "newton"]
"""Programs whose lanes wait for each other."""


def host(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([os.environ["HTP_HOST"], *map(str, arguments)], capture_output=True, text=True)


class Stages(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def compiled(self, program: Path) -> Path:
        package = self.folder / program.stem
        done = host("--plugins", PROFILE, "compile", program.with_suffix(".py"), "-o", package, "--verify-each")
        self.assertEqual(done.returncode, 0, done.stderr)
        return package

    def test_each_stage_is_the_program(self) -> None:
        for program in taken([*OWN, *PROGRAMS]):
            with self.subTest(program.stem):
                package = self.compiled(program)
                first, *later = stages_of(package)
                source = entry_of(import_program(first.read_text(), first.parent.name))
                expected = outcomes(source, list(cases(source, sizes=SIZES, edges=False))[:1])
                for stage in later:
                    if "simt." not in stage.parent.name:
                        continue
                    entry = entry_of(import_program(stage.read_text(), stage.parent.name))
                    for outcome in expected:
                        arrays = outcome.case.fresh(entry)
                        entry.run(*arrays)
                        self.assertEqual(list(compare(entry, arrays, outcome)), [], stage.parent.name)
                        if stage == later[-1]:
                            self.assertEqual(list(entry.races(*outcome.case.fresh(entry))), [], stage.parent.name)

    def test_each_wait_is_needed(self) -> None:
        for name in taken(ORDERED):
            with self.subTest(name):
                package = self.compiled(ROOT / f"examples/{name}/{name}")
                stage = stages_of(package)[-1].parent
                text = (stage / "program.py").read_text()
                waits = [(n, line) for n, line in enumerate(text.splitlines(), 1) if line.strip() == "simt.barrier()"]
                self.assertTrue(waits)
                for number, line in waits:
                    lines = text.splitlines(keepends=True)
                    behind = lines[number] if number < len(lines) else ""
                    if len(behind) - len(behind.lstrip()) < len(line) - len(line.lstrip()):
                        continue  # the last of a branch, for drivers
                    edited = self.folder / f"{name}-{number}"
                    edited.mkdir()
                    (edited / "program.py").write_text("".join([*lines[: number - 1], *lines[number:]]))
                    done = host("--plugins", PROFILE, "compile", "--from-stage", edited, "-o", self.folder / "edited")
                    self.assertEqual(done.returncode, 1, f"without line {number}")
                    self.assertIn("error[simt.no-barrier]", done.stderr)

    def test_lines_cite_the_last_stage(self) -> None:
        for program in taken([*OWN, *PROGRAMS]):
            package = self.compiled(program)
            lines = stages_of(package)[-1].read_text().splitlines()
            text = (package / "codegen/opencl/kernel.cl").read_text()
            cited = [int(n) for n in re.findall(r"// program\.py:(\d+)$", text, re.MULTILINE)]
            self.assertTrue(cited, program.stem)
            for n in cited:
                self.assertRegex(lines[n - 1], r"^    ", f"{program.stem}: line {n}")

    def test_softmax_is_one_group_a_row(self) -> None:
        text = (self.compiled(ROOT / "examples/softmax/softmax") / "codegen/opencl/kernel.cl").read_text()
        for line in (
            "__kernel __attribute__((reqd_work_group_size(256, 1, 1)))",
            "const long i = (long)get_group_id(0);",
            "for (long q = lane; q < N; q += 256) {",
            "reduce_max_part = htp_maximum_f32(reduce_max_part, row);",
            "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);",
        ):
            self.assertIn(line, text)


if __name__ == "__main__":
    unittest.main()
