"""`htp-host diff`: what of two packages is another, and whether they compute the same.

    diff_test.py --host build/dev/bin/htp-host
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "sdk/python"), str(ROOT / "plugins/dialect-tile/python"), str(ROOT / "tests/support")]

from htp.differing import functions_of, program_rows, type_rows  # noqa: E402
from signed import sign  # noqa: E402

PROGRAM = """import htp
from htp import In, Out, f32
from htp_tile import Tensor, exp, kernel, reduce_sum, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def rows(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        e = exp(x[i, :])
        total = reduce_sum(e, axis=1)
        y[i, :] = e / total
"""
HOST = Path()


class Aligned(unittest.TestCase):
    def changes(self, was: str, is_: str) -> list[tuple[str, str, str]]:
        return [(row["change"], row["was"], row["is"]) for row in program_rows(was, is_)]

    def test_statements_are_aligned_by_what_they_are(self) -> None:
        self.assertEqual(self.changes(PROGRAM, PROGRAM.replace("\n\n", "\n\n\n\n")), [])
        self.assertEqual(self.changes(PROGRAM, PROGRAM.replace("tiles(M, 8)", "tiles(M, 4)")), [("changed", "for i in tiles(M, 8):", "for i in tiles(M, 4):")])
        self.assertEqual(self.changes(PROGRAM, PROGRAM.replace("        total", "        half = e * 0.5\n        total")), [("added", "", "half = e * 0.5")])
        self.assertEqual(self.changes(PROGRAM, PROGRAM.replace("def rows", "def lines"))[0][0], "removed")

    def test_a_statement_that_stands_elsewhere_has_moved(self) -> None:
        was = "def f(x):\n    a = x\n    b = x + 1\n    c = x + 2\n    return a\n"
        is_ = "def f(x):\n    b = x + 1\n    c = x + 2\n    a = x\n    return a\n"
        self.assertEqual(self.changes(was, is_), [("moved", "a = x", "a = x")])
        row = program_rows(was, is_, "03", "04")[0]
        self.assertEqual((row["was_node"][:3], row["is_node"][:3]), ("03:", "04:"))

    def test_a_statement_at_another_depth_is_another(self) -> None:
        was, is_ = ("def f(x):\n    for i in x:\n        a = i\n" + " " * n + "b = x\n" for n in (8, 4))
        self.assertEqual(self.changes(was, is_), [("changed", "b = x", "b = x")])

    def test_functions_in_functions_have_both_names(self) -> None:
        self.assertEqual(list(functions_of("@p\ndef f():\n    @q\n    def g():\n        x = 1\n")), ["", "f", "f.g"])

    def test_types_differ_in_dtype_extents_or_layout(self) -> None:
        was = "def f(x: In[Tensor[f32, M, N]]):\n    a: Tile[f32, i, N] = x\n    b: Tile[f32, i, N, ordered((0, 1))] = x\n"
        is_ = "def f(x: In[Tensor[f16, M, N]]):\n    a: Tile[f32, i, 8] = x\n    b: Tile[f32, i, N, ordered((1, 0))] = x\n"
        self.assertEqual([(row["name"], row["of"]) for row in type_rows(was, is_)], [("x", "dtype"), ("a", "extents"), ("b", "layout")])


class Command(unittest.TestCase):
    def setUp(self) -> None:
        made = tempfile.TemporaryDirectory(prefix="a b")
        self.addCleanup(made.cleanup)
        self.folder = Path(made.name)

    def host(self, *words: object, code: int = 0, **variables: str) -> str:
        environment = {**os.environ, "HTP_CACHE": str(self.folder / "cache"), "CI": "1", "HTP_REPRODUCE": "off", **variables}
        done = subprocess.run([HOST, *map(str, words)], capture_output=True, text=True, cwd=self.folder, env=environment)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def answer(self, *words: object) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.host("--json", "diff", *words))
        return found

    def compiled(self, name: str, text: str, *options: str) -> None:
        (self.folder / "rows.py").write_text(text)
        self.host("--plugins", "cpu", "compile", "rows.py", "-o", name, "-q", *options)

    def test_packages(self) -> None:
        self.compiled("was", PROGRAM)
        self.assertIn("was → was\nnothing differs\npredicted time: ", self.host("diff", "was", "was"))
        self.compiled("wide", PROGRAM.replace("tiles(M, 8)", "tiles(M, 32)"), "--stages", "last")
        text = self.host("diff", "was", "wide", "--semantic", "--seconds", "1", "--dim", "M=32")
        for line in ("program\n  @kernel rows, node 00:", "    - for i in tiles(M, 8):\n    + for i in tiles(M, 32):\n", "emitted\n  codegen/cpu/kernel.c: changed, +", " at M=32, N=64, by cpu.cost\n"):
            self.assertIn(line, text)
        self.assertIn("results: the same, in 1 call at M=32, N=64\n", text)
        self.compiled("wrong", PROGRAM.replace("e / total", "e / (total + 1.0)"))
        found = self.answer("was", "wrong", "--semantic", "--seconds", "1", "-o", "shows.npz")["results"]
        self.assertEqual((found["same"], found["stage"]), (False, "wrong: 00-source"))
        self.host("run", "was", "--inputs", "shows.npz")
        self.assertEqual(self.answer("was", "wrong")["results"] if "results" in self.answer("was", "wrong") else None, None)

    def test_what_was_made_for_the_target_counts(self) -> None:
        """The stages agree, and the code that was made of them does not."""
        self.compiled("was", PROGRAM)
        self.compiled("hand", PROGRAM)
        code = self.folder / "hand/codegen/cpu/kernel.c"
        text = code.read_text()
        code.write_text(text.replace("htp_failure failed = {0};", "htp_failure failed = {0}; __builtin_trap();"))
        self.assertNotEqual(code.read_text(), text)
        sign(self.folder / "hand")
        for sides in (("was", "hand"), ("hand", "was")):
            found = self.answer(*sides, "--semantic", "--seconds", "1")["results"]
            self.assertEqual((found["same"], found["stage"]), (False, "hand: its target cpu"))
        self.assertIn("results: others, in hand: its target cpu\n  at ", self.host("diff", "was", "hand", "--semantic", "--seconds", "1"))
        self.assertTrue(self.answer("was", "was", "--semantic", "--seconds", "1")["results"]["same"])
        text = self.host("diff", "was", "was", "--semantic", "--seconds", "1", code=0, CC="nothing", HTP_CACHE=str(self.folder / "other"))
        self.assertIn("results: the same in the stages; the target was not run: ", text)
        self.assertNotIn("results: the same, in", text)

    def test_a_call_without_elements_shows_nothing(self) -> None:
        self.compiled("was", PROGRAM)
        text = self.host("diff", "was", "was", "--semantic", "--seconds", "1", "--dim", "M=0", "--dim", "N=0")
        self.assertIn("results: not held against each other: no output has an element in 1 call at M=0, N=0, which shows nothing\n", text)

    def test_a_dimension_that_is_a_number_in_one(self) -> None:
        self.compiled("was", PROGRAM)
        self.compiled("fixed", PROGRAM, "--set", "N=8")
        for sides in (("was", "fixed"), ("fixed", "was")):
            self.assertIn("results: not held against each other: they are called otherwise: ", self.host("diff", *sides, "--semantic"))
        self.assertTrue(self.answer("fixed", "fixed", "--semantic", "--seconds", "1")["results"]["same"])

    def test_what_cannot_be_compared(self) -> None:
        self.compiled("was", PROGRAM)
        self.compiled("half", PROGRAM.replace("f32", "f16"))
        found = self.answer("was", "half", "--semantic")
        self.assertIsNone(found["results"]["same"])
        self.assertIn("they are called otherwise: ", found["results"]["why"])
        self.assertEqual([(row["name"], row["was"], row["is"]) for row in found["parameters"]][0], ("x", "in Tensor[f32, M, N]", "in Tensor[f16, M, N]"))
        self.assertIn("error[cli.missing-argument]: `B` is required", self.host("diff", "was", code=2))
        self.assertIn("error[cli.unexpected-argument]: unexpected argument `was`", self.host("diff", "was", "was", "was", code=2))
        self.assertIn("error[", self.host("diff", "was", "nowhere", code=1))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--host", type=Path, required=True)
    options, rest = parser.parse_known_args()
    HOST = options.host.resolve()
    unittest.main(argv=[sys.argv[0], *rest])
