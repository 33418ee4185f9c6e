"""The forms that docs/aie.md says are refused, and those that it names instead: these compile."""

from __future__ import annotations

import unittest

from case import ROOT, Case

HEAD = """import htp
from htp import In, InOut, Out, f16, f32, f64, i16, i32
from htp_csp import channel, pipeline, process
from htp_tile import Tensor, buffer, cast, copy_async, exp, full, index, kernel, load, matmul, maximum, minimum, reduce_max, reduce_min, reduce_sum, reshape, scan_max, scan_min, scan_sum, tiles, transpose, wait, where, whole, zeros

M = 64
N = 128


"""
ROWS = "x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]"
HEADS = "x: In[Tensor[f32, 4, M, 8]], y: Out[Tensor[f32, M, 4, 8]]"
WHOLE = "x: In[Tensor[i32, M, N]], y: Out[Tensor[i32, M, N]]"
TWO = "x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]], z: Out[Tensor[f32, M, N]]"
BLOCKS = "for i in tiles(M, 8):"

# What the page says of it, what is refused, with its diagnostic, and what works.
FORMS: list[tuple[str, tuple[str, str, str], tuple[str, str]]] = [
    ("outside=1.0", (ROWS, f"{BLOCKS}\n    for j in tiles(N, 32):\n        y[i, j] = load(x, i, j - 1, outside=1.0)", "aie.outside"),
     (ROWS.replace("M, N]], y", "M, N + 2]], y"), f"{BLOCKS}\n    y[i, :] = x[i, 0:N] + x[i, 2:N + 2]")),
    ("a loop that reads what another one stored", (TWO, f"{BLOCKS}\n    y[i, :] = x[i, :] * 2.0\nfor j in tiles(M, 4):\n    z[j, :] = y[j, :] + 1.0", "aie.load-after-store"),
     (TWO.replace("InOut", "Out"), f"{BLOCKS}\n    row = x[i, :] * 2.0\n    y[i, :] = row\n    z[i, :] = row + 1.0")),
    ("buffer(f32, M, N)", (ROWS, f"h = buffer(f32, M, N)\n{BLOCKS}\n    h[i, :] = exp(x[i, :])\nfor j in tiles(M, 8):\n    y[j, :] = h[j, :] / reduce_sum(h[j, :], axis=1)", "aie.no-handler"),
     (ROWS, f"{BLOCKS}\n    h = exp(x[i, :])\n    y[i, :] = h / reduce_sum(h, axis=1)")),
    ("axes=(1, 0, 2)", (HEADS, f"{BLOCKS}\n    y[i, :, :] = transpose(x[:, i, :], axes=(1, 0, 2))", "aie.transpose-axes"),
     (HEADS, "for i in range(M):\n    for h in range(4):\n        y[i, h, :] = reshape(x[h, i, :], 1, 1, 8)")),
    ("where(row > 0.0, row, -row)", (ROWS, f"{BLOCKS}\n    row = x[i, :]\n    if index(cast(reduce_max(reduce_max(row, axis=0), axis=1), i32)) > 0:\n        y[i, :] = row\n    else:\n        y[i, :] = -row", "aie.no-handler"),
     (ROWS, f"{BLOCKS}\n    row = x[i, :]\n    y[i, :] = where(row > 0.0, row, -row)")),
    ("x[i, :] // 3", (WHOLE, f"{BLOCKS}\n    y[i, :] = x[i, :] // 3", "aie.no-handler"), (WHOLE, f"{BLOCKS}\n    y[i, :] = cast(cast(x[i, :], f32) / 3.0, i32)")),
    ("x[q, :] * q", (ROWS, "for q in range(M):\n    y[q, :] = x[q, :] * q", "aie.loop-value"),
     (f"numbers: In[Tensor[f32, M, 1]], {ROWS}", "for q in range(M):\n    y[q, :] = x[q, :] * numbers[q, :]")),
    ("`f16`", (ROWS.replace("f32", "f16"), f"{BLOCKS}\n    y[i, :] = x[i, :] + x[i, :]", "aie.no-arithmetic"), (ROWS, f"{BLOCKS}\n    y[i, :] = x[i, :] + x[i, :]")),
    ("y[:, :] = x[:, :] + 1.0", (ROWS, "y[:, :] = x[:, :] + 1.0", "aie.core-memory-full"), (ROWS, f"{BLOCKS}\n    y[i, :] = x[i, :] + 1.0")),
]  # fmt: skip

