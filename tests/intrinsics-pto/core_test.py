"""The model of a core under plain Python: what instructions compute, and that it raises where a kernel would not work."""

from __future__ import annotations

import unittest
from collections.abc import Callable
from typing import Any

import htp_pto as pto
import numpy as np
from htp import HtpError, bf16, bool_, f16, f32, i8, i32, i64, u8, u32
from htp_pto import machine
from htp_tile import tiles

random = np.random.default_rng(7)


def tensor(dtype: Any, data: Any) -> Any:
    return dtype.in_memory(dtype.encode(np.asarray(data, dtype.element)), "x", (0,) * np.ndim(data))


def whole(*counts: int) -> tuple[slice, ...]:
    return tuple(slice(0, count) for count in counts)


def flag(source: str, destination: str, event: int = 0) -> None:
    pto.set_flag(source, destination, event)
    pto.wait_flag(source, destination, event)


Step = tuple[str, Callable[[], None]]


class Product:
    """z = x @ y on a cube core, step by step, so that a test can leave out, change or add one."""

    def __init__(self, dtype: Any = f16, result: Any = f32, m: int = 20, k: int = 40, n: int = 33, turned: bool = False, kept: Any = None) -> None:
        draw = (lambda s: random.integers(-100, 100, s)) if dtype is i8 else random.standard_normal
        self.x, self.y = (tensor(dtype, draw(s)) for s in ((m, k), (n, k) if turned else (k, n)))
        self.z = pto.gm(kept or result, (m), (n))
        self.size = (m, k, n)
        self.turned, self.dtype, self.result = turned, dtype, result

    def steps(self) -> list[Step]:
        m, k, n = self.size
        t: dict[str, Any] = {}

        def tiles() -> None:
            up = lambda x: (x + 31) // 32 * 32
            t["a"] = pto.tile(self.dtype, up(m), up(k), valid=(m, k), at=0, space="mat")
            t["b"] = pto.tile(self.dtype, up(k), up(n), valid=(k, n), at=65536, space="mat", layout="zn" if self.turned else "nz")
            t["l"] = pto.tile(self.dtype, up(m), up(k), valid=(m, k), at=0, space="left")
            t["r"] = pto.tile(self.dtype, up(k), up(n), valid=(k, n), at=0, space="right")
            t["c"] = pto.tile(self.result, up(m), up(n), valid=(m, n), at=0, space="acc")

        return [
            ("tiles", tiles),
            ("load a", lambda: pto.tload(t["a"], self.x, *whole(m, k))),
            ("load b", lambda: pto.tload(t["b"], self.y, *whole(*((n, k) if self.turned else (k, n))))),
            ("MTE2 to MTE1", lambda: flag("MTE2", "MTE1")),
            ("move a", lambda: pto.tmov(t["l"], t["a"])),
            ("move b", lambda: pto.textract(t["r"], t["b"], 0, 0)),
            ("MTE1 to M", lambda: flag("MTE1", "M")),
            ("multiply", lambda: pto.tmatmul(t["c"], t["l"], t["r"])),
            ("add", lambda: pto.tmatmul_acc(t["c"], t["l"], t["r"])),
            ("M to FIX", lambda: flag("M", "FIX")),
            ("store", lambda: pto.tstore(self.z, t["c"], *whole(m, n))),
            ("drain", pto.drain),
        ]

    def run(self, without: str = "") -> None:
        with pto.aic():
            for name, step in self.steps():
                if name != without:
                    step()


