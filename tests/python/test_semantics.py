"""The table of meanings at its edges, against values worked out by hand."""

import math
import unittest
from fractions import Fraction
from typing import Any

import htp
import numpy as np
from htp import bf16, bool_, f16, f32, f64, i8, i16, i32, i64, semantics, u8, u32, u64

INF, NAN = math.inf, math.nan


def same(actual: Any, expected: Any) -> bool:
    """Equal to the bit, but for a NaN's sign and payload."""
    a, e = float(actual), float(expected)
    return (math.isnan(a) and math.isnan(e)) or (a == e and math.copysign(1, a) == math.copysign(1, e))


class Table(unittest.TestCase):
    def check(self, dtype: Any, op: str, rows: list[tuple[Any, ...]]) -> None:
        """Each row: operands, then the result. As scalars and as arrays."""
        operands = [np.array(column).astype(dtype.element) for column in list(zip(*rows))[:-1]]
        with np.errstate(all="ignore"):
            together = dtype.meanings[op](*operands)
            for number, row in enumerate(rows):
                alone = dtype.meanings[op](*(column[number] for column in operands))
                for actual in (together[number], alone):
                    self.assertTrue(same(actual, row[-1]), f"{op} of {dtype.name} {row[:-1]} is {actual}, not {row[-1]}")

    def test_minimum_and_maximum_propagate_nan_and_order_zeros(self) -> None:
        for dtype in (f16, bf16, f32, f64):
            self.check(dtype, "maximum", [(1, 2, 2), (-0.0, 0.0, 0.0), (0.0, -0.0, 0.0), (-0.0, -0.0, -0.0), (NAN, 1, NAN), (INF, NAN, NAN)])
            self.check(dtype, "minimum", [(1, 2, 1), (-0.0, 0.0, -0.0), (0.0, -0.0, -0.0), (0.0, 0.0, 0.0), (1, NAN, NAN), (NAN, -INF, NAN)])

    def test_values_have_one_order(self) -> None:
        for dtype in (f16, bf16, f32, f64):
            self.check(dtype, "above", [(0.0, -0.0, 1), (-0.0, 0.0, 0), (NAN, INF, 1), (INF, NAN, 0), (NAN, NAN, 0), (2, 1, 1), (1, 1, 0)])
            self.check(dtype, "below", [(0.0, -0.0, 0), (-0.0, 0.0, 1), (NAN, -INF, 1), (-INF, NAN, 0), (NAN, NAN, 0), (1, 2, 1), (1, 1, 0)])

    def test_8_bit_floats_round_to_even_and_hold_what_they_hold(self) -> None:
        for dtype, values, results in (
            (htp.f8e4m3, [448, 464, 465, -INF, NAN, 2**-10, 3 * 2**-10, -0.0, 1.0625, 1.1875], [448, 448, NAN, NAN, NAN, 0.0, 2**-8, -0.0, 1, 1.25]),
            (htp.f8e5m2, [57344, 61439, 61440, -INF, NAN, 2**-17, 3 * 2**-17, -0.0, 1.125, 1.375], [57344, 57344, INF, -INF, NAN, 0.0, 2**-15, -0.0, 1, 1.5]),
        ):
            with np.errstate(all="ignore"):
                converted = dtype.convert(np.array(values))
            self.assertTrue(all(map(same, converted, results)), f"{dtype.name}: {converted}")
            numbers = [bits for bits in range(256) if not np.isnan(dtype.decode(np.uint8(bits)))]
            self.assertEqual(dtype.encode(dtype.decode(np.array(numbers, np.uint8))).tolist(), numbers)

    def test_casts_round_where_they_are_told(self) -> None:
        rows: list[tuple[Any, float, dict[str, float]]] = [
            (i8, -2.5, {"nearest": -2, "toward_zero": -2, "down": -3, "up": -2}),
            (u8, 254.7, {"nearest": 255, "toward_zero": 254, "down": 254, "up": 255}),
            (f16, 2049.0, {"nearest": 2048, "toward_zero": 2048, "down": 2048, "up": 2050}),
            (f16, -1e6, {"nearest": -INF, "toward_zero": -65504, "down": -INF, "up": -65504}),
            (f16, 1e-30, {"nearest": 0.0, "toward_zero": 0.0, "down": 0.0, "up": 2**-24}),
            (f16, -1e-30, {"nearest": -0.0, "toward_zero": -0.0, "down": -(2**-24), "up": -0.0}),
            (bf16, 1.01, {"nearest": 1.0078125, "toward_zero": 1.0078125, "down": 1.0078125, "up": 1.015625}),
            (htp.f8e4m3, 1000.0, {"nearest": NAN, "toward_zero": 448, "down": 448, "up": NAN}),
            (htp.f8e5m2, INF, {"nearest": INF, "toward_zero": INF, "down": INF, "up": INF}),
            (f32, NAN, {"nearest": NAN, "toward_zero": NAN, "down": NAN, "up": NAN}),
        ]
        for dtype, value, results in rows:
            for rounding, expected in results.items():
                with np.errstate(all="ignore"):
                    actual = htp.convert(f64(np.float64(value)), dtype, rounding).data
                self.assertTrue(same(actual, expected), f"{value} {rounding} in {dtype.name} is {actual}, not {expected}")
        for wrong in ("away", ""):
            with self.assertRaises(htp.HtpError):
                htp.convert(f32(1.0), f16, wrong)
        with self.assertRaises(htp.HtpError):
            htp.convert(i32(1), f16, "down")

    def test_integers_wrap_around(self) -> None:
        self.check(i8, "add", [(127, 1, -128), (-128, -1, 127)])
        self.check(i8, "mul", [(64, 4, 0), (-128, -1, -128)])
        self.check(u8, "sub", [(0, 1, 255)])
        self.check(i32, "neg", [(-(2**31), -(2**31))])
        self.check(i16, "absolute", [(-(2**15), -(2**15)), (-3, 3)])
        self.check(u8, "neg", [(1, 255), (0, 0)])

    def test_integer_division_truncates_and_is_defined_at_zero(self) -> None:
        for dtype in (i8, i16, i32, i64):
            lowest = int(np.iinfo(dtype.element).min)
            self.check(dtype, "div", [(7, 2, 3), (-7, 2, -3), (7, -2, -3), (-7, -2, 3), (7, 0, 0), (-7, 0, 0), (lowest, -1, lowest)])
            self.check(dtype, "rem", [(7, 2, 1), (-7, 2, -1), (7, -2, 1), (-7, -2, -1), (7, 0, 7), (-7, 0, -7), (lowest, -1, 0)])
        self.check(u8, "div", [(255, 2, 127), (255, 0, 0), (3, 255, 0)])

    def test_shifts_beyond_the_width(self) -> None:
        self.check(i8, "shl", [(1, 7, -128), (1, 8, 0), (1, -1, 0), (3, 1, 6)])
        self.check(i8, "shr", [(-128, 7, -1), (-2, 8, -1), (2, 8, 0), (-2, -1, -1), (-3, 1, -2)])
        self.check(u32, "shr", [(2**31, 31, 1), (2**31, 32, 0)])

    def test_what_is_left_of_a_division(self) -> None:
        self.check(i8, "rem", [(7, 3, 1), (-7, 3, -1), (7, -3, 1), (-128, -1, 0), (5, 0, 5)])
        self.check(u8, "rem", [(255, 16, 15), (255, 0, 255), (255, 255, 0)])

    def test_division_that_rounds_down(self) -> None:
        for dtype in (i8, i16, i32, i64):
            lowest = int(np.iinfo(dtype.element).min)
            self.check(dtype, "floordiv", [(7, 2, 3), (-7, 2, -4), (7, -2, -4), (-7, -2, 3), (-6, 2, -3), (7, 0, 0), (-7, 0, 0), (lowest, -1, lowest)])
            self.check(dtype, "mod", [(7, 2, 1), (-7, 2, 1), (7, -2, -1), (-7, -2, -1), (-6, 2, 0), (7, 0, 7), (-7, 0, -7), (lowest, -1, 0)])
        self.check(u8, "floordiv", [(255, 2, 127), (255, 0, 0), (3, 255, 0)])
        self.check(u8, "mod", [(255, 16, 15), (255, 0, 255), (3, 255, 3)])

    def test_bits_and_truth(self) -> None:
        self.check(i8, "bit_and", [(-1, 6, 6)])
        self.check(i8, "bit_or", [(-128, 1, -127)])
        self.check(u8, "bit_xor", [(255, 15, 240)])
        self.check(i8, "bit_not", [(0, -1), (127, -128)])
        self.check(u8, "bit_not", [(0, 255)])
        self.check(bool_, "bit_and", [(True, False, False), (True, True, True)])
        self.check(bool_, "bit_not", [(True, False), (False, True)])

    def test_whole_numbers(self) -> None:
        for dtype in (f16, bf16, f32, f64):
            self.check(dtype, "floor", [(1.5, 1.0), (-1.5, -2.0), (-0.0, -0.0), (INF, INF), (NAN, NAN)])
            self.check(dtype, "ceil", [(1.5, 2.0), (-1.5, -1.0), (-0.5, -0.0)])
            self.check(dtype, "trunc", [(1.5, 1.0), (-1.5, -1.0), (-0.5, -0.0)])
            self.check(dtype, "round", [(0.5, 0.0), (1.5, 2.0), (2.5, 2.0), (-0.5, -0.0), (-1.5, -2.0)])

    def test_every_operation_rounds_once(self) -> None:
        self.check(f16, "add", [(2048, 1, 2048), (2048, 3, 2052), (65504, 16, INF), (65504, 15, 65504)])
        self.check(f32, "add", [(2**24, 1, 2**24), (2**24, 3, 2**24 + 4)])
        self.check(bf16, "add", [(256, 1, 256), (256, 3, 260)])
        self.check(f32, "mul", [(2.0**-75, 2.0**-75, 0.0), (-(2.0**-75), 2.0**-75, -0.0), (2.0**-149, 0.5, 0.0), (3 * 2.0**-149, 0.5, 2.0**-148)])
        self.check(f32, "div", [(1, 0.0, INF), (1, -0.0, -INF), (0.0, 0.0, NAN), (INF, INF, NAN)])

    def test_fma_rounds_once(self) -> None:
        tiny = 2.0**-60
        self.check(f64, "fma", [(1 + 2.0**-30, 1 + 2.0**-30, -(1 + 2.0**-29), tiny), (INF, 0, 1, NAN), (1, -1, 1, 0.0), (-1, 0.0, -0.0, -0.0)])
        # 24929 * 673 = 2**24 + 1 lies halfway between two f32: what is far below decides, and is lost in an f64 sum.
        self.check(f32, "fma", [(24929, 673, 2.0**-40, 16777218), (24929, 673, -(2.0**-40), 16777216), (24929, 673, 0.0, 16777216)])
        for seed in range(200):
            generator = np.random.default_rng(seed)
            a, b, c = (generator.standard_normal(3) * 2.0 ** generator.integers(-12, 12, 3)).astype(np.float32)
            exact = Fraction(float(a)) * Fraction(float(b)) + Fraction(float(c))
            got = float(f32.meanings["fma"](a, b, c))
            for neighbour in (np.nextafter(np.float32(got), np.float32(INF)), np.nextafter(np.float32(got), np.float32(-INF))):
                self.assertLessEqual(abs(Fraction(got) - exact), abs(Fraction(float(neighbour)) - exact))

    def test_transcendentals_at_their_edges(self) -> None:
        for dtype in (f16, bf16, f32, f64):
            self.check(dtype, "exp", [(-INF, 0.0), (INF, INF), (0.0, 1.0), (-0.0, 1.0), (NAN, NAN)])
            self.check(dtype, "log", [(0.0, -INF), (-0.0, -INF), (-1, NAN), (INF, INF), (1, 0.0)])
            self.check(dtype, "sqrt", [(-0.0, -0.0), (-1, NAN), (INF, INF), (4, 2)])
            self.check(dtype, "rsqrt", [(0.0, INF), (-0.0, -INF), (INF, 0.0), (-1, NAN), (4, 0.5)])
            self.check(dtype, "pow", [(2, 3, 8), (4, 0.5, 2), (4, -0.5, 0.5), (NAN, 0.0, 1.0), (0.0, -1, INF), (-2, 3, -8), (-2, 0.5, NAN)])
            self.check(dtype, "tanh", [(-0.0, -0.0), (0.0, 0.0), (INF, 1), (-INF, -1)])
            self.check(dtype, "sigmoid", [(INF, 1), (-INF, 0.0), (0.0, 0.5), (NAN, NAN)])

    def test_sign_bit_operations_reach_nan(self) -> None:
        with np.errstate(all="ignore"):
            self.assertTrue(np.signbit(f32.meanings["neg"](np.float32(NAN))))
            self.assertFalse(np.signbit(f32.meanings["absolute"](np.float32(-NAN))))

    def test_comparisons_with_nan(self) -> None:
        for op in ("lt", "le", "gt", "ge", "eq"):
            self.check(f32, op, [(NAN, 1, False), (NAN, NAN, False)])
        self.check(f32, "ne", [(NAN, NAN, True)])
        self.check(f32, "eq", [(0.0, -0.0, True)])
        self.check(f32, "lt", [(-0.0, 0.0, False)])


