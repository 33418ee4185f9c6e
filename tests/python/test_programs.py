"""Programs under plain Python: how sizes are bound, what operators mean, and what is said when something is wrong."""

import unittest
from typing import Any

import htp
import htp_cpu as cpu
import htp_tile as tile
import numpy as np
from htp import HtpError, In, InOut, Out, bf16, bool_, f16, f32, i8, i32
from htp_tile import Tensor, Tile, holds, kernel, tiles
from htp_wsp import P, Schedule, schedule, seq, workload

M = htp.dim("M")
N = htp.dim("N")


@kernel
def copy(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    """Copies by blocks of eight rows."""
    for i in tiles(M, 8):
        y[i, :] = x[i, :]


def zeros(*shape: int, dtype: Any = np.float32) -> Any:
    return np.zeros(shape, dtype)


class Refused(unittest.TestCase):
    def refused(self, message: str, function: Any, *arguments: Any, **named: Any) -> None:
        with self.assertRaises(HtpError) as caught:
            function(*arguments, **named)
        self.assertEqual(str(caught.exception), message)


PANELS = htp.layouts.packed((8, 12), (8, 4), (1, 0), (0, 1))


@kernel
def packed(x: In[Tensor[f32, 8, 12, PANELS]], y: Out[Tensor[f32, 8, 12, PANELS]]) -> None:
    y[:, :] = x[:, :] + 1.0


class Storages(Refused):
    def test_what_no_strides_describe_is_given_as_its_storage(self) -> None:
        x = np.arange(96, dtype=np.float32).reshape(8, 12)
        storage, y = htp.layouts.array(x, PANELS), zeros(96)
        self.assertEqual(storage.tolist(), [float(12 * r + 4 * p + c) for p in range(3) for r in range(8) for c in range(4)])
        packed(storage, y)
        np.testing.assert_array_equal(y, storage + 1)
        self.assertEqual(storage[0], 0)
        inside = zeros(8, 12)
        packed(x, inside)  # or as the tensor itself: plain Python reads no layouts
        np.testing.assert_array_equal(inside, x + 1)
        self.refused("`x` is given as its storage of 95 elements, and it has 96", packed, storage[:95], y)
        self.refused("`x` has 2 dimensions, and an array with 3 is given", packed, zeros(2, 4, 12), y)


class Calls(Refused):
    def test_dimensions_take_the_sizes_of_the_arguments(self) -> None:
        for rows in (0, 1, 7, 8, 9, 37):
            x = np.random.default_rng(rows).standard_normal((rows, 5)).astype(np.float32)
            y = zeros(rows, 5)
            run = copy.run(x, y)
            self.assertTrue(np.array_equal(x, y))
            self.assertEqual(run.sizes, {"M": rows, "N": 5})

    def test_arguments_by_name(self) -> None:
        x, y = np.ones((2, 3), np.float32), zeros(2, 3)
        copy(y=y, x=x)
        self.assertTrue(np.array_equal(x, y))

    def test_what_is_not_contiguous_is_read_and_written_in_place(self) -> None:
        x, y = np.arange(24, dtype=np.float32).reshape(4, 6)[::2, ::3], zeros(6, 4)
        copy(x, y.T[:2, :2])
        self.assertTrue(np.array_equal(y.T[:2, :2], x))

    def test_wrong_arguments(self) -> None:
        x, y = zeros(2, 3), zeros(2, 3)
        self.assertTrue(np.array_equal(copy(x), x) and np.array_equal(copy(x=x), x))
        self.refused("`copy` takes 2 arguments (x, y), and 0 are given", copy)
        self.refused("`copy` takes 2 arguments (x, y), and 3 are given", copy, x, y, y)
        self.refused("`copy` has no parameter `z`: it has x, y", copy, x, z=y)
        self.refused("`copy` is given `x` twice", copy, x, x=y)
        self.refused("`copy` is not given `x`", copy, y=y)
        self.refused("`x` is an array, and list is given", copy, [[1.0]], y)
        self.refused("`x` is of f32 (float32), and an array of float64 is given", copy, zeros(2, 3, dtype=np.float64), y)
        self.refused("`x` has 2 dimensions, and an array with 1 is given", copy, zeros(3), y)
        self.refused("`y` has size 4 in dimension 1, but `N` is 3 by `x`", copy, x, zeros(2, 4))
        fixed = zeros(2, 3)
        fixed.flags.writeable = False
        self.refused("`y` is written, and a read-only array is given", copy, x, fixed)

    def test_what_is_written_is_no_other_arguments_memory(self) -> None:
        x = np.ones((4, 3), np.float32)
        self.refused("`x` and `y` share memory, and `y` is written: give it an array of its own", copy, x, x)
        self.refused("`x` and `y` share memory, and `y` is written: give it an array of its own", copy, x[:3], x[1:])
        copy(x[:2], x[2:])
        copy(x[::2], x[1::2])

    def test_scalars_are_numbers(self) -> None:
        @kernel
        def scaled(scale: bf16, more: int, flag: bool_, y: InOut[Tensor[bf16, N]]) -> None:
            if holds(flag):
                y[:] = y[:] * scale + more

        self.assertEqual(repr(scaled), "<Kernel scaled(scale: bf16, more: int, flag: bool_, y: InOut[Tensor[bf16, N]])>")
        for scale in (0.5, np.float32(0.5), bf16(0.5), np.uint16(0x3F00), np.asarray(0x3F00, np.uint16)):
            if isinstance(scale, np.float32):
                self.refused("`scale` is of bf16, held as uint16, and an array of float32 is given", scaled, scale, 1, True, zeros(2, dtype=np.uint16))
                continue
            y = bf16.encode(np.array([1, -4], np.float32))
            scaled(scale, 1, True, y)
            self.assertEqual(bf16.decode(y).tolist(), [1.5, -1.0])
            scaled(scale, 1, False, y)
            self.assertEqual(bf16.decode(y).tolist(), [1.5, -1.0])
        y = zeros(2, dtype=np.uint16)
        self.refused("`more` is an int of 64 bits, and 1.5 is given", scaled, 1, 1.5, True, y)
        self.refused("`more` is an int of 64 bits, and True is given", scaled, 1, True, True, y)
        self.refused(f"`more` is an int of 64 bits, and {2**63} is given", scaled, 1, 2**63, True, y)
        self.refused("`more` is of i64 (int64), and an array of float32 is given", scaled, 1, np.float32(2), True, y)
        scaled(1, np.int32(2), True, y)
        self.refused("`flag` is of bool_: 1 is not a literal of bool_, which has True and False", scaled, 1, 1, 1, y)
        self.refused("`scale` is a number, and str is given", scaled, "x", 1, True, y)
        self.refused("`scale` has 0 dimensions, and an array with 1 is given", scaled, zeros(1, dtype=np.uint16), 1, True, y)

    def test_a_fixed_extent_is_checked(self) -> None:
        @kernel
        def row(x: InOut[Tensor[f32, 1, 64]]) -> None:
            pass

        self.refused("`x` has size 2 in dimension 0, and its type says 1", row, zeros(2, 64))

    def test_bf16_is_its_bits(self) -> None:
        @kernel
        def double(x: In[Tensor[bf16, N]], y: Out[Tensor[bf16, N]]) -> None:
            for i in tiles(N, 4):
                y[i] = x[i] + x[i]

        x, y = np.array([0x3F80, 0x4000, 0x7F80], np.uint16), np.zeros(3, np.uint16)
        double(x, y)
        self.assertEqual(list(y), [0x4000, 0x4080, 0x7F80])
        self.refused("`x` is of bf16, held as uint16, and an array of float32 is given", double, zeros(3), y)

    def test_outputs_begin_as_poison(self) -> None:
        @kernel
        def nothing(x: Out[Tensor[f32, N]], n: Out[Tensor[i32, N]]) -> None:
            pass

        x, n = zeros(3), zeros(3, dtype=np.int32)
        nothing(x, n)
        self.assertTrue(np.isnan(x).all())
        self.assertTrue((n == i32.poison).all())

    def test_what_a_call_leaves_unwritten_is_told(self) -> None:
        @kernel
        def partly(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]], z: Out[Tensor[htp.bool_, N]]) -> None:
            for n in range(N):
                if n * n < 10:
                    y[n] = x[n]
                z[n] = x[n] > 0.0

        x, y, z = zeros(6), zeros(6), zeros(6, dtype=np.bool_)
        left = partly.unwritten(x, y, z)
        self.assertEqual(list(left["y"]), [False, False, False, False, True, True])
        self.assertFalse(left["z"].any())
        self.assertFalse(y.any())  # the arguments stay as they are

    def test_an_input_is_not_written(self) -> None:
        @kernel
        def wrong(x: In[Tensor[f32, N]]) -> None:
            for i in tiles(N, 4):
                x[i] = 1.0

        self.refused("`x` is an input and is not stored to: declare it Out or InOut", wrong, zeros(3))

    def test_entries_can_be_inspected(self) -> None:
        self.assertEqual(copy.name, "copy")
        self.assertEqual(copy.__doc__, "Copies by blocks of eight rows.")
        self.assertEqual([repr(p.annotation) for p in copy.parameters], ["In[Tensor[f32, M, N]]", "Out[Tensor[f32, M, N]]"])
        self.assertEqual(repr(copy), "<Kernel copy(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]])>")

    def test_parameters_that_are_not_tensors(self) -> None:
        def untyped(x):  # type: ignore[no-untyped-def]
            pass

        def by_default(x: In[Tensor[f32, N]] = None) -> None:  # type: ignore[assignment]
            pass

        self.refused("parameter `x` of `untyped` has a type such as In[Tensor[f32, M]], or f32 for a scalar", kernel, untyped)
        self.refused("parameter `x` of `by_default` is plain: no star, no default", kernel, by_default)


