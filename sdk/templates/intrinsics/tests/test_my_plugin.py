"""The intrinsic's meaning, its typing rule, and what becomes of it on the CPU."""

import unittest
from pathlib import Path

import numpy as np

from htp import testing

PROJECT = Path(__file__).resolve().parents[1]
EXAMPLE = (PROJECT / "examples/squash.py").read_text()


class Softsign(testing.PluginTest):
    profile = PROJECT / "profile.yaml"

    def test_the_example_means_the_same_on_every_stage_and_on_the_cpu(self) -> None:
        self.assert_agrees(self.compile(PROJECT / "examples/squash.py"))

    def test_the_meaning(self) -> None:
        squash = testing.entry_of(testing.import_program(EXAMPLE, "squash"))
        x = np.array([[-3.0, 0.0, 1.0, np.inf]], np.float32)
        y = np.empty_like(x)
        squash(x, np.ones((1, 1), np.float32), y)
        self.assertEqual([-0.75, 0.0, 0.5], y[0, :3].tolist())
        self.assertTrue(np.isnan(y[0, 3]))

    def test_the_cpu_has_three_words_for_it(self) -> None:
        stage = self.compile(PROJECT / "examples/squash.py").stage("cpu.select")
        self.assertNotIn("softsign(", stage)
        for call in ("cpu.absolute(", "cpu.add(", "cpu.div("):
            self.assertIn(call, stage)

    def test_a_name_may_be_assigned_to_again(self) -> None:
        body = "v = x[i, :] * scale[i, :]\n        v = softsign(v)\n        y[i, :] = v"
        self.assert_agrees(self.compile(EXAMPLE.replace("y[i, :] = softsign(x[i, :] * scale[i, :])", body)), runs=False)

    def test_integers_are_refused(self) -> None:
        self.assertIn("error[my-plugin.no-float]: `my_plugin.softsign` takes floats, not `i32`", self.refused(EXAMPLE.replace("f32", "i32")))

    def test_ops_shows_it(self) -> None:
        self.assertIn("between -1 and 1", testing.run_host("ops", "show", "my_plugin.softsign").stdout)


if __name__ == "__main__":
    unittest.main()
