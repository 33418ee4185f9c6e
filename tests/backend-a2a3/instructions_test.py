"""Instructions in programs: what they may be, and what is said where they may not."""

from __future__ import annotations

import re
import unittest
from pathlib import Path

from case import ROOT, Case
from htp import semantics

LEAKY = (Path(__file__).parent / "leaky.py").read_text()


class Words(Case):
    def refused(self, old: str, new: str, message: str, hint: str) -> str:
        self.assertIn(old, LEAKY)
        text = LEAKY.replace(old, new)
        done = self.compile(text)
        self.assertEqual(done.returncode, 1, done.stderr)
        line = 1 + next(n for n, one in enumerate(text.splitlines()) if new.splitlines()[-1] in one)
        self.assertRegex(done.stderr, rf"error\[(a2a3|tile)\.[a-z-]+\]: .*\n *--> .*program.py:{line}:")
        self.assertIn(message + "\n", done.stderr)
        self.assertIn(f"= hint: {hint}\n", done.stderr)
        return text

    def test_what_goes_by_elements_is_listed(self) -> None:
        """Rows of an intrinsic with a handler can be cut wherever the table of meanings has it: it is computed element by element."""
        sources = ROOT / "plugins/backend-a2a3"
        handled = set(re.findall(r'^HANDLER\("tile\.(\w+)"', (sources / "lowering/handlers.def").read_text(), re.MULTILINE))
        listed = set(re.findall(r"^ELEMENTWISE\((\w+),", (sources / "passes/elementwise.def").read_text(), re.MULTILINE))
        meant = {*semantics.FLOAT, *semantics.INTEGER, *semantics.COMPARISONS}
        self.assertEqual(listed - {"cast", "where"}, handled & meant)

    def test_long_rows_of_each_rounding(self) -> None:
        for rounding in ("ceil", "floor", "round", "trunc"):
            text = f"""import htp
from htp import In, Out, f32
from htp_tile import Tensor, {rounding}, kernel, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def rows(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = {rounding}(x[i, :])
"""
            done = self.compile(text)
            self.assertEqual(done.returncode, 0, done.stderr)
            registry = (self.folder / "package/codegen/a2a3/registry.json").read_text()
            self.assertNotIn('"extent": "N"', registry, f"{rounding}: rows of any length are taken")

    def test_they_stand_as_they_are(self) -> None:
        done = self.compile(LEAKY, "--verify-each")
        self.assertEqual(done.returncode, 0, done.stderr)
        text = (self.folder / "package/codegen/a2a3/kernels/aiv/leaky.cpp").read_text()
        for line in ("TLRELU(u, a, float(0.1));", "TADD(v, u, z_tile);", "TAXPY(v, a, float(0.5));"):
            self.assertIn(line, text)

    def test_what_has_no_result(self) -> None:
        last = "y[i, j] = exp(-v * v) + u"
        self.refused(last, "y[i, j] = pto.texp(u, v)", "the argument `value` of `tile.store` is not a tile: `pto.texp(u, v)`",
                     "it writes its first operand, and has no result: let it stand alone, and go on with `u`")
        self.refused(last, "y[i, j] = pto.tadd(u, v)", "`pto.tadd` needs the argument `b`", "it writes its first operand, a tile of its own: `pto.tadd(y, a, b)`")

    def test_another_modules_word_for_what_the_language_has(self) -> None:
        text = self.refused("y[i, j] = exp(-v * v) + u", "y[i, j] = pto.maximum(u, v)", "`pto.maximum` is not an intrinsic", "import it: `from htp_tile import maximum`")
        mended = text.replace("pto.maximum(u, v)", "maximum(u, v)").replace("import Tensor, exp, kernel, tiles", "import Tensor, exp, kernel, tiles, maximum")
        self.assertEqual(self.compile(mended).returncode, 0, "what the fix says")


if __name__ == "__main__":
    unittest.main()