class Casts(unittest.TestCase):
    def check(self, source: Any, target: Any, rows: list[tuple[Any, Any]]) -> None:
        data = np.array([row[0] for row in rows]).astype(source.element)
        with np.errstate(all="ignore"):
            together = target.convert(data)
            for number, (value, expected) in enumerate(rows):
                for actual in (together[number], target.convert(data[number])):
                    self.assertTrue(same(actual, expected), f"{value} as {target.name} is {actual}, not {expected}")
                    self.assertEqual(actual.dtype, target.element)

    def test_float_to_integer_truncates_and_saturates(self) -> None:
        self.check(f32, i8, [(1.9, 1), (-1.9, -1), (127.9, 127), (128, 127), (-128.9, -128), (-129, -128), (INF, 127), (-INF, -128), (NAN, 0)])
        self.check(f32, u8, [(-0.9, 0), (-1, 0), (255.9, 255), (256, 255), (NAN, 0)])
        self.check(f32, i32, [(2147483648.0, 2**31 - 1), (-2147483648.0, -(2**31))])
        self.assertEqual(int(i64.convert(np.float64(1e300))), 2**63 - 1)
        self.assertEqual(int(i64.convert(np.float64(-1e300))), -(2**63))
        self.assertEqual(int(i64.convert(np.array([2.0**63, 1.0]))[0]), 2**63 - 1)
        self.assertEqual(int(u64.convert(np.array([2.0**64, 1.0]))[0]), 2**64 - 1)
        self.assertEqual(int(i64.convert(np.float64(2.0**62))), 2**62)

    def test_integer_to_integer_is_modular(self) -> None:
        self.check(i32, i8, [(128, -128), (255, -1), (256, 0), (-129, 127)])
        self.check(i8, u32, [(-1, 2**32 - 1)])

    def test_narrowing_floats_round_to_even(self) -> None:
        self.check(f32, f16, [(2049, 2048), (2051, 2052), (65519, 65504), (65520, INF), (2.0**-25, 0.0), (2.0**-24, 2.0**-24)])
        self.check(f32, bf16, [(257, 256), (259, 260), (3.4e38, INF), (NAN, NAN), (-0.0, -0.0), (2.0**-149, 0.0)])

    def test_truth_values(self) -> None:
        self.check(f32, bool_, [(0.0, 0), (-0.0, 0), (NAN, 1), (0.5, 1)])
        self.check(bool_, f32, [(True, 1), (False, 0.0)])

    def test_bf16_bits(self) -> None:
        values = np.array([1.0, -2.0, INF, 2.0**-133], np.float32)
        self.assertEqual(list(semantics.bf16_to_bits(values)), [0x3F80, 0xC000, 0x7F80, 1])
        self.assertTrue(np.array_equal(semantics.bf16_from_bits(semantics.bf16_to_bits(values)), values))


