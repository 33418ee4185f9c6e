"""Functions in C++ in programs for AI Engines: how modules call and link them, and what is said of those that do not fit."""

from __future__ import annotations

import re
import unittest

from case import Case, plain


EXTERNAL = """import htp
from htp import In, Out, f32, i32
from htp_csp import channel, pipeline, process
from htp_tile import Tensor, Tile, cast, external, kernel, tiles

R = htp.dim("R")


@external(htp.text("scaled.cc"))
def scaled(x: Tile[f32, R, 16], by: Tile[f32, 1, 16]) -> Tile[f32, R, 16]:
    return x * by


@external(htp.text("{second}.cc"))
def doubled(x: Tile[f32, R, 16]) -> Tile[f32, R, 16]:
    return x + x


"""
KERNEL = """@kernel
def program(x: In[Tensor[f32, {rows}, 16]], w: In[Tensor[f32, 1, 16]], y: Out[Tensor[f32, {rows}, 16]]) -> None:
    for i in tiles({rows}, 8):
        y[i, :] = {value}
"""


class Externals(Case):
    """Functions that are compiled apart."""

    def setUp(self) -> None:
        super().setUp()
        scaled = 'extern "C" void scaled(const float *x, const float *by, float *to, int rows) {\n  for (int n = 0; n < rows * 16; ++n) to[n] = x[n] * by[n % 16];\n}\n'
        doubled = 'extern "C" void doubled(const float *x, float *to, int rows) {\n  for (int n = 0; n < rows * 16; ++n) to[n] = x[n] + x[n];\n}\n'
        (self.folder / "scaled.cc").write_text(scaled + doubled)
        (self.folder / "doubled.cc").write_text(doubled)

    def program(self, value: str, rows: int = 32, second: str = "scaled") -> str:
        return EXTERNAL.format(second=second) + KERNEL.format(value=value, rows=rows)

    def test_each_version_links_in_its_own_way(self) -> None:
        memrefs = "memref<8x16xf32>, memref<1x16xf32>, memref<8x16xf32>, i32"
        for version, declared, ends in (("2408", "", '} {link_with = "doubled.o"}'), ("v1.0", "", '} {link_with = "doubled.o"}'), ("2608", ' attributes {link_with = "doubled.o"}', "}")):
            done = self.compile(self.program("scaled(doubled(x[i, :]), w[:, :])"), "--verify-each", profile=self.profile(mlir_aie=f'"{version}"'))
            self.assertEqual(done.returncode, 0, done.stderr)
            module = plain(self.folder / "package")
            self.assertIn(f"func.func private @scaled({memrefs}){declared}\n", module)
            self.assertRegex(module, rf"%size\d+ = arith.constant 8 : i32\n +func.call @scaled\(.*\) : \({re.escape(memrefs)}\) -> \(\)")
            self.assertIn(f"aie.end\n    {ends}\n", module)
            self.assertEqual((self.folder / "package/codegen/aie/doubled.cc").read_text(), (self.folder / "scaled.cc").read_text())
            self.assertIn('  -c "$module/doubled.cc" -o doubled.o', (self.folder / "package/build/build.sh").read_text())

    def test_a_core_links_one_object_before_2608(self) -> None:
        text = self.program("scaled(doubled(x[i, :]), w[:, :])", second="doubled")
        done = self.compile(text)
        self.assertIn("error[aie.two-objects]: `program` calls `doubled` and `scaled`, and a core links one object in MLIR-AIE `v1.0`", done.stderr)
        self.assertIn("or set `mlir_aie: 2608`", done.stderr)
        done = self.compile(text, profile=self.profile(mlir_aie='"2608"'))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(sorted(path.name for path in (self.folder / "package/codegen/aie").glob("*.cc")), ["doubled.cc", "scaled.cc"])

    def test_in_a_process(self) -> None:
        body = """@pipeline
def program(x: In[Tensor[f32, 8, 16]], y: Out[Tensor[f32, 8, 16]]) -> None:
    rows = channel(f32, 1, 16, capacity=2)

    @process
    def twice() -> None:
        for m in range(8):
            rows.put(doubled(x[m, :]))

    @process
    def again() -> None:
        for m in range(8):
            y[m, :] = doubled(rows.get())
"""
        done = self.compile(EXTERNAL.format(second="scaled") + body, "--verify-each")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual((self.folder / "package/codegen/aie/aie.mlir").read_text().count("func.call @doubled("), 2)

    def test_blocks_that_are_filled_up_are_refused(self) -> None:
        done = self.compile(self.program("doubled(x[i, :])", rows=20))
        self.assertIn("error[aie.ragged-reduction]: `doubled` goes along blocks of `i`, and 20 is not a multiple of 8", done.stderr)

    def many(self, body: str, signature: str = "sums: Tile[f32, R, 16], by: f32, n: i32", updates: str = "") -> str:
        function = f'@external(htp.text("scaled.cc"){updates})\ndef split({signature}) -> tuple[Tile[f32, R, 16], Tile[f32, R, 1]]:\n    return sums * by, reduce_max(sums, axis=1)\n\n\n'
        kernel = "@kernel\ndef program(x: In[Tensor[f32, 32, 16]], y: Out[Tensor[f32, 32, 16]], top: Out[Tensor[f32, 32, 1]]) -> None:\n    for i in tiles(32, 8):\n"
        head = EXTERNAL.format(second="scaled").replace("external, kernel", "external, kernel, reduce_max")
        return head + function + kernel + "".join(f"        {line}\n" for line in body.splitlines())

    def test_numbers_and_several_results(self) -> None:
        body = "rows, most = split(x[i, :], -0.5, 3)\ny[i, :] = rows\ntop[i, :] = most"
        done = self.compile(self.many(body), "--verify-each")
        self.assertEqual(done.returncode, 0, done.stderr)
        module = plain(self.folder / "package")
        types = "memref<8x16xf32>, f32, i32, memref<8x16xf32>, memref<8x1xf32>, i32"
        self.assertIn(f"func.func private @split({types})\n", module)
        self.assertRegex(module, rf"%number\d+ = arith.constant -5.0e-01 : f32\n +%number\d+ = arith.constant 3 : i32\n +%size\d+ = arith.constant 8 : i32\n +func.call @split\(%operand, %number\d+, %number\d+, %rows, %most, %size\d+\) : \({re.escape(types)}\) -> \(\)")

    def test_what_is_updated_stays_where_it_is(self) -> None:
        body = "sums = x[i, :] + 1.0\nsums, most = split(sums, 2.0, 0)\ny[i, :] = sums\ntop[i, :] = most"
        done = self.compile(self.many(body, updates=', updates="sums"'), "--verify-each")
        self.assertEqual(done.returncode, 0, done.stderr)
        module = plain(self.folder / "package")
        self.assertIn("func.func private @split(memref<8x16xf32>, f32, i32, memref<8x1xf32>, i32)\n", module)
        acc = self.program("scaled(x[i, :], w[:, :])").replace("y[i, :] = scaled(x[i, :], w[:, :])", "acc = x[i, :] + 1.0\n        acc = doubled(acc)\n        y[i, :] = acc")
        done = self.compile(acc, "--verify-each")  # C++ may write before it has read
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex((self.folder / "package/ir/stages/04-aie.legalize_calls/program.py").read_text(), r"acc_1 = aie.buffer\(f32, i, 16\)\n +aie.copy\(acc_1, acc\)\n +aie.call\(acc, doubled, acc_1\)")
        done = self.compile(acc.replace('(htp.text("scaled.cc"))\ndef doubled', '(htp.text("scaled.cc"), updates="x")\ndef doubled'), "--verify-each")
        self.assertIn("aie.call(acc, doubled, acc)", (self.folder / "package/ir/stages/03-aie.select/program.py").read_text())

    def test_calls_of_several_results_that_do_not_fit_are_refused(self) -> None:
        stored = "\ny[i, :] = a\ntop[i, :] = b"
        for body, text in (
            ("y[i, :] = split(x[i, :], 1.0, 3)\ntop[i, :] = x[i, :]", "error[tile.result-count]: `split` returns 2 values, and there are 1 names for them"),
            ("a, b, c = split(x[i, :], 1.0, 3)", "error[tile.result-count]: `split` returns 2 values, and there are 3 names for them"),
            ("a, b = split(x[i, :], 1.0, 3.5)" + stored, "error[tile.literal-dtype]: the literal 3.5 is not a value of i32"),
        ):
            done = self.compile(self.many(body))
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertIn(text, done.stderr)

    def test_an_extent_of_nothing_and_a_star_are_told(self) -> None:
        text = self.program("doubled(x[i, :])").replace("{rows}", "M").replace("[f32, 32, 16]", "[f32, M, 16]").replace('R = htp.dim("R")', 'R = htp.dim("R")\nM = htp.dim("M")')
        for size in (0, -5):
            done = self.compile(text, "--set", f"M={size}")
            self.assertIn("error[tile.bad-extent]: `M` is not an extent", done.stderr)
            self.assertIn(f"= hint: an extent is 1 or more, and this is {size}\n", done.stderr)
        done = self.compile(re.sub("from htp_tile import .*", "from htp_tile import *", text))
        self.assertRegex(done.stderr, r"error\[pipeline.no-entry\][^=]*from htp_tile import \*\n[^=]*a star brings no name that a compile sees\n[^=]*= hint: in place of `\*`, import each name that is used\n")

    def test_a_text_that_is_not_there_is_told(self) -> None:
        done = self.compile(self.program("doubled(x[i, :])", second="nothing"))
        self.assertIn("error[io.unreadable]: cannot read `", done.stderr)
        self.assertIn("nothing.cc`", done.stderr)
        done = self.compile(self.program("doubled(x[i, :])", second="../doubled"))
        self.assertIn("it takes a name, written out, of a file beside the program", done.stderr)


if __name__ == "__main__":
    unittest.main()
