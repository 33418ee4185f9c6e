"""The forms a program passes through, written by hand as the decisions show them, and that law 2 sees what is wrong with a stage."""

import sys
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "laws"))

import law2  # noqa: E402
from driver import Report  # noqa: E402
from mutate import mutants  # noqa: E402
from programs import cases, entry_of, import_program, outcomes  # noqa: E402

LOOPS = (HERE / "packages/softmax/ir/stages/04-cpu.loops/program.py").read_text()


class Forms(unittest.TestCase):
    def test_packages_written_by_hand_obey_law_2(self) -> None:
        for package in sorted((HERE / "packages").iterdir()):
            report = Report()
            law2.check(package, report)
            self.assertEqual(report.failed, 0, package.name)
            self.assertGreaterEqual(report.passed, 16)

    def test_the_header_is_kept(self) -> None:
        header = import_program(LOOPS, "loops").__htp_stage__
        self.assertEqual((header.after, header.then, header.entry, header.target), ("cpu.loops", (), "softmax", "cpu"))
        self.assertEqual(header.holds, ("Codegen.Ready(target=cpu)", "Tile.Kernel"))


class Wrong(unittest.TestCase):
    """Law 2 must be able to fail: each stage below is wrong in one way."""

    def differences(self, text: str) -> list[str]:
        source = entry_of(import_program((HERE / "packages/softmax/ir/stages/00-source/program.py").read_text(), "source"))
        entry = entry_of(import_program(text, "wrong"))
        found = []
        for expected in outcomes(source, list(cases(source))):
            arrays = expected.case.fresh(entry)
            entry.run(*arrays)
            found += law2.compare(entry, arrays, expected)
        return found

    def test_the_right_stage_differs_nowhere(self) -> None:
        self.assertEqual(self.differences(LOOPS), [])

    def test_a_tail_that_is_not_written(self) -> None:
        self.assertIn("M=7, N=37", self.differences(LOOPS.replace("for q in htp.vectorized(range(N)):", "for q in range(N // 4 * 4):"))[0])

    def test_a_reduction_that_starts_wrong(self) -> None:
        self.assertTrue(self.differences(LOOPS.replace("cpu.splat(f32, 0.0)", "cpu.splat(f32, 0.001)")))

    def test_a_maximum_that_starts_too_high(self) -> None:
        self.assertTrue(self.differences(LOOPS.replace("-htp.inf", "200.0")))

    def test_a_statement_that_does_nothing(self) -> None:
        idle = LOOPS.replace("        i_n = min(8, M - i_at)\n", "        i_n = min(8, M - i_at)\n        unused = cpu.splat(f32, 1.0)\n")
        entry = entry_of(import_program(idle, "idle"))
        for following in (idle, LOOPS.replace("cpu.splat(f32, 0.0)", "cpu.splat(i32, 0)")):
            found = law2.survivors(idle, entry, redundant=law2.thinned(idle, following))
            self.assertEqual(len(found), 1)
            self.assertIn("it computes the same without `unused = cpu.splat(f32, 1.0)`", found[0])
        self.assertEqual(law2.survivors(idle, entry, redundant=law2.thinned(idle, LOOPS)), [])

    def test_imports_and_data_from_elsewhere(self) -> None:
        self.assertEqual(law2._foreign_imports("import os\nfrom htp_tile import add\nimport numpy as np", {"htp_tile"}), ["line 1: os", "line 3: numpy"])
        self.assertEqual(law2._foreign_imports("import htp_acme", {"htp_tile"}), ["line 1: htp_acme"])
        self.assertEqual(law2._long_literals("x = 1.5\ny = 'short'"), set())
        self.assertEqual(len(law2._long_literals(f"x = {'a' * 100!r}\ny = {list(range(40))}")), 2)

    def test_mutants_reach_every_statement(self) -> None:
        found = list(mutants(LOOPS))
        deleted = {mutant.line for mutant in found if mutant.what.startswith("without")}
        body = [number for number, line in enumerate(LOOPS.splitlines(), 1) if line.startswith("    ")]
        self.assertEqual(deleted, set(body))
        self.assertTrue(any("`sub` made `add`" in mutant.what for mutant in found))


if __name__ == "__main__":
    unittest.main()
