"""Forms that refusals name: what they compute. The refusals themselves are in refused/."""

from __future__ import annotations

import re
import shutil
import unittest

import numpy as np

from case import HEAD, PROGRAMS, ROOT, Case


MORE_ORDER = ("fft", "jacobi")
"""Examples that compile, with barriers between stores of which nothing shows that they do not meet: law 2 asks for none that a program does without."""
FEWER_SIZES = ("two_norms",)
"""Examples that compile for rows so short that law 2's sizes do not fit."""


class Hints(Case):
    """Programs that follow a hint give what was meant."""

    def test_integers_that_are_divided(self) -> None:
        head = HEAD.replace("htp_tile import", "htp_tile import floor, rem, trunc,") + "def program(x: In[Tensor[{0}, M, N]], d: In[Tensor[{0}, M, N]], y: Out[Tensor[{0}, M, N]]) -> None:\n    for i in tiles(M, 8):\n        y[i, :] = {1}\n"
        x = np.array([[-(2**24) + 1, 2**24 - 1, -8, -7, -1, 0, 1, 6, 7, 8]], np.int32)
        d = np.array([[3, 7, 5, 7, 9, 1, 2, 6, 8, 3]], np.int32)
        for dtype, one, form, result in (
            ("i32", "a // 7", "cast(floor(cast(a, f32) / 7.0), i32)", x // 7),
            ("i32", "a % 7", "a - cast(floor(cast(a, f32) / 7.0), i32) * 7", x % 7),
            ("i32", "rem(a, 7)", "a - cast(trunc(cast(a, f32) / 7.0), i32) * 7", np.fmod(x, 7)),
            ("i32", "a // b", "cast(floor(cast(a, f32) / cast(b, f32)), i32)", x // d),
            ("i32", "a % b", "a - cast(floor(cast(a, f32) / cast(b, f32)), i32) * b", x % d),
            ("i16", "a // 4", "cast(cast(a, i32) // 4, i16)", None),
        ):
            with self.subTest(one):
                tiles_of = lambda text: re.sub(r"\ba\b", "x[i, :]", re.sub(r"\bb\b", "d[i, :]", text))
                done = self.compile(head.format(dtype, tiles_of(one)))
                self.assertEqual(done.stderr.count("error["), 1, done.stderr)
                self.assertIn("`" + re.sub(r"\ba\b", "x", re.sub(r"\bb\b", "d", form)) + "`\n", done.stderr)
                done = self.compile(head.format(dtype, tiles_of(form)))
                self.assertEqual(done.returncode, 0, done.stderr)
                if result is not None:
                    self.assertEqual(self.ran(x=x, d=d).returncode, 0)
                    with np.load(self.folder / "out.npz") as out:
                        np.testing.assert_array_equal(out["y"], result)
                shutil.rmtree(self.folder / "package")

    def test_places_that_come_from_data(self) -> None:
        for columns, extent, count, places in (("N", 20, 8, [0, 12, 5]), ("64", 64, 1, [0, 63, 5])):
            with self.subTest(columns=columns, count=count):
                done = self.compile(HEAD + f"def program(x: In[Tensor[f32, M, {columns}]], t: In[Tensor[i32, M]], y: Out[Tensor[f32, M, {count}]]) -> None:\n"
                                    f"    for b in range(M):\n        p = index(t[b])\n        y[b, :] = x[b, p : p + {count}]\n")
                self.assertEqual(done.returncode, 0, done.stderr)
                x = np.arange(3 * extent, dtype=np.float32).reshape(3, extent)
                ran = self.ran(x=x, t=np.array(places, np.int32))
                self.assertEqual(ran.returncode, 0, ran.stderr)
                np.testing.assert_array_equal(np.load(self.folder / "out.npz")["y"], np.stack([x[b, p : p + count] for b, p in enumerate(places)]))
                for wrong in (extent - count + 1, -1):
                    ran = self.ran(x=x, t=np.array([places[0], wrong, places[2]], np.int32))
                    self.assertEqual(ran.returncode, 1, ran.stderr)
                    self.assertIn(f"error[{'a2a3sim.outside' if count == 1 else 'a2a3sim.outside-indices'}]: `t` holds {wrong} at element 1, and ind", ran.stderr)
                    self.assertIn(f"not there: it has {extent}\n  = hint: let `t` hold 0 to {extent - count}, or keep it inside: `p = min(max(index(t[b]), 0), {'N - 8' if count == 8 else 63})`\n", ran.stderr)

    def test_extents_are_no_tuple(self) -> None:
        head = HEAD.replace("htp_tile import", "htp_tile import iota,") + "def program(x: In[Tensor[i32, M, N]], y: Out[Tensor[i32, M, N]]) -> None:\n    for i in tiles(M, 8):\n        y[i, :] = x[i, :] + iota(i32, {}, axis=1)\n"
        done = self.compile(head.format("(i, N)"))
        self.assertEqual(done.stderr.count("error["), 1, done.stderr)
        self.assertIn("error[tile.unsupported]: the tile language has no tuples\n", done.stderr)
        self.assertIn("= hint: give the extents one by one: `i, N`\n", done.stderr)
        self.assertEqual(self.compile(head.format("i, N")).returncode, 0)

    def test_an_int_is_read_once_for_both_bounds(self) -> None:
        head = HEAD + "def program(x: In[Tensor[f32, M, N]], t: In[Tensor[i32, B]], y: Out[Tensor[f32, B, 4, N]]) -> None:\n    for b in range(B):\n        {}\n"
        done = self.compile(head.format("y[b, :, :] = x[index(t[b]) : index(t[b]) + 4, :]"))
        self.assertIn("= hint: ints in the bounds cancel, as in `p:p + 8`, of what is read once, `p = index(t[b])`\n", done.stderr)
        self.assertEqual(self.compile(head.format("p = index(t[b])\n        y[b, :, :] = x[p : p + 4, :]")).returncode, 0)

    def test_casts_between_bytes_wrap_around(self) -> None:
        for one, other in (("i8", "u8"), ("u8", "i8")):
            with self.subTest(one):
                done = self.compile(HEAD + f"def program(x: In[Tensor[{one}, 8, 32]], y: Out[Tensor[{other}, 8, 32]]) -> None:\n    y[:, :] = cast(x[:, :], {other})\n")
                self.assertEqual(done.returncode, 0, done.stderr)
                x = np.arange(256).astype({"i8": np.int8, "u8": np.uint8}[one]).reshape(8, 32)
                self.assertEqual(self.ran(x=x).returncode, 0)
                with np.load(self.folder / "out.npz") as out:
                    np.testing.assert_array_equal(out["y"], x.view({"i8": np.int8, "u8": np.uint8}[other]))
                shutil.rmtree(self.folder / "package")

    def test_the_other_examples_say_why(self) -> None:
        for path in sorted(ROOT.glob("examples/*/*.py")):
            if path.stem in (*PROGRAMS, *MORE_ORDER, *FEWER_SIZES):
                continue
            with self.subTest(path.stem):
                done = self.compile(path, *(["--entry", "strips"] if path.stem == "blur_wsp" else []))  # the others of it compile
                self.assertEqual(done.returncode, 1, done.stderr)
                self.assertRegex(done.stderr, r"error\[(a2a3|resolve|tile|wsp)\.[a-z-]+\]")
                self.assertNotIn("broken-promise", done.stderr)


if __name__ == "__main__":
    unittest.main()
