"""The handler is the one that is used, and what it makes of a call is right."""

import unittest
from pathlib import Path

from htp import testing

PROJECT = Path(__file__).resolve().parents[1]


class Sigmoid(testing.PluginTest):
    profile = PROJECT / "profile.yaml"

    def test_the_example_means_the_same_on_every_stage_and_on_the_cpu(self) -> None:
        self.assert_agrees(self.compile(PROJECT / "examples/gate.py"))

    def test_the_call_becomes_the_handler_s_words(self) -> None:
        stage = self.compile(PROJECT / "examples/gate.py").stage("cpu.select")
        self.assertIn("cpu.tanh(half)", stage)
        self.assertNotIn("cpu.sigmoid", stage)

    def test_a_program_s_own_names_are_left_to_it(self) -> None:
        text = (PROJECT / "examples/gate.py").read_text()
        package = self.compile(text.replace("y[i] = x[i] * sigmoid(by[i])", "half = x[i]\n        y[i] = half * sigmoid(by[i])"))
        self.assertIn("half_1", package.stage("cpu.select"))
        self.assert_agrees(package, runs=False)


if __name__ == "__main__":
    unittest.main()