class Cube(unittest.TestCase):
    def test_products(self) -> None:
        for dtype, result, kept in ((f16, f32, f32), (bf16, f32, bf16), (f32, f32, f16), (i8, i32, i32)):
            for turned in (False, True):
                with self.subTest(f"{dtype.name} to {kept.name}, turned: {turned}"):
                    p = Product(dtype, result, turned=turned, kept=kept)
                    p.run()
                    x, y = (np.asarray(q.decode(q.data), np.float64) for q in (p.x, p.y))
                    expected = 2 * (x @ (y.T if turned else y))
                    close = {"f32": 1e-5, "i32": 0.0, "f16": 1e-3, "bf16": 8e-3}[kept.name]
                    np.testing.assert_allclose(np.asarray(p.z.decode(p.z.data), np.float64), expected, rtol=close, atol=close * 40)

    def test_what_is_not_ordered(self) -> None:
        for left_out, said in (
            ("MTE2 to MTE1", "`tmov` on pipe MTE1 touches what `tload` on pipe MTE2 may still be working on: a flag from one to the other is missing"),
            ("MTE1 to M", "`tmatmul` on pipe M touches what `tmov` on pipe MTE1"),
            ("M to FIX", "`tstore` on pipe FIX touches what `tmatmul_acc` on pipe M"),
            ("drain", "a kernel ends before what it stores has left"),
        ):
            with self.subTest(left_out), self.assertRaises(HtpError) as told:
                Product().run(without=left_out)
            self.assertIn(said, str(told.exception))

    def test_the_order_of_what_is_used_again(self) -> None:
        p = Product()
        again = {
            "load a": "`tload` on pipe MTE2 touches what `tload` on pipe MTE2 may still be working on: a barrier is missing",
            "move a": "`tmov` on pipe MTE1 touches what `tmov` on pipe MTE1",
            "multiply": "`tmatmul` on pipe M touches what `tstore` on pipe FIX may still be working on: a flag from one to the other is missing",
        }
        for step, said in again.items():
            with self.subTest(step), self.assertRaises(HtpError) as told, pto.aic():
                steps = p.steps()
                for _, one in steps[:-1]:
                    one()
                dict(steps)[step]()
            self.assertIn(said, str(told.exception))

    def test_places_that_there_are_not(self) -> None:
        for said, make in (
            ("the unified buffer is a vector core's, and this is a cube core", lambda: pto.tile(f16, 16, 16, at=0)),
            ("the spaces of tiles are ub, mat, left, right, acc, bias, scaling, and 'l1' is none", lambda: pto.tile(f16, 16, 16, at=0, space="l1")),
            ("not made of boxes of 16 x 16", lambda: pto.tile(f16, 16, 24, at=0, space="left")),
            ("not made of boxes of 32 x 16", lambda: pto.tile(i8, 16, 16, at=0, space="right")),
            ("is outside of L0A, which has 65536", lambda: pto.tile(f16, 256, 128, at=32, space="left")),
            ("has no layout to choose", lambda: pto.tile(f16, 16, 16, at=0, space="left", layout="zn")),
            ("has the layouts nz, zn, nd, not 'dn'", lambda: pto.tile(f16, 16, 16, at=0, space="mat", layout="dn")),
            ("begins at a multiple of 32 bytes", lambda: pto.tile(f16, 16, 16, at=8, space="mat")),
            ("the pipes of a cube core are MTE2, MTE1, M, FIX, MTE3, S, and 'V' is none", lambda: pto.set_flag("MTE2", "V", 0)),
            ("`tmov` does not move from L1 to L0C", lambda: pto.tmov(pto.tile(f32, 16, 16, at=0, space="acc"), pto.tile(f32, 16, 16, at=0, space="mat"))),
            ("`tmov` does not convert f16 to f32", lambda: pto.tmov(pto.tile(f32, 16, 16, at=0, space="left"), pto.tile(f16, 16, 16, at=0, space="mat"))),
            ("`textract` takes 16 x 16 from 8, 0 on, of 16 x 16", lambda: pto.textract(pto.tile(f16, 16, 16, at=0, space="left"), pto.tile(f16, 16, 16, at=0, space="mat"), 8, 0)),
            ("`tmatmul` of f16 by f16 to f16: f16, bf16 and f32 give f32, i8 gives i32", lambda: pto.tmatmul(*(pto.tile(f16, 16, 16, at=0, space=s) for s in ("acc", "left", "right")))),
            ("`tmatmul` multiplies a tile in L0A by one in L0B to one in L0C", lambda: pto.tmatmul(*(pto.tile(f16, 16, 16, at=0, space=s) for s in ("acc", "right", "left")))),
            ("global memory is made outside of kernels", lambda: pto.gm(f32, 4)),
        ):
            with self.subTest(said), self.assertRaises(HtpError) as told, pto.one_by_one("aic"):
                make()
            self.assertIn(said, str(told.exception))