class Reductions(unittest.TestCase):
    def test_extremes_order_zeros_and_propagate_nan(self) -> None:
        rows = np.array([[-0.0, 0.0], [0.0, -0.0], [-0.0, -0.0], [NAN, 1], [-1, -0.0]], np.float32)
        largest, smallest = semantics.reduce_max(rows, 1), semantics.reduce_min(rows, 1)
        for actual, expected in zip(largest[:, 0], (0.0, 0.0, -0.0, NAN, -0.0)):
            self.assertTrue(same(actual, expected))
        for actual, expected in zip(smallest[:, 0], (-0.0, -0.0, -0.0, NAN, -1)):
            self.assertTrue(same(actual, expected))

    def test_nothing_has_an_extreme(self) -> None:
        self.assertEqual(semantics.reduce_max(np.empty((1, 0), np.float32), 1)[0, 0], -INF)
        self.assertEqual(semantics.reduce_min(np.empty((1, 0), np.int8), 1)[0, 0], 127)
        self.assertEqual(semantics.reduce_sum(np.empty((1, 0), np.int8), 1)[0, 0], 0)

    def test_sums_round_once_and_integers_wrap(self) -> None:
        ones = np.full((1, 4096), 1, np.float16)
        self.assertEqual(semantics.reduce_sum(ones, 1)[0, 0], 4096)
        self.assertEqual(semantics.reduce_sum(np.array([[100, 100]], np.int8), 1)[0, 0], -56)
        self.assertEqual(semantics.matmul(np.array([[100]], np.int8), np.array([[3]], np.int8), np.array([[1]], np.int8))[0, 0], 45)

    def test_places_and_scans_follow_the_order_of_values(self) -> None:
        for dtype in (f16, bf16, f32, f64):
            rows = np.array([[-0.0, 0.0, 0.0], [1, NAN, NAN], [-INF, -INF, -INF], [3, 5, 5]], dtype.element)
            self.assertEqual(semantics.argmax(rows, 1).tolist(), [[1], [1], [0], [1]])
            self.assertEqual(semantics.argmin(rows, 1).tolist(), [[0], [1], [0], [0]])
            for scan, wanted in ((semantics.scan_max, [-0.0, 0.0, 2, NAN, NAN]), (semantics.scan_min, [-0.0, -0.0, -0.0, NAN, NAN])):
                got = scan(np.array([-0.0, 0.0, 2, NAN, 1], dtype.element), 0)
                self.assertTrue(all(map(same, got, wanted)), f"{got} is not {wanted}")
        self.assertEqual(semantics.argmax(np.zeros((0, 2), np.int8), 0).tolist(), [[0, 0]])
        self.assertEqual(semantics.scan_sum(np.array([100, 100], np.int8), 0).tolist(), [100, -56])
        self.assertEqual(semantics.scan_sum(np.ones(4096, np.float16), 0)[-1], 4096)