# Intrinsics without words, what the hint says, and a program that follows it.
INSTEAD: list[tuple[str, tuple[str, str], str, tuple[str, str]]] = [
    ("tile.floordiv", (WHOLE, f"{BLOCKS}\n    y[i, :] = x[i, :] // 4"), "`x >> 2`", (WHOLE, f"{BLOCKS}\n    y[i, :] = x[i, :] >> 2")),
    ("tile.mod", (WHOLE, f"{BLOCKS}\n    y[i, :] = x[i, :] % 4"), "`x & 3`", (WHOLE, f"{BLOCKS}\n    y[i, :] = x[i, :] & 3")),
    ("tile.scan_sum", (ROWS, "for j in tiles(N, 8):\n    y[:, j] = scan_sum(x[:, j], axis=0)"), "`s = s + x[m, :]`", (ROWS, "for j in tiles(N, 8):\n    s = zeros(f32, 1, j)\n    for m in range(M):\n        s = s + x[m, j]\n        y[m, j] = s")),
    ("tile.scan_max", (ROWS, "for j in tiles(N, 8):\n    y[:, j] = scan_max(x[:, j], axis=0)"), "`s = maximum(s, x[m, :])`", (ROWS, "for j in tiles(N, 8):\n    s = full(f32, -3e38, 1, j)\n    for m in range(M):\n        s = maximum(s, x[m, j])\n        y[m, j] = s")),
    ("tile.scan_min", (ROWS, "for j in tiles(N, 8):\n    y[:, j] = scan_min(x[:, j], axis=0)"), "`s = minimum(s, x[m, :])`", (ROWS, "s = full(f32, 3e38, 1, N)\nfor m in range(M):\n    s = minimum(s, x[m, :])\n    y[m, :] = s")),
    ("tile.copy_async", (ROWS, f"{BLOCKS}\n    done = copy_async(y, x[i, :], i, whole)\n    wait(done)"), "`y[i, :] = x[i, :]`", (ROWS, f"{BLOCKS}\n    y[i, :] = x[i, :]")),
]  # fmt: skip


SUMS = "a: In[Tensor[f32, 3, M, N]], b: In[Tensor[f32, N, N]], c: Out[Tensor[f32, 3, M, N]]"
PRODUCT = "for h in range(3):\n    for i in tiles(M, 8):\n        for j in tiles(N, 32):\n            acc = zeros(f32, {}i, j)\n            for k in tiles(N, 32):\n                acc = matmul({}, acc)\n            c[h, i, j] = {}"
ONE = "x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, 1, M, N]]"
LEAST = "least = full(f32, 3e38, 1, N)\nfor i in {}:\n    least = minimum(least, reduce_min(x[i, :], axis=0) + reduce_max(x[i, :], axis=0))\ny[:, :] = least"
SIGNALS = "x: In[Tensor[i16, M, N + 2]], y: Out[Tensor[i16, M, N]]"
SIGNAL = "for i in {}:\n    y[i, :] = x[i, 0:N] + x[i, 1:N + 1] + x[i, 2:N + 2]"
LEASTS = "x: In[Tensor[f32, 37, N]], y: Out[Tensor[f32, 1, N]]"