class Flags(unittest.TestCase):
    def test_a_flag_that_can_hang_or_be_lost(self) -> None:
        """A flag holds one bit: set again before its wait is over, one of the two is lost."""
        there, back = ("MTE2", "V", 0), ("V", "MTE2", 0)
        for steps, said in (
            ([("wait", there)], "V waits for flag 0 from MTE2 to V, which is not set: it never goes on"),
            ([("set", there), ("set", there)], "flag 0 from MTE2 to V is set, and nobody has waited for it since it was set before"),
            ([("set", there), ("wait", there), ("set", there)], "flag 0 from MTE2 to V is set again, and V may still have to wait for it"),
            ([("set", there)], "at the end of a kernel nobody has waited for flag 0 from MTE2 to V"),
            ([("set", there), ("wait", there), ("set", back), ("wait", back), ("set", there), ("wait", there)], ""),
        ):
            with self.subTest(steps):
                told = ""
                try:
                    with pto.aiv():
                        for step, flag in steps:
                            (pto.set_flag if step == "set" else pto.wait_flag)(*flag)
                        pto.drain()
                except HtpError as error:
                    told = str(error)
                self.assertEqual(told, said)


class Places(unittest.TestCase):
    """What moves elements, on 4 x 256 of them."""

    def setUp(self) -> None:
        self.x, self.y = (random.standard_normal((4, 256)).astype(np.float32) for _ in range(2))
        self.x[:, 100] = self.x[:, 101]

    def computed(self, dtype: Any, columns: int, steps: Callable[..., None], rows: int = 4) -> Any:
        """What `steps` make of tiles with x and y, in a tile of this dtype."""
        x, y, z = tensor(f32, self.x), tensor(f32, self.y), pto.gm(dtype, rows, columns)
        with pto.one_by_one():
            a, b = (pto.tile(f32, 4, 256, at=at) for at in (0, 4096))
            d = pto.tile(dtype, rows, columns, at=8192)
            pto.tload(a, x, *whole(4, 256))
            pto.tload(b, y, *whole(4, 256))
            steps(d, a, b)
            pto.tstore(z, d, *whole(rows, columns))
        return np.asarray(z.decode(z.data))

    def counted(self, at: int) -> Any:
        row, all_rows = pto.tile(u32, 1, 256, at=at), pto.tile(u32, 4, 256, at=at + 1024)
        pto.tci(row, 0)
        pto.tcolexpand(all_rows, row)
        return all_rows

    def test_sort_and_merge(self) -> None:
        def sort(d: Any, a: Any, b: Any) -> None:
            pairs = pto.tile(f32, 1, 512, at=65536)
            row, places = pto.tile(f32, 1, 256, at=0), pto.tile(u32, 1, 256, at=90112)
            pto.tload(row, tensor(f32, self.x[:1]), *whole(1, 256))
            pto.tci(places, 0)
            pto.tsort32(pairs, row, places)
            merged = pto.tile(f32, 1, 512, at=69632)
            pto.tmrgsort(merged, pairs, 64)
            pto.tgather(d, merged, "P1010" if d.name == "u32" else "P0101")

        values, places = self.computed(f32, 256, sort, 1)[0], self.computed(u32, 256, sort, 1)[0]
        for half in (slice(0, 128), slice(128, 256)):
            order = np.argsort(-self.x[0, half], kind="stable")
            np.testing.assert_array_equal(values[half], self.x[0, half][order])
            np.testing.assert_array_equal(places[half], order + half.start)

    def test_gather(self) -> None:
        def gather(d: Any, a: Any, b: Any) -> None:
            places = pto.tile(i32, 4, 256, at=16384)
            pto.texpands(places, 300)
            pto.tgather(d, a, places, pto.tile(i32, 4, 256, at=20480))

        np.testing.assert_array_equal(self.computed(f32, 256, gather), np.full((4, 256), self.x[1, 44]))

    def test_parts_and_triangles(self) -> None:
        def part(d: Any, a: Any, b: Any) -> None:
            some = pto.tile(f32, 4, 256, valid=(2, 7), at=16384)
            pto.tload(some, tensor(f32, self.y), *whole(2, 7))
            pto.tpartmax(d, a, some)

        expected = self.x.copy()
        expected[:2, :7] = np.maximum(self.x[:2, :7], self.y[:2, :7])
        np.testing.assert_array_equal(self.computed(f32, 256, part), expected)
        np.testing.assert_array_equal(self.computed(f32, 512, lambda d, a, b: pto.tconcat(d, a, b)), np.hstack([self.x, self.y]))
        np.testing.assert_array_equal(self.computed(f32, 256, lambda d, a, b: pto.ttri(d, 1, "lower")), np.tril(np.ones((4, 256)), 1))

    def test_sums_and_products(self) -> None:
        def fused(d: Any, a: Any, b: Any) -> None:
            pto.tmul(d, a, b)
            pto.tmuladddst(d, a, b)
            pto.taxpy(d, a, 0.5)

        x, y = self.x, self.y
        np.testing.assert_array_equal(self.computed(f32, 256, fused), (x * y + x * y) + np.float32(0.5) * x)
        np.testing.assert_array_equal(self.computed(f32, 256, lambda d, a, b: pto.tlrelu(d, a, 0.25)), np.where(x > 0, x, x * np.float32(0.25)))

    def test_what_is_refused(self) -> None:
        for said, step in (
            ("the patterns of `tgather` are P0101", lambda d, a, b: pto.tgather(d, a, "P11")),
            ("`tgather` takes bits of f32 to f16", lambda d, a, b: pto.tgather(pto.tile(f16, 4, 128, at=16384), a, "P0101")),
            ("`tmrgsort` merges each 4 blocks of 96 columns", lambda d, a, b: pto.tmrgsort(pto.tile(f32, 1, 256, at=16384), pto.tile(f32, 1, 256, at=20480), 96)),
            ("`tmrgsort` merges one row", lambda d, a, b: pto.tmrgsort(d, a, 64)),
            ("`tsort32` sorts 32 columns at a time", lambda d, a, b: pto.tsort32(d, pto.tile(f32, 4, 256, valid=(4, 40), at=16384), self.counted(20480))),
            ("of the operands of `tpartadd` one is as large", lambda d, a, b: pto.tpartadd(pto.tile(f32, 4, 512, at=16384), a, b)),
            ("`tconcat` puts 256 and 256 columns of f32 and f32 into 256 of f32", lambda d, a, b: pto.tconcat(d, a, b)),
            ("the sides of `ttri` are lower and upper", lambda d, a, b: pto.ttri(d, 0, "left")),
            ("`txor` overwrites what it still reads", lambda d, a, b: pto.txor(self.counted(16384), *[t := self.counted(32768), t, t])),
        ):
            with self.subTest(said), self.assertRaises(HtpError) as told:
                self.computed(f32, 256, step)
            self.assertIn(said, str(told.exception))

    def test_values(self) -> None:
        table = tensor(i64, [[3, 1], [4, 1]])
        self.assertEqual(pto.value(table, 1, 0), 4)
        with self.assertRaises(HtpError) as told:
            pto.value(tensor(f32, [1.0]), 0)
        self.assertIn("`value` reads i32 and i64, and this is f32", str(told.exception))


