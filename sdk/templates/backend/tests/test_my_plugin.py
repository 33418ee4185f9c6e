"""What is emitted, that it runs and is right, and what is refused in which words."""

import unittest
from pathlib import Path

from htp import testing

PROJECT = Path(__file__).resolve().parents[1]
EXAMPLE = (PROJECT / "examples/bell.py").read_text()
ALL_WORDS = '''
import htp
from htp import In, InOut, f32
from htp_tile import Tensor, exp, kernel, sqrt, tiles

N = htp.dim("N")


@kernel
def words(int: In[Tensor[f32, N]], y: InOut[Tensor[f32, N]]) -> None:
    """Names that C has taken, a name that is bound twice, a second loop."""
    for i in htp.parallel(tiles(N, 16)):
        a = abs(int[i]) + 1.0
        a = a / (y[i] - -2.5)
        y[i] = sqrt(a) * exp(-a)
    for j in tiles(N, 8):
        y[j] = 2 * y[j]
'''


class Backend(testing.PluginTest):
    profile = PROJECT / "profile.yaml"

    def test_the_example_means_the_same_on_every_stage_and_on_the_target(self) -> None:
        self.assert_agrees(self.compile(PROJECT / "examples/bell.py"))

    def test_every_word_is_emitted_right(self) -> None:
        self.assert_agrees(self.compile(ALL_WORDS))

    def test_the_c_cites_the_last_stage(self) -> None:
        package = self.compile(PROJECT / "examples/bell.py")
        code = (package.folder / "codegen/my-plugin/kernel.c").read_text()
        last = package.stage("my-plugin.select").splitlines()
        line = next(line for line in code.splitlines() if "expf(" in line)
        self.assertIn("my_plugin.exp(", last[int(line.rpartition(":")[2]) - 1])

    def test_an_intrinsic_without_a_handler_is_refused(self) -> None:
        self.assertIn("error[my-plugin.no-handler]: `tile.tanh` has no handler for my-plugin", self.refused(EXAMPLE.replace("sqrt", "tanh")))

    def test_other_dtypes_are_refused(self) -> None:
        self.assertIn("error[my-plugin.no-form]: the backend has no form for `x`, which is no vector of f32", self.refused(EXAMPLE.replace("f32", "f64")))

    def test_other_loops_are_refused(self) -> None:
        self.assertIn("error[my-plugin.no-form]", self.refused(EXAMPLE.replace("tiles(N, 64)", "range(N)")))


if __name__ == "__main__":
    unittest.main()
