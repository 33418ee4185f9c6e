"""Which kernels are spread both ways as products of matrices, and what is said of those that are not."""

from __future__ import annotations

import unittest

from case import Case, last

HEAD = """import htp
from htp import In, InOut, Out, bf16, f32, i8, i32
from htp_tile import Tensor, cast, exp, kernel, matmul, maximum, reduce_sum, sigmoid, tiles, zeros

M = 256
N = 256
K = 256


@kernel
"""
OPERANDS = "x: In[Tensor[bf16, M, K]], w: In[Tensor[bf16, K, N]]"
RESULT = "y: Out[Tensor[f32, M, N]]"
RESIDUAL = "r: In[Tensor[f32, M, N]]"
BLOCKS = """for i in tiles(M, 32):
    for j in tiles(N, 32):
        acc = zeros(f32, i, j)
        for k in tiles(K, 32):
            acc = matmul(x[i, k], w[k, j], acc)
        """
TWICE = BLOCKS + """s = acc * 2.0
        acc = zeros(f32, i, j)
        for k in tiles(K, 32):
            acc = matmul(x[i, k], w[k, j], acc)
        y[i, j] = s + acc"""
WIDE = """for i in tiles(M, 32):
    acc = zeros(f32, i, N)
    for k in tiles(K, 32):
        acc = matmul(x[i, k], w[k, :], acc)
    y[i, :] = acc"""


def program(parameters: str, body: str) -> str:
    return f"{HEAD}def form({parameters}) -> None:\n" + "".join(f"    {line}\n" for line in body.splitlines())


class BothWays(Case):
    def test_gates_and_batches_are_searched(self) -> None:
        # Two products that meet at the end, with a bias, of one pass through their depth or of two; and products of a batch.
        for name, sizes, streams in (
            ("gated_product", ("M=256", "N=256", "K=256"), {"x_in": "'all'", "w_v_in": "'rows'"}),
            ("two_products", ("M=256", "N=256", "K=256"), {"a_d_scale_in": "'all'", "b_packed_in": "'rows'"}),
            ("product_batches", ("B=3", "M=256", "N=256", "K=256"), {"a_in": "'all'", "b_in": "'rows'"}),
            ("head_products", ("B=3", "M=256", "N=256", "K=256"), {"x_in": "'all'", "w_bias_in": "'rows'"}),
        ):
            with self.subTest(name):
                package = self.example(name, *[word for size in sizes for word in ("--set", size)])
                stage = last(package) / "program.py"
                text = stage.read_text()
                self.assertIn("columns=4, rows=4", text)
                self.assertEqual(text.count("aie.mmul("), 2 if name in ("gated_product", "two_products") else 1)
                for stream, share in streams.items():
                    self.assertRegex(text, rf"{stream} = aie\.feed\(.*{share}")

    def test_small_products_of_a_batch_stay_whole(self) -> None:
        package = self.example("product_batches", *[word for size in ("B=64", "M=32", "N=32", "K=32") for word in ("--set", size)])
        stage = last(package) / "program.py"
        self.assertNotIn("'rows'", stage.read_text())

    def test_what_keeps_a_product_from_it_is_told(self) -> None:
        for parameters, body, why, hint in (
            (f"{OPERANDS}, {RESIDUAL}, {RESULT}", BLOCKS + "y[i, j] = acc + r[i, j]", "`r` is as large as the result", "store the product to a tensor of its own, `sums`, and add `r` in a second kernel: `y[i, :] = sums[i, :] + r[i, :]`"),
            (f"{OPERANDS}, {RESULT}".replace("y: Out", "y: InOut"), BLOCKS.replace("zeros(f32, i, j)", "y[i, j]") + "y[i, j] = acc", "`y` is as large as the result", "begin with `zeros(f32, i, j)`, store the product to a tensor of its own, `sums`, and add `y` in a second kernel: `y[i, :] = sums[i, :] + y[i, :]`"),
            (f"{OPERANDS}, {RESULT}", TWICE, "`acc` accumulates several products", "give each product an accumulator of its own"),
            (f"{OPERANDS}, {RESULT}", BLOCKS.replace("x[i, k], w", "maximum(x[i, k], 0.0), w") + "y[i, j] = acc", "is computed before it is multiplied", "compute it in a kernel of its own"),
            (f"{OPERANDS}, {RESULT}", WIDE, "do not each go by blocks of a loop", "`for j in tiles(N, 32)`"),
        ):  # fmt: skip
            with self.subTest(why):
                done = self.compile(program(parameters, body))
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertIn(": this product keeps the program's own blocks: ", done.stderr)
                self.assertIn(why, done.stderr)
                self.assertIn(hint, done.stderr)

    def test_what_is_said_of_a_residual_works(self) -> None:
        done = self.compile(program(f"{OPERANDS}, {RESULT}", BLOCKS + "y[i, j] = acc"))
        self.assertIn("note[aie.product-blocks]", done.stderr)
        self.assertNotIn("own blocks", done.stderr)
        done = self.compile(program(f"c: In[Tensor[f32, M, N]], {RESIDUAL}, {RESULT}", "for i in tiles(M, 8):\n    y[i, :] = c[i, :] + r[i, :]"))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        done = self.compile(program(f"sums: In[Tensor[f32, M, N]], {RESULT}".replace("y: Out", "y: InOut"), "for i in tiles(M, 8):\n    y[i, :] = sums[i, :] + y[i, :]"))
        self.assertEqual((done.returncode, done.stderr), (0, ""))


if __name__ == "__main__":
    unittest.main()
