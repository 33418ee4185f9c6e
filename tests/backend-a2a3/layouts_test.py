"""Parameters that lie as no transfer of rows follows: what is emitted for them, and that it is right for arrays that lie so."""

from __future__ import annotations

import itertools
import shutil
import unittest
from typing import Any

import htp
import numpy as np
from case import HEAD, Case, host

DTYPES: dict[str, Any] = {"f32": np.float32, "f16": np.float16, "i32": np.int32, "i16": np.int16, "i8": np.int8}
WORDS = HEAD.replace("import Tensor,", "import Tensor, relayout, reshape,")


def bound(layout: str, values: Any) -> Any:
    """A copy that lies as a type says, or its storage."""
    return htp.layouts.array(values, eval(layout, {"htp": htp})) if layout else values.copy()


class Layouts(Case):
    def stage(self, name: str) -> str:
        (stage,) = (self.folder / "package/ir/stages").glob(f"*-a2a3.{name}")
        return (stage / "program.py").read_text()

    def kernel(self) -> str:
        return (next((self.folder / "package/codegen/a2a3/kernels/aiv").glob("*.cpp"))).read_text()

    def built(self, program: str) -> Any:
        shutil.rmtree(self.folder / "package", ignore_errors=True)
        done = self.compile(WORDS + program, "--verify-each")
        self.assertEqual(done.returncode, 0, done.stderr)
        return htp.bind(self.folder / "package")

    def test_elements_that_lie_apart_are_lines_that_are_turned(self) -> None:
        with self.built("def program(x: In[Tensor[f32, 100, htp.layouts.strided((100,), (3,))]], y: Out[Tensor[f32, 100]]) -> None:\n"
                        "    for i in tiles(100, 48):\n        y[i] = relayout(x[i], htp.layouts.ordered((100,), (0,))) * 2\n") as program:
            self.assertIn("lines = pto.tile(f32, i, 1, layout='nd')\n        pto.tload(lines, x, i)\n        work = pto.tile(f32, i, 8)\n        pto.ttrans(x_tile, lines, work)\n", self.stage("select"))
            self.assertIn("HtpTile<float, 48, 8> lines(i_n, 1);", self.kernel())
            self.assertIn("htp_rows(x + i_at * 3, i_n, 1, 3);", self.kernel())
            x, y = np.arange(300, dtype=np.float32), np.zeros(100, np.float32)
            program(x[::3], y)
            np.testing.assert_array_equal(y, x[::3] * 2)

    def test_a_column_is_loaded_and_stored(self) -> None:
        with self.built("def program(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, 4]]) -> None:\n    for i in tiles(M, 24):\n        y[i, 2:3] = x[i, 1] + y[i, 3]\n") as program:
            self.assertIn("htp_rows(x + i_at * N + 1, i_n, 1, N);", self.kernel())
            x, y = np.arange(330, dtype=np.float32).reshape(33, 10), np.arange(132, dtype=np.float32).reshape(33, 4)
            wanted = y.copy()
            wanted[:, 2] = x[:, 1] + y[:, 3]
            program(x, y)
            np.testing.assert_array_equal(y, wanted)

    def test_panels_are_laid_in_rows_first(self) -> None:
        layout = "htp.layouts.packed((64, 32), (64, 8), (1, 0), (0, 1))"
        with self.built(f"def program(x: In[Tensor[f32, 64, 32, {layout}]], y: Out[Tensor[f32, 64, 32]]) -> None:\n"
                        "    for i in tiles(64, 16):\n        y[i, :] = relayout(x[i, :], htp.layouts.ordered((64, 32), (0, 1))) * 2\n") as program:
            text = self.stage("lay_in_rows")
            self.assertIn("x: In[Tensor[f32, 64, 4, 8, htp.layouts.strided((64, 4, 8), (8, 512, 1))]]", text)
            self.assertIn("    x_rows: Tensor[f32, 64, 32] = tile.buffer(f32, 64, 32)\n    for x_block in range(4):\n", text)
            self.assertIn("tile.store(x_rows, x_part_1, tile.whole, slice(x_block * 8, x_block * 8 + 8))\n", text)
            x, y = np.arange(2048, dtype=np.float32).reshape(64, 32), np.zeros((64, 32), np.float32)
            program(bound(layout, x), y)
            np.testing.assert_array_equal(y, x * 2)
            checked = host("run", self.folder / "package", "--check")
            self.assertEqual(checked.returncode, 0, checked.stderr)
            for other in (x, bound(layout, x)[:-1]):
                with self.assertRaisesRegex(htp.Diagnosed, r"bind\."):
                    program(other, y)

    def test_each_operand_of_a_product_lies_each_way(self) -> None:
        def ways(a: int, b: int) -> list[str]:
            return ["", f"htp.layouts.ordered(({a}, {b}), (1, 0))", f"htp.layouts.strided(({a}, {b}), ({2 * b + 1}, 2))", f"htp.layouts.packed(({a}, {b}), (16, 8), (1, 0), (0, 1))"]

        generator = np.random.default_rng(3)
        for k, (a, b, c) in enumerate(zip(ways(32, 16), ways(16, 48)[1:] + ways(16, 48)[:1], ways(32, 48)[2:] + ways(32, 48)[:2])):
            with self.subTest(a=a, b=b, c=c):
                declared = ", ".join(f"{name}: {way}[Tensor[f32, {shape}{', ' + layout if layout else ''}]]" for name, way, shape, layout in (("a", "In", "32, 16", a), ("b", "In", "16, 48", b), ("c", "Out", "32, 48", c)))
                rows = lambda value, shape, layout: f"relayout({value}, htp.layouts.ordered({shape}, (0, 1)))" if layout else value
                value = f"matmul({rows('a[i, :]', (32, 16), a)}, {rows('b[:, :]', (16, 48), b)})"
                with self.built(f"def program({declared}) -> None:\n    for i in tiles(32, 16):\n        c[i, :] = {f'relayout({value}, {c})' if c else value}\n") as program:
                    x, w = (generator.integers(-3, 4, shape).astype(np.float32) for shape in ((32, 16), (16, 48)))
                    out = bound(c, np.zeros((32, 48), np.float32))
                    program(bound(a, x), bound(b, w), out)
                    np.testing.assert_array_equal(out, bound(c, x @ w))

    def test_every_dtype_and_direction(self) -> None:
        """What is added to and what lies between stays, of one element and of blocks that divide nothing else."""
        generator = np.random.default_rng(5)
        for (dtype, element), (layout, shape) in itertools.product(DTYPES.items(), (("strided((7, 5), (21, 4))", (7, 5)), ("packed((6, 10), (3, 5), (1, 0), (1, 0))", (6, 10)), ("strided((1, 9), (1, 3))", (1, 9)))):
            with self.subTest(dtype=dtype, layout=layout):
                layout, rows = "htp.layouts." + layout, f"htp.layouts.ordered({shape}, (0, 1))"
                value = "relayout(y[i, :], {0})" if dtype == "i8" else "relayout(y[i, :], {0}) + relayout(x[i, :], {0})"
                with self.built(f"def program(x: In[Tensor[{dtype}, {shape[0]}, {shape[1]}, {layout}]], y: InOut[Tensor[{dtype}, {shape[0]}, {shape[1]}, {layout}]]) -> None:\n"
                                f"    for i in tiles({shape[0]}, 4):\n        y[i, :] = relayout({value.format(rows)}, {layout})\n") as program:
                    x, y = (generator.integers(-3, 4, shape).astype(element) for _ in "xy")
                    places = htp.layouts.places(eval(layout, {"htp": htp}), shape)
                    storage = np.full(int(places.max()) + 1, 77, element)
                    storage[places] = y
                    wanted = storage.copy()
                    wanted[places] = y if dtype == "i8" else x + y
                    steps = [int(places[1, 0]) if shape[0] > 1 else 1, int(places[0, 1])]
                    given = storage if "packed" in layout else np.lib.stride_tricks.as_strided(storage, shape, [step * storage.itemsize for step in steps])
                    program(bound(layout, x), given)
                    np.testing.assert_array_equal(storage, wanted)

    def test_what_data_decides_of_an_output_in_blocks_is_kept(self) -> None:
        layout = "htp.layouts.packed((8, 16), (4, 8), (1, 0), (0, 1))"
        with self.built(f"def program(t: In[Tensor[i32, 2, 4, htp.layouts.packed((2, 4), (2, 2), (1, 0), (0, 1))]], y: Out[Tensor[f32, 8, 16, {layout}]]) -> None:\n"
                        f"    for p in range(2):\n        for q in range(4):\n            y[index(t[p, q]), :] = full(f32, 1.5, 1, 16)\n") as program:
            self.assertIn("y: InOut[Tensor[f32, 8, 2, 8, ", self.stage("lay_in_rows"))
            self.assertIn("pto.value(t, p, q // 2, q % 2)", self.stage("lay_in_rows"))
            self.assertNotIn("t_rows", self.stage("lay_in_rows"))
            y = np.arange(128, dtype=np.float32).reshape(8, 16)
            storage = bound(layout, y)
            program(bound("htp.layouts.packed((2, 4), (2, 2), (1, 0), (0, 1))", np.array([[0, 7, 3, 3], [5, 0, 1, 7]], np.int32)), storage)
            y[[0, 1, 3, 5, 7]] = 1.5
            np.testing.assert_array_equal(storage, bound(layout, y))

    def test_blocks_of_four_dimensions_have_more_digits_than_a_runtime_has_dimensions(self) -> None:
        layout = "htp.layouts.packed((2, 2, 8, 16), (1, 1, 4, 8), (3, 2, 0, 1), (0, 1, 3, 2))"
        with self.built(f"def program(x: In[Tensor[f32, 2, 2, 8, 16, {layout}]], y: Out[Tensor[f32, 2, 2, 8, 16]]) -> None:\n"
                        "    for n in range(2):\n        for p in range(2):\n            for i in tiles(8, 4):\n"
                        "                y[n, p, i, :] = relayout(x[n, p, i, :], htp.layouts.ordered((2, 2, 8, 16), (0, 1, 2, 3))) * 2\n") as program:
            self.assertIn("x: In[Tensor[f32, 2, 2, 2, 4, 2, 8, ", self.stage("lay_in_rows"))
            x, y = np.arange(512, dtype=np.float32).reshape(2, 2, 8, 16), np.zeros((2, 2, 8, 16), np.float32)
            program(bound(layout, x), y)
            np.testing.assert_array_equal(y, x * 2)

    def test_a_matrix_whose_last_dimension_is_one_goes_by_its_columns(self) -> None:
        layout = "htp.layouts.packed((6, 8, 1), (3, 4, 1), (2, 1, 0), (0, 1, 2))"
        with self.built(f"def program(x: In[Tensor[f32, 6, 8, 20]], y: Out[Tensor[f32, 6, 8, 1, {layout}]]) -> None:\n"
                        f"    for p in range(6):\n        for i in tiles(8, 4):\n            y[p, i, :] = relayout(reduce_sum(x[p, i, :], axis=2), {layout})\n") as program:
            x, y = np.arange(960, dtype=np.float32).reshape(6, 8, 20), np.zeros(48, np.float32)
            program(x, y)
            np.testing.assert_array_equal(y, bound(layout, x.sum(axis=2, keepdims=True)))

    def test_a_loop_may_be_called_as_slices_are(self) -> None:
        """`x_at_1` is a slice in the kernel's text, unless the program has that name."""
        with self.built("def program(x: In[Tensor[f32, 4, 64, 32]], y: Out[Tensor[f32, 4, 64, 32]]) -> None:\n"
                        "    for x_at_1 in range(4):\n        for y_at_3 in tiles(64, 16):\n            y[x_at_1, y_at_3, :] = x[x_at_1, y_at_3, :] * 2\n") as program:
            self.assertIn("auto x_at_2 = htp_rows(", self.kernel())
            x, y = np.arange(8192, dtype=np.float32).reshape(4, 64, 32), np.zeros((4, 64, 32), np.float32)
            program(x, y)
            np.testing.assert_array_equal(y, x * 2)

    def test_a_stage_takes_the_storage(self) -> None:
        """Each stage is a program that runs: what lies in blocks has other dimensions in later ones, and is given as it was."""
        layout = "htp.layouts.packed((8, 16), (4, 8), (1, 0), (0, 1))"
        with self.built(f"def program(x: In[Tensor[f32, 8, 16, {layout}]], y: Out[Tensor[f32, 8, 16, {layout}]]) -> None:\n    for i in tiles(8, 4):\n        y[i, :] = x[i, :] * 2\n"):
            pass
        for stage in sorted((self.folder / "package/ir/stages").iterdir()):
            with self.subTest(stage.name):
                names: dict[str, Any] = {}
                exec((stage / "program.py").read_text(), names)
                x, y = np.arange(128, dtype=np.float32), np.zeros(128, np.float32)
                names["program"](x, y)
                np.testing.assert_array_equal(y, x * 2)


if __name__ == "__main__":
    unittest.main()
