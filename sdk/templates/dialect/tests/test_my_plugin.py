"""What the dialect understands, what it refuses and with which messages, and what becomes of a formula."""

import unittest
from pathlib import Path

from htp import testing

PROJECT = Path(__file__).resolve().parents[1]
EXAMPLE = (PROJECT / "examples/axpy.py").read_text()


class Formulas(testing.PluginTest):
    profile = PROJECT / "profile.yaml"

    def refused_with(self, formula: str) -> str:
        """What is reported of the example with another body."""
        return self.refused(EXAMPLE.replace("y[:] = 2.5 * x[:] + y[:]", formula))

    def test_the_example_means_the_same_on_every_stage_and_on_the_cpu(self) -> None:
        self.assert_agrees(self.compile(PROJECT / "examples/axpy.py"))

    def test_the_pass_makes_a_kernel_with_blocks_of_the_profile_s_size(self) -> None:
        stage = self.compile(PROJECT / "examples/axpy.py").stage("my-plugin.blocks")
        self.assertIn("@tile.kernel", stage)
        self.assertIn("for i in tile.tiles(N, 64):\n        y[i] = 2.5 * x[i] + y[i]", stage)
        self.assertNotIn("htp_my_plugin", stage)

    def test_indices_are_refused(self) -> None:
        self.assertIn("error[my-plugin.not-whole]: a formula works on whole vectors: write `x[:]`", self.refused_with("y[:] = x[0]"))

    def test_loops_are_refused(self) -> None:
        self.assertIn("error[my-plugin.not-a-formula]: a formula has no `For` statement", self.refused_with("for i in range(3):\n        y[:] = x[:]"))

    def test_what_looks_beyond_its_own_element_is_refused(self) -> None:
        text = EXAMPLE.replace("import Tensor", "import Tensor, reduce_max").replace("2.5 * x[:]", "x[:] - reduce_max(x[:], axis=0)")
        self.assertIn("error[my-plugin.not-elementwise]: `reduce_max` is not elementwise", self.refused(text))

    def test_vectors_of_two_lengths_are_refused(self) -> None:
        text = EXAMPLE.replace('N = htp.dim("N")', 'N = htp.dim("N")\nM = htp.dim("M")').replace("x: In[Tensor[f32, N]]", "x: In[Tensor[f32, M]]")
        self.assertIn("error[my-plugin.other-length]: `y` is `N` long, and `x` is `M`", self.refused(text))

    def test_a_matrix_is_refused(self) -> None:
        self.assertIn("error[my-plugin.no-vector]: `x` is no vector", self.refused(EXAMPLE.replace("x: In[Tensor[f32, N]]", "x: In[Tensor[f32, N, 4]]")))


if __name__ == "__main__":
    unittest.main()
