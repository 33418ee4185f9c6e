"""Layouts that mean the same meet, others are refused where they do, and the canonical form is what stages carry."""

import unittest
from pathlib import Path

from htp import testing

PROJECT = Path(__file__).resolve().parents[1]
EXAMPLE = (PROJECT / "examples/spread.py").read_text()


class Levels(testing.PluginTest):
    profile = PROJECT / "profile.yaml"

    def test_the_example_means_the_same_on_every_stage_and_on_the_cpu(self) -> None:
        self.assert_agrees(self.compile(PROJECT / "examples/spread.py"))

    def test_levels_of_one_unit_do_nothing(self) -> None:
        stage = self.compile(PROJECT / "examples/spread.py").stage("tile.infer")
        self.assertIn("add: Tile[f32, i, levels(board=4, chip=8)]", stage)

    def test_other_levels_are_refused_where_they_meet(self) -> None:
        refusal = self.refused(EXAMPLE.replace("levels(board=4, chip=8, unit=1)", "levels(board=8, chip=4)"))
        self.assertIn("error[pipeline.layouts-differ]", refusal)

    def test_a_level_has_units(self) -> None:
        refusal = self.refused(EXAMPLE.replace("unit=1", "unit=0"))
        self.assertIn("error[my-plugin.bad-level]: `unit=0` is no level", refusal)


if __name__ == "__main__":
    unittest.main()