class Kept(unittest.TestCase):
    def test_a_tile_keeps_what_another_one_left_at_its_place(self) -> None:
        for kept in (True, False):
            y = pto.gm(f32, 8, 64)
            with pto.one_by_one():
                first = pto.tile(f32, 8, 64, valid=(8, 64), at=2048)
                pto.texpands(first, 3.0)
                again = pto.tile(f32, 8, 64, valid=(8, 64), at=2048, kept=kept)
                pto.tadds(again, again, 1.0)
                pto.tstore(y, again, *whole(8, 64))
            self.assertEqual(bool((np.asarray(y.decode(y.data)) == 4).all()), kept)
        with self.assertRaises(HtpError) as told:
            pto.tile(f32, 8, 64, kept=True)
        self.assertEqual(str(told.exception), "a tile that keeps what is there has an address: `at=0`")


    def test_before_there_are_places_a_tile_keeps_what_one_of_the_same_block_has(self) -> None:
        y = pto.gm(f32, 8, 64)
        with pto.one_by_one():
            for turn in range(2):
                for j in tiles(64, 32):
                    part = pto.tile(f32, 8, j, kept=True)
                    if turn == 0:
                        pto.texpands(part, float(j.start))
                    else:
                        pto.tadds(part, part, 1.0)
                        pto.tstore(y, part, slice(0, 8), j)
        np.testing.assert_array_equal(np.asarray(y.decode(y.data)), np.tile(np.repeat([1.0, 33.0], 32), (8, 1)))


