"""Copies that are begun and waited for: when they happen, and what is refused when a program just runs."""

from __future__ import annotations

import unittest
from typing import Any

import htp
import numpy as np
from htp import In, Out, f32
from htp_tile import Tensor, barrier, copy_async, kernel, wait, whole

N = htp.dim("N")


@kernel
def early_reader(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]], seen: Out[Tensor[f32, N]]) -> None:
    coming = copy_async(y, x[:], whole)
    seen[:] = y[:]  # which a compile refuses
    wait(coming)


@kernel
def changing(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
    y[:] = x[:]
    coming = copy_async(y, y[:], whole)
    y[:] = 0.0  # which a compile refuses: the value is that of before
    wait(coming)


@kernel
def left(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
    copy_async(y, x[:], whole)


@kernel
def twice(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
    coming = copy_async(y, x[:], whole)
    wait(coming)
    wait(coming)


@kernel
def by_barrier(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]], seen: Out[Tensor[f32, N]]) -> None:
    copy_async(y, x[:], whole)
    seen[:] = y[:]  # which a compile refuses
    barrier()
    y[:] = y[:] + 1.0


@kernel
def behind_a_barrier(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
    coming = copy_async(y, x[:], whole)
    barrier()
    wait(coming)


def _called(entry: Any, outputs: int) -> list[Any]:
    x = np.arange(3, dtype=np.float32)
    results = [np.empty_like(x) for _ in range(outputs)]
    entry(x, *results)
    return results


class Copies(unittest.TestCase):
    def test_a_copy_happens_as_late_as_it_may(self) -> None:
        y, seen = _called(early_reader, 2)
        self.assertEqual(list(y), [0, 1, 2])
        self.assertTrue(np.isnan(seen).all())

    def test_or_early(self) -> None:
        with htp.timing("early"):
            _, seen = _called(early_reader, 2)
        self.assertEqual(list(seen), [0, 1, 2])

    def test_or_at_random_by_a_seed(self) -> None:
        found = set()
        for seed in range(20):
            with htp.timing(seed):
                y, seen = _called(early_reader, 2)
            with htp.timing(seed):
                np.testing.assert_array_equal(_called(early_reader, 2)[1], seen)
            self.assertEqual(list(y), [0, 1, 2])
            found.add(bool(np.isnan(seen).any()))
        self.assertEqual(found, {False, True})

    def test_what_is_copied_is_the_value_of_then(self) -> None:
        self.assertEqual(list(_called(changing, 1)[0]), [0, 1, 2])

    def test_what_is_not_waited_for_is_told(self) -> None:
        with self.assertRaisesRegex(htp.HtpError, "1 of 1 copies were begun and not waited for"):
            _called(left, 1)

    def test_waiting_twice_is_told(self) -> None:
        with self.assertRaisesRegex(htp.HtpError, "this copy has been waited for"):
            _called(twice, 1)

    def test_a_barrier_is_for_all_that_were_begun(self) -> None:
        for order, known in (("late", False), ("early", True)):
            with htp.timing(order):
                y, seen = _called(by_barrier, 2)
            self.assertEqual(list(y), [1, 2, 3])
            self.assertEqual(bool(np.isnan(seen).any()), not known)
        with self.assertRaisesRegex(htp.HtpError, "this copy has been waited for"):
            _called(behind_a_barrier, 1)
        htp.barrier()  # outside of a call nothing is on its way

    def test_what_is_no_token_or_order_is_told(self) -> None:
        with self.assertRaisesRegex(htp.HtpError, "takes the token of a copy"):
            htp.wait(3)  # type: ignore[arg-type]
        with self.assertRaisesRegex(htp.HtpError, "things happen"):
            with htp.timing("soon"):
                pass


if __name__ == "__main__":
    unittest.main()