class Edges(unittest.TestCase):
    def test_every_operation_of_every_dtype_has_edges(self) -> None:
        seen = {(case.op, case.dtype) for case in htp.edge_cases()}
        for dtype in htp.DTYPES:
            for op in dtype.meanings:
                self.assertIn((op, dtype), seen)

    def test_arrays_are_as_memory_holds_them(self) -> None:
        for case in htp.edge_cases():
            self.assertEqual(case.expected.dtype, case.result.storage, case.op)
            for operand in case.operands:
                self.assertEqual(operand.dtype, case.dtype.storage, case.op)

    def test_scalars_mean_what_arrays_mean(self) -> None:
        generator = np.random.default_rng(7)
        for case in htp.edge_cases():
            if case.op in case.dtype.meanings:
                columns = [case.dtype.decode(operand) for operand in case.operands]
                for place in generator.integers(0, case.expected.size, 40):
                    with np.errstate(all="ignore"):
                        alone = case.dtype.meanings[case.op](*(column[place] for column in columns))
                    expected = case.result.decode(case.expected)[place]
                    if case.exact:
                        self.assertTrue(same(alone, expected), f"{case.op} {case.dtype.name} {[column[place] for column in columns]}")
                    else:
                        one, other = (case.result.encode(np.array([value], case.result.element)) for value in (alone, expected))
                        self.assertEqual(htp.differences(one, other, case.result, 1), [], f"{case.op} {case.dtype.name}")


