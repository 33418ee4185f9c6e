"""Instructions in programs: what they may be, and what is said where they may not."""

from __future__ import annotations

import unittest
from pathlib import Path

from case import Case

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

    def test_they_stand_as_they_are(self) -> None:
        done = self.compile(LEAKY, "--verify-each")
        self.assertEqual(done.returncode, 0, done.stderr)
        text = (self.folder / "package/codegen/a2a3/kernels/aiv/leaky.cpp").read_text()
        for line in ("TLRELU(u, a, float(0.1));", "TADD(v, u, z_tile);", "TAXPY(v, a, float(0.5));"):
            self.assertIn(line, text)

    def test_operands_that_no_core_takes(self) -> None:
        call = "pto.tlrelu(u, a, 0.1)"
        for new, message, hint in (
            ("pto.tfmod(u, u, a)", "`pto.tfmod` writes `u` where it reads `u`", "let it write to a tile of its own: `other = pto.tile(f32, i, j)`"),
            ("pto.texp(u, v)", "`pto.texp` reads `v`, and nothing has written it before", "fill it, `pto.texpands(v, 0)`, or load it before"),
            ("pto.ttrans(u, a, v)", "`pto.ttrans` of `u`, i x j, and `a`, i x j", "let rows of the one and columns of the other agree, where they are declared"),
            ("pto.tand(u, a, a)", "`pto.tand` does not take `u`, a tile of f32", "it writes bool_ i8 u8 i16 u16 i32 u32: declare the tile so"),
        ):
            with self.subTest(new):
                self.refused(call, new, message, hint)

    def test_extents_that_only_a_column_or_a_row_may_have(self) -> None:
        for extents, word, what in (("i, 1", "trowexpandadd", "column"), ("1, j", "tcolexpandadd", "row")):
            line = f"c = pto.tile(f32, {extents})\n            pto.texpands(c, 1)\n            pto.tadd(v, u, c)"
            self.refused("pto.tadd(v, u, z[i, j])", line, f"`pto.tadd` of `v`, i x j, and `c`, {extents.replace(', ', ' x ')}", f"a {what} counts for a whole tile by `pto.{word}`")
            done = self.compile(LEAKY.replace("pto.tadd(v, u, z[i, j])", line.replace("pto.tadd(", f"pto.{word}(")))
            self.assertEqual(done.returncode, 0, done.stderr)

    def test_too_little_room_to_work_in(self) -> None:
        head = LEAKY.split("@kernel")[0].replace("import In, Out, f32", "import In, Out, f32, i32, u8") + "@kernel\n"
        for tiles, call, used, less, hint, enough in (
            ("f32, i, 1", "pto.trowmax(t, x[i, j], w)", "16 x 8", "f32, 16, 8", "16 x 64 f32", "f32, 16, 64"),
            ("f32, i, 1", "pto.trowsum(t, x[i, j], w)", "16 x 64", "f32, 16, 64", "16 x 128 f32", "f32, 16, 128"),
            ("i32, i, 1", "pto.trowargmax(t, x[i, j], w)", "16 x 8", "f32, 16, 8", "16 x 12 f32", "f32, 16, 16"),
            ("f32, j, i", "pto.ttrans(t, x[i, j], w)", "8 x 8", "f32, 8, 8", "16384 bytes", "f32, 16, 256"),
            ("f32, i, j", "pto.tprelu(t, x[i, j], x[i, j], w)", "1 x 32", "u8, 1, 32", "17 x 32 u8", "u8, 17, 32"),
        ):
            dtype, *extents = tiles.split(", ")
            out, place = ", ".join({"i": "M", "j": "N"}.get(e, e) for e in extents), ", ".join(":" if e == "1" else e for e in extents)
            text = (head + f"def program(x: In[Tensor[f32, M, N]], y: Out[Tensor[{dtype}, {out}]]) -> None:\n    for i in tiles(M, 16):\n        for j in tiles(N, 256):\n"
                    f"            t = pto.tile({tiles})\n            w = pto.tile({{}})\n            {call}\n            y[{place}] = t\n")
            with self.subTest(call):
                done = self.compile(text.format(less))
                self.assertEqual(done.returncode, 1, done.stderr)
                line = 1 + text.splitlines().index(f"            {call}")
                self.assertRegex(done.stderr, rf"error\[a2a3.operands\]: .*\n *--> .*program.py:{line}:")
                self.assertIn(f"i_n x j_n, works in `w`, {used}\n", done.stderr)
                self.assertIn(f"declare `w` with room for {hint} at least\n", done.stderr)
                done = self.compile(text.format(enough))
                self.assertEqual(done.returncode, 0, done.stderr)

    def test_what_is_the_compilers_own(self) -> None:
        call = "pto.tlrelu(u, a, 0.1)"
        self.refused(call, "pto.tlrelu(a, a, 0.1)", "`pto.tlrelu` writes to `a`, a value of the program",
                     "let it write to a tile of its own: `other = pto.tile(…)` with its dtype and extents, and go on with that")
        self.refused(call, "pto.drain()", "`pto.drain` in a program", "leave it out: kernels, what lies between them, and the order of their pipes are the compiler's")
        self.refused("u = pto.tile(f32, i, j)", "u = pto.tile(f32, i, j, space=\"acc\")", "a tile of a program says where it lies: `pto.tile(f32, i, j, space='acc')`",
                     "leave it to the compiler, and give a dtype and extents alone: `pto.tile(f32, i, j)`")

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