# What is refused, what the hint says, and the program that it means.
HINTS: list[tuple[tuple[str, str], str, tuple[str, str]]] = [
    (("x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, 16, N]]", "for m in range(0, M, 4):\n    y[m // 4, :] = x[m, :] + x[m + 1, :]"), "count by ones, `range(16)`, and write `4 * m` for `m`\n",
     ("x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, 16, N]]", "for m in range(16):\n    y[m, :] = x[4 * m, :] + x[4 * m + 1, :]")),
    ((ONE, "for m in range(M - 1):\n    y[0, m, :] = x[m, :] + x[m + 1, :]\ny[0, M - 1, :] = x[0, :]"), "give the tile those of the slice: `reshape(…, 1, 1, 128)`\n",
     (ONE, "for m in range(M - 1):\n    y[0, m, :] = reshape(x[m, :] + x[m + 1, :], 1, 1, N)\ny[0, M - 1, :] = reshape(x[0, :], 1, 1, N)")),
    (("x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, 64]]", "for i in range(M):\n    y[i, :] = reduce_max(reshape(x[i, :], 1, 64, 2), axis=2)"), "elements that alternate are loaded by steps: `maximum(x[i, ::2], x[i, 1::2])`\n",
     ("x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, 64]]", "for i in range(M):\n    y[i, :] = maximum(x[i, ::2], x[i, 1::2])")),
    ((SUMS, PRODUCT.format("h, ", "a[h, i, k], reshape(b[k, j], 1, k, j)", "acc").replace("range(3)", "tiles(3, 1)")), "multiply matrices one by one: `for h in range(B)`, and `matmul(reshape(a[h, i, k], i, k), b[k, j], acc)`\n",
     (SUMS, PRODUCT.format("", "reshape(a[h, i, k], i, k), b[k, j]", "reshape(acc, 1, i, j)"))),
    ((LEASTS, LEAST.format("tiles(37, 8)")), "go through it one by one, `range(37)`, or load the dimension whole\n", (LEASTS, LEAST.format("range(37)"))),
    ((ROWS.replace("M, N", "8, 100000000"), "for j in tiles(100000000, 64):\n    y[:, j] = x[:, j] + 1.0"), "go through its rows one by one, in a loop around: `for i in range(M)`\n",
     (ROWS.replace("M, N", "8, 100000000"), "for i in range(8):\n    for j in tiles(100000000, 64):\n        y[i, j] = x[i, j] + 1.0")),
    ((SIGNALS.replace("N", "33"), SIGNAL.format("range(M)").replace("N", "33")), "let what is stored have rows of a multiple of 4 bytes: where blocks are shifted, rows go one by one\n", (SIGNALS.replace("N", "34"), SIGNAL.format("range(M)").replace("N", "34"))),
    ((SIGNALS, SIGNAL.format("tiles(M, 2)")), "take such rows one by one, `for i in range(…)`: of one row a core finds what begins between multiples of 4 bytes\n", (SIGNALS, SIGNAL.format("range(M)"))),
]  # fmt: skip


def program(parameters: str, body: str) -> str:
    return f"{HEAD}@kernel\ndef form({parameters}) -> None:\n" + "".join(f"    {line}\n" for line in body.splitlines())


