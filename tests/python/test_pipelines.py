"""Pipelines under plain Python: pipelines in others, and what is said when something is wrong."""

import unittest
from typing import Any

import htp
import numpy as np
from htp import HtpError, In, InOut, Out, f32, i32
from htp_csp import Channel, Deadlock, R, S, channel, pipeline, process, shard
from htp_tile import Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@pipeline
def double(source: Channel[f32], sink: Channel[f32]) -> None:
    @process
    def work() -> None:
        for _i in tiles(M, 8):
            sink.put(source.get() * 2.0)


@pipeline
def part(m: int, x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channel(f32, 1, N, capacity=1)

    @process
    def load() -> None:
        rows.put(x[m, :])

    @process
    def store() -> None:
        y[m, :] = rows.get()


class Nested(unittest.TestCase):
    def refused(self, message: str, function: Any, *arguments: Any) -> None:
        with self.assertRaises(HtpError) as caught:
            function(*arguments)
        self.assertIn(message, str(caught.exception))

    def test_channels_are_handed_over(self) -> None:
        @pipeline
        def whole(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
            rows = channel(f32, tiles(M, 8), N, capacity=1)
            once = channel(f32, tiles(M, 8), N, capacity=1)
            twice = channel(f32, tiles(M, 8), N, capacity=1)
            double(rows, once)
            double(sink=twice, source=once)

            @process
            def load() -> None:
                for i in tiles(M, 8):
                    rows.put(x[i, :])

            @process
            def store() -> None:
                for i in tiles(M, 8):
                    y[i, :] = twice.get()

        x = np.arange(60, dtype=np.float32).reshape(20, 3)
        y = np.empty_like(x)
        whole(x, y)
        np.testing.assert_array_equal(y, 4 * x)

    def test_what_a_call_leaves_is_kept(self) -> None:
        @pipeline
        def whole(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]]) -> None:
            @process
            def run() -> None:
                part(1, x, y)
                part(2, x, y)

        x = np.ones((4, 3), np.float32)
        y = np.zeros_like(x)
        whole(x, y)
        np.testing.assert_array_equal(y[:, 0], [0, 1, 1, 0])

    def test_a_deadlock_names_who_was_called(self) -> None:
        @pipeline
        def stuck(x: In[Tensor[f32, M, N]]) -> None:
            rows = channel(f32, 8, N, capacity=1)
            back = channel(f32, 8, N, capacity=1)
            double(rows, back)
            double(back, rows)

        with self.assertRaises(Deadlock) as caught:
            stuck(np.ones((8, 3), np.float32))
        self.assertEqual([name for name, *_ in caught.exception.waiting], ["double_work", "double_2_work"])

    def test_of_a_broadcast_it_says_who_is_behind(self) -> None:
        @pipeline
        def stuck(x: In[Tensor[f32, M, N]]) -> None:
            rows = channel(f32, 8, N, capacity=1, readers=2)
            other = channel(f32, 8, N, capacity=0)

            @process
            def load() -> None:
                for _ in range(3):
                    rows.put(x[:, :])

            @process
            def fast() -> None:
                for _ in range(3):
                    rows.get()
                other.put(x[:, :])

            @process
            def slow() -> None:
                rows.get()
                other.get()

        with self.assertRaises(Deadlock) as caught:
            stuck(np.ones((8, 3), np.float32))
        said = str(caught.exception)
        self.assertIn("`load` waits to put into `rows` (full, 1 of 1: `slow` has 1 to get)", said)
        self.assertIn("`fast` waits to get from `rows` (empty for `fast`: `slow` has 1 to get)", said)

    def test_what_is_wrong_is_told(self) -> None:
        self.refused("`double` is given channels (source, sink), so another pipeline calls it", double)

        @pipeline
        def other(x: In[Tensor[f32, M, N]]) -> None:
            double(channel(f32, 8, N, capacity=1), channel(i32, 8, N, capacity=1))

        self.refused("`double` takes a channel of f32 for `sink`, and is given", other, np.ones((8, 3), np.float32))


class Parts(unittest.TestCase):
    def run_cut(self, rows: int) -> Any:
        @pipeline
        def cut(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]]) -> None:
            @process(grid=3, args=(shard(x, S(0), R), shard(y, S(0), R)))
            def work(g: int, x: In[Tensor[f32, 2, N]], y: InOut[Tensor[f32, 2, N]]) -> None:
                y[0, :] = x[1, :] + y[1, :]

        x, y = np.arange(rows * 2, dtype=np.float32).reshape(rows, 2), np.ones((rows, 2), np.float32)
        cut(x, y)
        return y

    def test_each_place_has_its_part(self) -> None:
        self.assertEqual(self.run_cut(6).tolist(), [[3, 4], [1, 1], [7, 8], [1, 1], [11, 12], [1, 1]])

    def test_what_is_wrong_is_told(self) -> None:
        with self.assertRaises(HtpError) as caught:
            self.run_cut(7)
        self.assertEqual(str(caught.exception), "dimension 0 of `x` is 7, which 3 places have no equal parts of")
        with self.assertRaises(HtpError) as caught:
            self.run_cut(9)
        self.assertEqual(str(caught.exception), "`work` declares `x: In[Tensor[f32, 2, N]]`, and its part of `x` is f32, 3, 2")


if __name__ == "__main__":
    unittest.main()