class Bounds(unittest.TestCase):
    def test_a_right_result_is_within_and_a_wrong_one_is_not(self) -> None:
        expected = np.linspace(1, 2, 100).astype(np.float32)
        self.assertEqual(htp.differences(expected * np.float32(1 + 2.0**-23), expected, f32, 1), [])
        wrong = expected.copy()
        wrong[17] += np.float32(1e-4)
        self.assertEqual(len(htp.differences(wrong, expected, f32, 1)), 1)
        self.assertIn("[17]", htp.differences(wrong, expected, f32, 1)[0])

    def test_poison_infinities_and_shapes_show(self) -> None:
        expected = np.array([1, INF, NAN, -0.0], np.float32)
        self.assertEqual(htp.differences(np.array([1, INF, NAN, 0.0], np.float32), expected, f32, 1), [])
        self.assertEqual(len(htp.differences(np.array([NAN, -INF, 1, NAN], np.float32), expected, f32, 1)), 4)
        self.assertTrue(htp.differences(expected[:2], expected, f32, 1))

    def test_integers_are_exact(self) -> None:
        self.assertEqual(htp.error_bound(i32, 10**6), 0.0)
        self.assertTrue(htp.differences(np.array([1], np.int32), np.array([2], np.int32), i32, 10**6))

    def test_longer_reductions_and_narrower_dtypes_have_larger_bounds(self) -> None:
        self.assertLess(htp.error_bound(f32, 1), htp.error_bound(f32, 100))
        self.assertLess(htp.error_bound(f64, 1), htp.error_bound(f32, 1))
        self.assertLess(htp.error_bound(f32, 1), htp.error_bound(f16, 1))


if __name__ == "__main__":
    unittest.main()
