"""The passes run in the pipeline's order, and what they make of a program is right."""

import unittest
from pathlib import Path

from htp import testing

PROJECT = Path(__file__).resolve().parents[1]
PASSES = ["wsp.apply", "wsp.lower", "tile.canonicalize", "tile.infer", "cpu.select", "cpu.loops"]


class Pipeline(testing.PluginTest):
    profile = PROJECT / "profile.yaml"

    def test_the_stages_are_the_pipeline(self) -> None:
        package = self.compile(PROJECT / "examples/blend.py")
        self.assertEqual(["source", *PASSES], list(package.stages))
        self.assert_agrees(package)

    def test_the_plan_names_the_pipeline(self) -> None:
        done = testing.run_host("--plugins", self.profile, "plan", PROJECT / "examples/blend.py")
        self.assertIn("my-plugin.cpu", done.stdout)


if __name__ == "__main__":
    unittest.main()