class Dimensions(Refused):
    def test_a_dimension_counts_as_an_int_inside_a_call(self) -> None:
        seen: list[Any] = []

        @kernel
        def look(x: InOut[Tensor[f32, M, N]]) -> None:
            seen.extend([list(range(M)), min(8, M - 1), M * N, 2 + M, M < N, M == 3, int(N) // 2, int(max(M, N)), -M, divmod(N, 2), f"{M}"])

        look(zeros(3, 5))
        self.assertEqual(seen, [[0, 1, 2], 2, 15, 5, True, True, 2, 5, -3, (2, 1), "M"])

    def test_and_has_no_size_outside(self) -> None:
        self.refused("dimension `M` has no size here: only the arguments of a running kernel give it one", lambda: M < 1)
        copy(zeros(2, 3), zeros(2, 3))
        self.refused("dimension `M` has no size here: only the arguments of a running kernel give it one", range, M)

    def test_names(self) -> None:
        self.refused("a dimension's name is an identifier, not '3 x'", htp.dim, "3 x")
        self.assertEqual(hash(htp.dim("M")), hash(M))

    def test_blocks(self) -> None:
        self.assertEqual([(b.start, b.stop) for b in tiles(10, 4)], [(0, 4), (4, 8), (8, 10)])
        outer = list(tiles(10, 8))
        self.assertEqual([(b.start, b.stop) for b in tiles(outer[0], 3)], [(0, 3), (3, 6), (6, 8)])
        self.assertEqual([(b.start, b.stop) for b in tiles(outer[1], 3)], [(8, 10)])
        self.assertEqual([len(b) for b in tiles(10, 4)], [4, 4, 2])
        self.assertEqual(list(tiles(0, 4)), [])
        self.refused("a block holds at least 1 index, not 0", lambda: list(tiles(4, 0)))

    def test_loop_forms_iterate(self) -> None:
        self.assertEqual(list(htp.parallel(range(3), level="core")), [0, 1, 2])
        self.assertEqual(list(htp.unrolled(htp.vectorized(range(3)))), [0, 1, 2])
        self.assertEqual(list(htp.pipelined(range(3), depth=2)), [0, 1, 2])
        self.refused("a pipelined loop has a depth of at least 1, not 0", htp.pipelined, range(3), 0)


class Values(Refused):
    def test_operators_name_the_tile_languages_intrinsics(self) -> None:
        a, b = f32([4.0, -9.0]), f32([2.0, 3.0])
        self.assertTrue(np.array_equal((a + b).data, [6, -6]))
        self.assertTrue(np.array_equal((1.0 - a).data, [-3, 10]))
        self.assertTrue(np.array_equal((2 / b).data, np.array([1, 2 / 3], np.float32)))
        self.assertTrue(np.array_equal((-abs(a) * b).data, [-8, -27]))
        self.assertTrue(np.array_equal((a < b).data, [False, True]))
        self.assertTrue(np.array_equal((a == 4).data, [True, False]))
        self.assertTrue(np.array_equal((1.0 < a).data, [True, False]))
        self.assertEqual(type(a + b), f32)
        self.assertEqual(f32.operators["__add__"], tile.add)
        self.assertEqual(htp.INTRINSICS["tile.add"].method, "__add__")

    def test_literals_are_weak(self) -> None:
        half = f16([1.0]) + 0.1
        self.assertEqual(half.data.dtype, np.float16)
        self.assertEqual(half.data[0], np.float16(1) + np.float16(0.1))
        self.refused("0.5 is not a literal of i32; values of another dtype need a cast", tile.add, i32([1]), 0.5)
        self.refused("the literal 128 does not fit in i8, which holds -128 to 127", lambda: i8([1]) + 128)
        self.refused("`add` needs a value among its operands: literals alone have no dtype", tile.add, 1.0, 2.0)

    def test_mixed_dtypes_need_a_cast(self) -> None:
        self.refused("`add` takes operands of one dtype, not f16 and f32: cast one of them", lambda: f32([1.0]) + f16([1.0]))  # type: ignore[operator]
        self.assertEqual(type(f32([1.0]) + tile.cast(f16([1.0]), f32)), f32)

    def test_extents_made_of_others(self) -> None:
        n, m = htp.dim("N"), htp.dim("M")
        self.assertEqual(repr((n + 2) * m // 4), "((N + 2) * M) // 4")
        self.assertEqual(repr(3 - n), "3 - N")

        def body(x: Any, y: Any) -> None:
            y[:] = x[1 : n + 1]

        body.__annotations__ = {"x": htp.In[htp.Tensor[f32, n + 2]], "y": htp.Out[htp.Tensor[f32, n]], "return": None}
        kernel = htp.Entry(body)
        y = np.zeros(3, np.float32)
        kernel(np.arange(5, dtype=np.float32), y)
        self.assertEqual(y.tolist(), [1, 2, 3])
        self.refused("`x` has size 4 in dimension 0, and its type says N + 2, which is 5", kernel, np.zeros(4, np.float32), y)

    def test_so_many_times_a_dimension_gives_it_its_size(self) -> None:
        n = htp.dim("N")

        def body(x: Any, y: Any) -> None:
            y[:] = x[n : 2 * n]

        body.__annotations__ = {"x": htp.In[htp.Tensor[f32, 2 * (n * 3)]], "y": htp.Out[htp.Tensor[f32, n]], "return": None}
        kernel = htp.Entry(body)
        y = np.zeros(2, np.float32)
        kernel(np.arange(12, dtype=np.float32), y)
        self.assertEqual(y.tolist(), [2, 3])
        body.__annotations__ = {"x": htp.In[htp.Tensor[f32, 2 * (n * 3)]], "y": htp.Out[htp.Tensor[f32, 6 * n]], "return": None}
        twelve = np.zeros(12, np.float32)
        self.refused("`x` has size 10 in dimension 0, which is no `2 * (N * 3)`: 6 does not divide it", htp.Entry(body), np.zeros(10, np.float32), twelve)
        self.refused("`y` has size 18 in dimension 0, and its type says 6 * N, which is 12", htp.Entry(body), twelve, np.zeros(18, np.float32))

    def test_an_extent_with_something_added_gives_a_dimension_its_size(self) -> None:
        n = htp.dim("N")

        def body(x: Any, y: Any) -> None:
            y[:] = x[n : 2 * n]

        body.__annotations__ = {"x": htp.In[htp.Tensor[f32, 2 * (n + 1) - 1]], "y": htp.Out[htp.Tensor[f32, n]], "return": None}
        y = np.zeros(2, np.float32)
        htp.Entry(body)(np.arange(5, dtype=np.float32), y)
        self.assertEqual(y.tolist(), [2, 3])
        body.__annotations__ = {"x": htp.In[htp.Tensor[f32, 2 * n + 5]], "y": htp.Out[htp.Tensor[f32, 3 + n]], "return": None}
        eight, four = np.zeros(8, np.float32), np.zeros(4, np.float32)
        self.refused("`x` has size 8 in dimension 0, which is no `(2 * N) + 5`: 2 does not divide 8 - 5", htp.Entry(body), eight, four)
        self.refused("`x` has size 4 in dimension 0, which is no `(2 * N) + 5`: that is at least 5", htp.Entry(body), np.zeros(4, np.float32), four)
        body.__annotations__ = {"x": htp.In[htp.Tensor[f32, 5 - n]], "y": htp.Out[htp.Tensor[f32, 5 - n]], "return": None}
        with self.assertRaisesRegex(htp.HtpError, "dimension `N` has no size here"):
            htp.Entry(body)(np.zeros(4, np.float32), four)

    def test_slices(self) -> None:
        x = f32.in_memory(np.arange(10, dtype=np.float32), "x")
        self.assertEqual(x[2:5].numpy().tolist(), [2, 3, 4])
        self.assertEqual(x[1::4].numpy().tolist(), [1, 5, 9])
        self.assertEqual(x[8:3].numpy().tolist(), [])
        x[:2] = 7.0
        self.assertEqual(x[:].numpy().tolist()[:3], [7, 7, 2])
        self.refused("index 8:12 is outside dimension 0 of `x`, which has size 10", lambda: x[8:12])
        self.assertEqual(x[::-1].numpy().tolist()[:4], [9, 8, 7, 6])
        self.assertEqual(x[-3:].numpy().tolist(), [7, 8, 9])
        self.assertEqual(tile.load(x, slice(8, 12), outside=0.0).numpy().tolist(), [8, 9, 0, 0])

    def test_extents_agree_or_are_one(self) -> None:
        a, row = f32(np.ones((2, 3))), f32(np.ones((1, 3)))
        self.assertEqual((a + row).shape, (2, 3))
        self.refused("`mul` takes equal extents, or 1, but dimension 1 has 3 and 2", lambda: a * f32(np.ones((2, 2))))
        self.assertEqual((a + f32(np.ones(3))).shape, (2, 3))
        self.refused("`add` takes equal extents, or 1, but dimension 1 has 3 and 2", lambda: a + f32(np.ones(2)))

    def test_operations_on_what_has_none(self) -> None:
        self.refused("`exp` is not defined on i32", tile.exp, i32([1]))
        self.refused("`reduce_sum` has no axis 2: the tile's dimensions are 0, 1", lambda: tile.reduce_sum(f32(np.ones((2, 2))), axis=2))
        self.refused("`matmul` takes m x k and k x n, but a is 2 x 3 and b is 2 x 3", tile.matmul, f32(np.ones((2, 3))), f32(np.ones((2, 3))))
        self.refused("`matmul` takes tiles of 2 dimensions or more, all of as many, not 1", tile.matmul, f32(np.ones(3)), f32(np.ones(3)))
        self.refused("`where` chooses by a bool_ value, not by f32", tile.where, f32([1.0]), f32([1.0]), 0.0)
        self.refused("<class 'float'> is not a dtype, such as f32", tile.zeros, float, 3)

    def test_no_truth_value(self) -> None:
        self.refused("a bool_ value is neither true nor false when compiling: choose with `where`, not with `if`", lambda: bool(f32([1.0]) > 0))

    def test_tensors_are_not_tiles(self) -> None:
        @kernel
        def whole_tensor(x: InOut[Tensor[f32, N]]) -> None:
            x + 1.0

        self.refused("`add` computes with tiles, and `x` is a tensor: load a tile of it first", whole_tensor, zeros(3))
        self.assertEqual(f32([1.0, 2.0])[1].numpy().tolist(), [2.0])

    def test_indices_stay_inside(self) -> None:
        def with_index(*index: Any) -> Any:
            @kernel
            def look(x: InOut[Tensor[f32, M, N]]) -> None:
                x[index] = x[index] + 0.0

            return look

        x = zeros(2, 3)
        with_index(1, slice(None))(x)
        self.refused("index 2 is outside dimension 0 of `x`, which has size 2", with_index(2, slice(None)), x)
        self.refused("index -1 is outside dimension 0 of `x`, which has size 2", with_index(-1, 0), x)
        self.refused("index [2, 4) is outside dimension 1 of `x`, which has size 3", with_index(0, htp.Block(2, 4)), x)
        self.refused("`x` has 2 dimensions, and 1 indices are given", with_index(0), x)
        self.refused("the bounds of a slice are ints, not those of slice(0, 0.5, None)", with_index(0, slice(0, 0.5)), x)
        self.refused("`x` is indexed by `:`, a block or an int, not by float 0.5", with_index(0, 0.5), x)

    def test_a_store_fills_its_place(self) -> None:
        @kernel
        def shrink(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, 1]]) -> None:
            for i in tiles(M, 2):
                y[i, :] = x[i, :]

        self.refused("a tile of 2 x 3 does not fill 2 x 1 elements of `y`", shrink, zeros(2, 3), zeros(2, 1))

    def test_buffers(self) -> None:
        buffer = cpu.alloc(f32, 2, 3)
        self.assertTrue(np.isnan(buffer.data).all())
        cpu.put(buffer, 2.5, 1, 2)
        self.assertEqual(float(cpu.get(buffer, 1, 2).data), 2.5)
        self.refused("index 2, 0 is outside the buffer, which has 2 x 3 elements", cpu.get, buffer, 2, 0)
        self.refused("index -1, 0 is outside the buffer, which has 2 x 3 elements", cpu.put, buffer, 1.0, -1, 0)
        self.refused("the buffer has 2 dimensions, and 1 indices are given", cpu.get, buffer, 1)
        self.refused("`put` writes a scalar, not a tile of 1", cpu.put, buffer, f32([1.0]), 0, 0)

    def test_values_do_not_alias_memory(self) -> None:
        @kernel
        def swap(x: InOut[Tensor[f32, 2]]) -> None:
            old = x[0]
            x[0] = x[1]
            x[1] = old

        x = np.array([1, 2], np.float32)
        swap(x)
        self.assertEqual(list(x), [2, 1])


class Types(Refused):
    def test_spelling(self) -> None:
        swizzled = htp.layout(((8, 1, "lane"), (4, 8, "m")), replicate=((2, 1, "core"),), offset={"m": 3, "lane": 0})
        kind: Any = Tile[f32, 8, N, swizzled, htp.space("ub")]
        self.assertEqual(
            repr(kind),
            'Tile[f32, 8, N, htp.layout(((8, 1, "lane"), (4, 8, "m")), replicate=((2, 1, "core"),), offset={"m": 3}), htp.space("ub")]',
        )
        self.assertEqual(eval(repr(swizzled)), swizzled)

    def test_misspelling(self) -> None:
        forms: Any = Tensor
        directions: Any = In
        self.refused("Tensor[...] begins with a dtype, such as f32, not with <class 'float'>", lambda: forms[float, 3])
        self.refused("Tensor[dtype, extents, layout, space]: 'x' is not in its place", lambda: forms[f32, "x"])
        self.refused("an extent is not negative, but this one is -1", lambda: forms[f32, -1])
        self.refused("In[...] holds a Tensor[...], not <class 'htp.values.f32'>", lambda: directions[f32])
        self.refused("an extent is at least 1, not 0", htp.layout, ((0, 1, "m"),))


class Schedules(Refused):
    def test_a_schedule_computes_what_its_workload_does(self) -> None:
        @workload
        def double(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
            for i in P(M):
                for j in seq(N):
                    y[i, j] = x[i, j] * 2.0

        @schedule(double)
        def blocked(s: Schedule) -> None:
            s.tile("i", 8, 4)
            s.bind("i_0", level="core")
            s.parallel("j")

        x, y = np.ones((5, 3), np.float32), zeros(5, 3)
        blocked(x, y)
        self.assertTrue((y == 2).all())
        self.assertEqual([(d.name, d.loop, d.values) for d in blocked.schedule.directives], [("tile", "i", (8, 4)), ("bind", "i_0", ("core",)), ("parallel", "j", ())])

        s = Schedule(double)
        s.tile("i", 8)
        self.refused("loop `i` is tiled twice: give all sizes to one `tile`, or `split` it", s.tile, "i", 4)
        self.refused("`double` has no loop `k`: it has i, j", s.parallel, "k")
        self.refused("`tile` of loop `j` takes one size or more, each at least 1", s.tile, "j", 0)


class Declarations(Refused):
    def test_an_intrinsic_of_another_party(self) -> None:
        class Sound(htp.Value):
            """A dtype that only its owner knows."""

            name = "sound"
            storage = element = np.dtype(np.int16)
            meanings = {"mix": lambda x, y: (x // 2 + y // 2).astype(np.int16)}

        def mix(a: Sound, b: Sound) -> Sound:
            return htp.binary("mix", a, b)

        htp.intrinsic(name="sounds.mix", rule="mix", method="__getitem__")(mix)
        a, b = Sound.of(np.array([100], np.int16), 0), Sound.of(np.array([50], np.int16), 0)
        self.assertEqual(mix(a, b).data[0], 75)
        self.assertEqual(Sound.operators["__getitem__"], mix)
        self.assertNotEqual(f32.operators["__getitem__"], mix)

    def test_one_name_has_one_owner(self) -> None:
        def add(a: htp.Number) -> htp.Number:
            return a

        self.refused("intrinsic `tile.add` is declared twice: in htp_tile.elementwise and in test_programs", htp.intrinsic(name="tile.add", rule="x"), add)
        self.refused(
            "`__add__` of i8 names two intrinsics: of htp_tile.elementwise and of test_programs",
            htp.intrinsic(name="mine.add", rule="x", method="__add__"),
            add,
        )


class Elements(Refused):
    def test_an_index_below_0_is_not_counted_from_the_end(self) -> None:
        buffer = cpu.alloc(f32, 3)
        cpu.put(buffer, cpu.splat(f32, 1.0), 2)
        self.assertEqual(cpu.get(buffer, 2).data, 1)
        for index in (-1, 3):
            with self.assertRaises(HtpError):
                cpu.get(buffer, index)
            with self.assertRaises(HtpError):
                cpu.put(buffer, cpu.splat(f32, 1.0), index)

    def test_a_spread_block_has_as_many_indices(self) -> None:
        for block in tiles(20, 8):
            self.assertEqual(list((block * 3).indices), [3 * index for index in block.indices])
            self.assertEqual(list((block * 3 + 1).indices), [3 * index + 1 for index in block.indices])


if __name__ == "__main__":
    unittest.main()