class Vector(unittest.TestCase):
    shape = (8, 300)

    def setUp(self) -> None:
        self.a, self.b = (random.standard_normal(self.shape).astype(np.float32) for _ in range(2))
        self.a[0, :3] = [0.0, np.nan, -np.inf]
        self.b[0, :3] = [-0.0, 1.0, np.nan]

    def tiles(self, *dtypes: Any) -> list[Any]:
        return [pto.tile(t, 8, 512, valid=self.shape, at=k * 16384) for k, t in enumerate(dtypes)]

    def test_masks(self) -> None:
        for mode, meaning in (("EQ", np.equal), ("NE", np.not_equal), ("LT", np.less), ("LE", np.less_equal), ("GT", np.greater), ("GE", np.greater_equal)):
            z = pto.gm(f32, *self.shape)
            with self.subTest(mode), pto.one_by_one():
                p, q, m, n, r = self.tiles(f32, f32, bool_, bool_, f32)
                work = pto.tile(u8, 1, 32, at=180 * 1024)
                pto.tload(p, tensor(f32, self.a), *whole(*self.shape))
                pto.tload(q, tensor(f32, self.b), *whole(*self.shape))
                pto.tcmp(m, p, q, mode)
                pto.tcmps(n, p, 0.25, "GT")
                pto.tand(m, m, n)
                pto.tnot(n, n)
                pto.tor(m, m, n)
                pto.tsel(r, m, p, q, work)
                pto.tcmps(n, q, 0.5, mode)
                pto.tsels(r, n, r, work, -1.0)
                pto.tstore(z, r, *whole(*self.shape))
            mask = meaning(self.a, self.b) | ~(self.a > 0.25)
            np.testing.assert_array_equal(z.data, np.where(meaning(self.b, np.float32(0.5)), np.where(mask, self.a, self.b), -1))

    def test_others(self) -> None:
        turned, best = pto.gm(f32, 300, 8), pto.gm(i32, 8, 1)
        with pto.one_by_one():
            p, q = self.tiles(f32, f32)
            t, work = (pto.tile(f32, 300, 8, at=at) for at in (65536, 98304))
            count, places = pto.tile(i32, 1, 304, valid=(1, 300), at=40960), pto.tile(i32, 8, 1, at=49152)
            pto.tload(p, tensor(f32, self.b), *whole(*self.shape))
            pto.trelu(p, p)
            pto.ttrans(t, p, work)
            pto.tstore(turned, t, *whole(300, 8))
            pto.tci(count, 7)
            pto.trowargmax(places, p, q)
            pto.tstore(best, places, *whole(8, 1))
            self.assertEqual(list(np.asarray(machine.read(count).data).ravel()), list(range(7, 307)))
        expected = np.where(self.b > 0, self.b, np.float32(0))
        np.testing.assert_array_equal(turned.data, expected.T)
        np.testing.assert_array_equal(best.data[:, 0], expected.argmax(axis=1))

    def test_whole_numbers_as_the_mode_says(self) -> None:
        x, y = tensor(f32, [[-2.5, -1.5, -0.5, 0.5, 1.5, 2.5, 7.25, 1e20]]), pto.gm(i32, 1, 8)
        for mode, meaning in (("RINT", np.rint), ("TRUNC", np.trunc), ("FLOOR", np.floor), ("CEIL", np.ceil)):
            with self.subTest(mode), pto.one_by_one():
                a, b = pto.tile(f32, 1, 8, valid=(1, 8), at=0), pto.tile(i32, 1, 8, valid=(1, 8), at=32)
                pto.tload(a, x, *whole(1, 8))
                pto.tcvt(b, a, mode)
                pto.tstore(y, b, *whole(1, 8))
                self.assertEqual(y.data[0].tolist(), [*meaning(x.data[0, :7]).astype(int).tolist(), 2**31 - 1])
        with self.assertRaisesRegex(HtpError, "`tcvt` does not convert f32 to bf16 by 'FLOOR'"), pto.one_by_one():
            a, b = pto.tile(f32, 1, 16, valid=(1, 8), at=0), pto.tile(bf16, 1, 16, valid=(1, 8), at=64)
            pto.tload(a, x, *whole(1, 8))
            pto.tcvt(b, a, "FLOOR")

    def test_integers_compare_for_equality_alone(self) -> None:
        with self.assertRaises(HtpError) as told, pto.one_by_one():
            p, q, m = self.tiles(i32, i32, bool_)
            pto.tcmp(m, p, q, "LT")
        self.assertIn("`tcmp` of i32 compares EQ, with any mode: compare as f32, or by `tmax` and `tsub`", str(told.exception))

    def test_what_may_not_share_memory(self) -> None:
        with self.assertRaises(HtpError) as told, pto.one_by_one():
            r, m = pto.tile(f32, 8, 512, valid=self.shape, at=0), pto.tile(bool_, 8, 512, valid=self.shape, at=64)
            pto.tsel(r, m, r, r, pto.tile(u8, 1, 32, at=180 * 1024))
        self.assertIn("`tsel` overwrites what it still reads", str(told.exception))


if __name__ == "__main__":
    unittest.main()