class Forms(Case):
    def test_what_is_refused_and_what_works(self) -> None:
        page = (ROOT / "docs/aie.md").read_text().split("## Refused forms", 1)[1].split("\n## ", 1)[0]
        for said, (parameters, body, code), works in FORMS:
            with self.subTest(said):
                self.assertIn(said, page)
                done = self.compile(program(parameters, body))
                self.assertEqual(done.returncode, 1)
                self.assertIn(f"error[{code}]", done.stderr)
                done = self.compile(program(*works))
                self.assertEqual((done.returncode, [line for line in done.stderr.splitlines() if line.startswith("error")]), (0, []))

    def test_what_is_written_instead(self) -> None:
        for intrinsic, refused, hint, works in INSTEAD:
            with self.subTest(intrinsic):
                done = self.compile(program(*refused))
                self.assertEqual(done.returncode, 1)
                self.assertIn(f"error[aie.no-handler]: aie has no `{intrinsic}`", done.stderr)
                self.assertIn(hint, done.stderr)
                done = self.compile(program(*works))
                self.assertEqual((done.returncode, [line for line in done.stderr.splitlines() if line.startswith("error")]), (0, []))

    def test_what_is_said_to_help_does(self) -> None:
        for refused, hint, works in HINTS:
            with self.subTest(hint):
                done = self.compile(program(*refused))
                self.assertEqual(done.returncode, 1)
                self.assertIn(f"  = hint: {hint}" if hint.startswith(("count", "give", "multiply", "go ", "take", "let")) else hint, done.stderr)
                done = self.compile(program(*works))
                self.assertEqual((done.returncode, [line for line in done.stderr.splitlines() if line.startswith("error")]), (0, []))

    def test_what_is_cast_of_a_dtype_that_never_reaches_a_core(self) -> None:
        done = self.compile(program(ROWS.replace("f32", "u8"), f"{BLOCKS}\n    y[i, :] = cast(cast(x[i, :], i32), u8)").replace("f64, i16, i32", "f64, i16, i32, u8"))
        self.assertIn("error[aie.no-arithmetic]: a core does not compute `tile.cast` of u8\n", done.stderr)
        self.assertIn("hint: declare its tensors i16 or i32\n", done.stderr)

    def test_dtypes_that_never_reach_a_core(self) -> None:
        for dtype, instead in (("f16", "bf16"), ("u8", "i16"), ("f64", "f32"), ("i64", "i32")):
            with self.subTest(dtype):
                text = program(ROWS.replace("f32", dtype), f"{BLOCKS}\n    y[i, :] = x[i, :] + x[i, :]").replace("f16, f32, f64, i16, i32", "bf16, f16, f32, f64, i16, i32, i64, u8")
                done = self.compile(text)
                self.assertEqual(done.returncode, 1)
                self.assertIn(f"hint: declare its tensors {instead}", done.stderr)
                self.assertEqual(self.compile(text.replace(f"Tensor[{dtype}", f"Tensor[{instead}")).returncode, 0)

    def test_what_stands_around_a_tensor(self) -> None:
        body = f"{BLOCKS}\n    for j in tiles(N, 32):\n        y[i, j] = load(x, i, j - 1, outside=%s)"
        done = self.compile(program(ROWS, body % "1.0"))
        self.assertIn("error[aie.outside]: `aie.load(x_tile, x, i, j - 1, outside=1.0)` loads elements from outside of its tensor\n", done.stderr)
        self.assertIn("hint: zeros can stand around a tensor, `outside=0.0`; else hand it over with its border, and load slices: `x[i, 0:N]`", done.stderr)
        done = self.compile(program(ROWS, body % "0.0"))
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_two_processes_store_three_tensors(self) -> None:
        three = "x: In[Tensor[f32, M, N]], a: Out[Tensor[f32, M, N]], b: Out[Tensor[f32, M, N]], c: Out[Tensor[f32, M, N]]"
        done = self.compile(program(three, f"{BLOCKS}\n    a[i, :] = x[i, :] + 1.0\n    b[i, :] = x[i, :] + 2.0\n    c[i, :] = x[i, :] + 3.0"))
        self.assertIn("error[aie.channels]: 3 output channels of a core are wanted, and it has 2", done.stderr)
        done = self.compile(f"""{HEAD}@pipeline
def form({three}) -> None:
    rows = channel(f32, 8, N, capacity=2)

    @process
    def first() -> None:
        for i in range(8):
            row = x[i * 8 : i * 8 + 8, :]
            a[i * 8 : i * 8 + 8, :] = row + 1.0
            rows.put(row)

    @process
    def second() -> None:
        for i in range(8):
            row = rows.get()
            b[i * 8 : i * 8 + 8, :] = row + 2.0
            c[i * 8 : i * 8 + 8, :] = row + 3.0
""")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_a_number_that_counts_turns(self) -> None:
        done = self.compile(program(ROWS, "for q in range(M):\n    y[q, :] = x[q, :] * q"))
        self.assertIn("error[aie.loop-value]: `q` is a loop variable and an operand\n", done.stderr)
        self.assertIn("`numbers: In[Tensor[f32, M, 1]]`, and load the one of each iteration: `numbers[q, :]`", done.stderr)

    def test_where_no_form_does_the_reason_is_of_the_form_that_the_indices_ask_for(self) -> None:
        """Places beside blocks are no kernel's: what is told is what keeps these from being dealt out, and not their first index."""
        narrow = "x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, 120]]"
        for parameters, body, said, place, hint in (
            (narrow, "for i in range(M):\n    acc = x[i, 0:120]\n    for s in range(1, 5):\n        acc = acc + x[i, s:s + 120] * (s + 1)\n    y[i, :] = acc", "error[aie.loop-value]: `s` is a loop variable and an operand\n", "* (s + 1)", "`numbers[s, :]`"),
            (ROWS, "for m in range(M):\n    acc = zeros(f32, 1, N)\n    for r in range(3):\n        acc = acc + load(x, m + r - 1, whole, outside=0.0) * (r - 1)\n    y[m, :] = acc", "error[aie.loop-value]: `r` is a loop variable and an operand\n", "* (r - 1)", "`numbers[r, :]`"),
            (ROWS, "for m in range(M - 1):\n    y[m, :] = x[m, :] - x[m + 1, :]\ny[M - 1, :] = x[0, :]\ny[0, :] = x[0, :]", "error[aie.two-stores]: `y` is stored by two statements\n", "y[0, :] = x[0, :]", "each element once"),
            (ROWS, "for m in range(M):\n    y[m, :] = x[M - 1 - m, :]", "error[aie.backwards]: the index `M - 1 - m` goes backwards\n", "x[M - 1 - m, :]", "let the host hand it over the other way round"),
        ):  # fmt: skip
            with self.subTest(said):
                done = self.compile(program(parameters, body))
                self.assertEqual(done.returncode, 1)
                self.assertIn(said, done.stderr)
                self.assertIn(place, done.stderr)
                self.assertIn(hint, done.stderr)

    def test_every_other_place_is_stored_beside_those_between(self) -> None:
        done = self.compile(program(ROWS, "for i in range(M):\n    y[i, ::2] = x[i, :64]\n    y[i, 1::2] = x[i, 64:]"))
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_a_bias_in_a_grid(self) -> None:
        """The page has the form that works."""
        page = (ROOT / "docs/aie.md").read_text()
        works = page.split("```python biased.py\n", 1)[1].split("```", 1)[0].replace('htp.dim("K")', "64")
        one = works.replace("S(1))))\n    def cell", "S(1)), shard(bias, S(1)), shard(c, S(0), S(1))))\n    def cell").replace("b: In[Tensor[i8, K, B]])", "b: In[Tensor[i8, K, B]], bias: In[Tensor[i32, B]], c: Out[Tensor[i32, B, B]])")
        one = one.split("    @process(grid=(2, 2), args=(shard(bias", 1)[0].replace("sums[i, j].put(acc)", "c[:, :] = acc + bias[:]").replace("    sums = channels((2, 2), i32, B, B, capacity=2)\n", "")
        done = self.compile(one)
        self.assertIn("error[aie.channels]: 3 input channels of the core of `cell_0_0` are wanted, and it has 2: `a_in`, `b_in`, `bias_in`", done.stderr)
        self.assertIn("by a channel, `channels((4, 2), i32, 16, 16, capacity=2)` for a grid of 4 by 2", done.stderr)
        done = self.compile(works)
        self.assertEqual(done.returncode, 0, done.stderr)


if __name__ == "__main__":
    unittest.main()
