"""What the pass does to programs, and what it leaves alone."""

import unittest
from pathlib import Path

from htp import testing

PROJECT = Path(__file__).resolve().parents[1]
KERNEL = """
import htp
from htp import In, Out, {dtype}
from htp_tile import Tensor, kernel, tiles

N = htp.dim("N")


@kernel
def divide(x: In[Tensor[{dtype}, N]], y: Out[Tensor[{dtype}, N]]) -> None:
    for i in tiles(N, 16):
        y[i] = x[i] / {divisor}
"""


class Reciprocals(testing.PluginTest):
    profile = PROJECT / "profile.yaml"

    def divided(self, dtype: str, divisor: str) -> str:
        """The stage that the pass makes of `x / divisor`."""
        package = self.compile(KERNEL.format(dtype=dtype, divisor=divisor))
        self.assert_agrees(package, runs=False)
        return package.stage("my-plugin.reciprocals")

    def test_the_example_means_the_same_on_every_stage_and_on_the_cpu(self) -> None:
        package = self.compile(PROJECT / "examples/average.py")
        self.assertIn(", 0.25)", package.stage("my-plugin.reciprocals"))
        self.assert_agrees(package)

    def test_division_by_a_power_of_two_becomes_multiplication(self) -> None:
        self.assertIn("tile.mul(x_tile, 0.125)", self.divided("f32", "8"))
        self.assertIn("tile.mul(x_tile, 4.0)", self.divided("f16", "0.25"))

    def test_another_divisor_has_no_exact_reciprocal(self) -> None:
        self.assertIn("tile.div(x_tile, 3)", self.divided("f32", "3"))

    def test_integers_are_left_alone(self) -> None:
        self.assertIn("tile.div(x_tile, 8)", self.divided("i32", "8"))

    def test_a_name_keeps_its_type_when_it_is_assigned_to_again(self) -> None:
        text = KERNEL.format(dtype="f32", divisor="2").replace("y[i] = x[i] / 2", "v = x[i] + x[i]\n        v = v / 2\n        y[i] = v")
        package = self.compile(text)
        self.assertIn("v = tile.mul(v, 0.5)", package.stage("my-plugin.reciprocals"))
        self.assert_agrees(package, runs=False)


if __name__ == "__main__":
    unittest.main()
