"""What the other compiler does to text, and what becomes of programs."""

import sys
import unittest
from pathlib import Path

from htp import testing

PROJECT = Path(__file__).resolve().parents[1]
EXAMPLE = (PROJECT / "examples/distance.py").read_text()


class Sharing(testing.PluginTest):
    profile = PROJECT / "profile.yaml"

    def test_the_example_means_the_same_on_every_stage_and_on_the_cpu(self) -> None:
        self.assert_agrees(self.compile(PROJECT / "examples/distance.py"))

    def test_nothing_is_computed_twice(self) -> None:
        stage = self.compile(PROJECT / "examples/distance.py").stage("my-plugin.share")
        for call, times in (("tile.load(", 2), ("tile.sub(", 2), ("tile.mul(", 2), ("tile.add(", 1)):
            self.assertEqual(times, stage.count(call), stage)

    def test_both_texts_are_kept(self) -> None:
        package = self.compile(PROJECT / "examples/distance.py")
        before, after = sorted(package.folder.glob("ir/stages/*-my-plugin.share/region-0.*.txt"))
        self.assertEqual(before.read_text().count("\n"), after.read_text().count("\n"))
        self.assertIn("sub_1 = sub\n", after.read_text())

    def test_what_is_written_in_between_is_read_again(self) -> None:
        text = EXAMPLE.replace("x: In", "x: htp.InOut").replace("        square[i]", "        x[i] = y[i]\n        square[i]")
        package = self.compile(text)
        self.assertEqual(4, package.stage("my-plugin.share").count("tile.load(x, i)"))
        self.assert_agrees(package, runs=False)

    def test_the_other_compiler(self) -> None:
        sys.path.insert(0, str(PROJECT / "tools"))
        from share import share

        self.assertEqual(
            ["block", "a = f(x)", "b = a", "c = g(a, a)", "block", "d = f(x)"],
            share(["block", "a = f(x)", "b = f(x)", "c = g(a, b)", "block", "d = f(x)"]),
        )


if __name__ == "__main__":
    unittest.main()
