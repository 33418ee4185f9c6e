"""What the analysis counts, as the notes show it."""

import unittest
from pathlib import Path

from htp import testing

PROJECT = Path(__file__).resolve().parents[1]


class Work(testing.PluginTest):
    profile = PROJECT / "profile.yaml"

    def test_the_example_means_the_same_on_every_stage_and_on_the_cpu(self) -> None:
        self.assert_agrees(self.compile(PROJECT / "examples/rows.py"))

    def test_each_loop_says_what_it_does(self) -> None:
        stage = self.compile(PROJECT / "examples/rows.py").stage("my-plugin.notes")
        self.assertIn("    # 12 calls\n    for i in tile.tiles(M, 8):", stage)
        self.assertIn("        # 6 calls\n        for p in tile.tiles(i, 4):", stage)

    def test_the_notes_go_along_to_the_types(self) -> None:
        self.assertIn("# 12 calls", self.compile(PROJECT / "examples/rows.py").stage("tile.infer"))


if __name__ == "__main__":
    unittest.main()
