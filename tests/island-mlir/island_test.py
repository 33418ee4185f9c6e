"""Out of Python, through mlir-opt, and back: what comes back, what MLIR means by its operations, and what is refused, at which line and with what help.

    island_test.py --host build/dev/bin/htp-host [TEST …]
"""

from __future__ import annotations

import ast
import json
import random
import sys
import unittest
from typing import Any

import numpy as np
from htp.testing import Case, entry_of, import_program, outcomes
from loops import HEAD, NOTHING, Compiled, Compiler, options, without_header

compiler: Compiler


def stage(body: str, parameters: str = "x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]") -> str:
    """A stage of explicit loops; the body's lines are indented once."""
    return HEAD + f"@kernel\ndef f({parameters}) -> None:\n" + "\n".join(f"    {line}" for line in body.strip("\n").splitlines()) + "\n"


def results(text: str, *arrays: Any) -> list[Any]:
    """What a stage computes."""
    entry = entry_of(import_program(text, "f"))
    return [np.asarray(a) for a in outcomes(entry, [Case("", arrays)])[0].arrays]


class Test(unittest.TestCase):
    def compiled(self, *given: str | None, **named: str) -> Compiled:
        done = compiler(*given, **named)
        self.assertEqual(0, done.code, done.said)
        return done

    def refused(self, code: str, *said: str, program: str, status: int = 1, **named: str) -> None:
        done = compiler(program, **named)
        self.assertEqual(status, done.code, done.said)
        for words in (f"[{code}]", *said):
            self.assertIn(words, done.said)
        self.assertFalse(done.package.exists())


class Back(Test):
    """What comes back."""

    def test_without_a_pass_the_same_statements_come_back(self) -> None:
        text = stage("""
# blocks of eight
for i_at in range(0, N, 8):
    i_n = min(8, N - i_at)
    e: Tile[f32, 8] = cpu.alloc(f32, 8)
    top: f32 = cpu.splat(f32, -1e309)
    for p in htp.vectorized(range(i_n)):
        v: f32 = cpu.get(x, i_at + p)
        top = cpu.maximum(top, v)  # the largest
        cpu.put(e, v, p)
    for p in htp.parallel(htp.vectorized(range(i_n)), level='core'):
        if p % 3 == 1 and (not p < i_n - K):
            v = cpu.get(e, p)
            d: f32 = cpu.sub(v, top)
            cpu.put(y, d, i_at + p)
        else:
            cpu.put(y, 0.1, i_at + p)
""")
        self.assertEqual(without_header(text).split(), self.compiled(text, NOTHING).stage.split())

    def test_both_texts_are_kept(self) -> None:
        done = self.compiled(stage("for p in range(N):\n    v: f32 = cpu.get(x, p)\n    cpu.put(y, v, p)"))
        self.assertIn('%v = memref.load %x[%p] : memref<?xf32> loc("1:v")', done.text("in"))
        self.assertIn('"memref.load"', done.text("out"))

    def test_what_stands_twice_is_computed_once_and_what_a_loop_repeats_before_it(self) -> None:
        done = self.compiled(stage("""
for p in range(N):
    c: f32 = cpu.get(x, p)
    d: f32 = cpu.get(x, p)
    for q in range(3):
        e: f32 = cpu.exp(c)
        g: f32 = cpu.exp(d)
        s: f32 = cpu.add(e, g)
        cpu.put(y, s, p)
"""))
        self.assertEqual(1, done.stage.count("cpu.get("))
        self.assertEqual(1, done.stage.count("cpu.exp("))
        self.assertLess(done.stage.index("cpu.exp("), done.stage.index("for q"))

    def test_memory_that_is_written_in_between_is_read_again(self) -> None:
        done = self.compiled(stage("""
for p in range(N):
    c: f32 = cpu.get(x, p)
    cpu.put(x, 1.5, p)
    d: f32 = cpu.get(x, p)
    s: f32 = cpu.add(c, d)
    cpu.put(y, s, p)
""", "x: InOut[Tensor[f32, N]], y: InOut[Tensor[f32, N]]"))
        self.assertEqual(2, done.stage.count("cpu.get("))

    def test_words_without_an_operation_come_back_as_they_went(self) -> None:
        text = stage("""
places: Tile[i32, N] = cpu.alloc(i32, N)
cpu.order(places, x, N, N, descending=True)
for p in range(N):
    at: i32 = cpu.get(places, p)
    at_int = cpu.position(at, N)
    v: f32 = cpu.get(x, at_int + 1, outside=0.5)
    w: f32 = cpu.sigmoid(v)
    m: bool_ = cpu.above(w, 0.25)
    m_int = cpu.holds(m)
    if m_int:
        n: i32 = cpu.cast(v, i32, rounding='down')
        n_int = cpu.position(n)
        o: i32 = cpu.index(i32, n_int * 2)
        r: i32 = cpu.shr(o, 1)
        z: f32 = cpu.cast(r, f32)
        cpu.put(y, z, p)
""")
        once = self.compiled(text, NOTHING).stage
        self.assertEqual(without_header(text).split(), once.replace('"down"', "'down'").split())
        twice = self.compiled(text).stage
        for call in ("order(places, x, N, N, descending=True)", "cpu.position(at, N)", "outside=0.5", "cpu.above(w, 0.25)", "cpu.sigmoid(v)"):
            self.assertIn(call, twice)

    def test_a_circle_of_names_is_taken_apart(self) -> None:
        text = stage("""
a: f32 = cpu.get(x, 0)
b: f32 = cpu.get(x, 1)
for p in range(N):
    t: f32 = a
    a = b
    b = t
    cpu.put(y, a, p)
""")
        back = self.compiled(text, NOTHING).stage
        x = np.arange(5, dtype=np.float32)
        for program in (text, back):
            np.testing.assert_array_equal([1, 0, 1, 0, 1], results(program, x, np.zeros_like(x))[1])

    def test_names_that_a_loop_hands_on_and_others_still_read(self) -> None:
        text = stage("""
total: f32 = cpu.splat(f32, 0)
count = 0
for p in range(N):
    v: f32 = cpu.get(x, p)
    before: f32 = total
    total = cpu.add(total, v)
    d: f32 = cpu.mul(before, total)
    if p % 2 == 0:
        count = count + p
    cpu.put(y, d, (p + count) % 5)
cpu.put(y, total, 0)
""")
        x = np.array([1, 2, 4, 8, 16], np.float32)
        expected = results(text, x, np.zeros_like(x))[1]
        for pipeline in (NOTHING, "builtin.module(func.func(canonicalize,cse))", "builtin.module(func.func(sccp,canonicalize,loop-invariant-code-motion,cse))"):
            np.testing.assert_array_equal(expected, results(self.compiled(text, pipeline).stage, x, np.zeros_like(x))[1])

    def test_branches_become_choices_and_choices_branches(self) -> None:
        text = stage("""
for p in range(N):
    v: f32 = cpu.get(x, p)
    n = 0
    if p < 2:
        v = 0.5
        n = p
    cpu.put(y, v, n)
""", "x: In[Tensor[f32, N]], y: InOut[Tensor[f32, N]]")
        x = np.array([3, 5, 7, 9], np.float32)
        done = self.compiled(text)
        self.assertIn("arith.select", done.text("out"))
        for program in (text, done.stage):
            np.testing.assert_array_equal([9, 0.5, 0, 0], results(program, x, np.zeros_like(x))[1])

    def test_loops_that_can_go_and_the_rest_stays(self) -> None:
        text = stage("""
n = 0
total: f32 = cpu.splat(f32, 0)
while n < 2:
    for p in range(N):
        v: f32 = cpu.get(x, p)
        w: f32 = cpu.get(x, p)
        total = cpu.fma(v, w, total)
    n = n + 1
for p in range(N - 1, -1, -1):
    cpu.put(y, total, p)
""")
        self.refused("mlir.no-operation", "a `while`", "claim: loops", "program.py:16:5", program=text)
        done = self.compiled(text, claim="loops")
        self.assertIn("note[mlir.left]: this loop stays in Python, which `claim: entry` refuses by `mlir.step`", done.said)
        self.assertIn("total = cpu.fma(v, v, total)", done.stage)
        x = np.array([1, 2, 3], np.float32)
        for program in (text, done.stage):
            np.testing.assert_array_equal([28, 28, 28], results(program, x, np.zeros_like(x))[1])

    def test_a_first_binding_says_its_type_when_the_one_that_did_is_gone(self) -> None:
        text = stage("""
for p in range(N):
    v: f32 = cpu.get(x, p)
    w: f32 = v
    cpu.put(y, w, p)
for p in range(N - 1, -1, -1):
    w = cpu.get(y, p)
    cpu.put(y, w, p)
""", "x: In[Tensor[f32, N]], y: InOut[Tensor[f32, N]]")
        self.assertIn("w: f32 = cpu.get(y, p)", self.compiled(text, NOTHING, claim="loops").stage)

    def test_statements_lead_back_to_their_lines(self) -> None:
        text = stage("for p in range(N):\n    v: f32 = cpu.get(x, p)\n    w: f32 = cpu.get(x, p)\n    s: f32 = cpu.exp(w)\n    t: f32 = cpu.add(s, v)\n    cpu.put(y, t, p)")
        done = self.compiled(text)
        before, after = (preorder(ast.parse(without_header(program))) for program in (text, next(done.package.glob("ir/stages/*-mlir.passes/program.py")).read_text()))
        runs = json.loads(next(done.package.glob("ir/stages/*-mlir.passes/origin.json")).read_text())["nodes"]
        nodes = [first + (k if first >= 0 else 0) for first, count in (run if isinstance(run, list) else (run, 1) for run in runs) for k in range(count)]
        self.assertEqual(len(after), len(nodes))
        lines = {ast.unparse(node): ast.unparse(before[nodes[k]]) for k, node in enumerate(after) if isinstance(node, (ast.AnnAssign, ast.Expr))}
        self.assertEqual("s: f32 = cpu.exp(w)", lines["s: f32 = cpu.exp(v)"])
        self.assertEqual("t: f32 = cpu.add(s, v)", lines["t: f32 = cpu.add(s, v)"])
        self.assertEqual("cpu.put(y, t, p)", lines["cpu.put(y, t, p)"])


def preorder(tree: ast.AST) -> list[ast.AST]:
    """Nodes as stage files count them: without contexts and operators."""
    found = [tree]
    for child in ast.iter_child_nodes(tree):
        if not isinstance(child, (ast.expr_context, ast.operator, ast.unaryop, ast.cmpop, ast.boolop)):
            found += preorder(child)
    return found


class Meaning(Test):
    """What MLIR's passes compute where its arithmetic could differ from Python's."""

    def test_division_and_remainder_go_down(self) -> None:
        lines = []
        for k, (n, d) in enumerate([("N - 10", 2), ("N + 4", -2), ("N - 10", -2), ("N + 4", 2), ("N - 4", 64), ("N - 3", 5), ("-N", 3), ("-7", 2)]):
            lines += [f"cpu.put(y, 1.0, {k}, ({n}) // ({d}) + 10)", f"cpu.put(y, 2.0, {k}, ({n}) % ({d}) + 30)"]
        text = stage("\n".join(lines), "x: In[Tensor[f32, N]], y: InOut[Tensor[f32, 8, 100]]")
        x, y = np.zeros(3, np.float32), np.zeros((8, 100), np.float32)
        back = self.compiled(text).stage
        self.assertIn("(N - 10) // 2", self.compiled(text, NOTHING).stage)
        np.testing.assert_array_equal(results(text, x, y)[1], results(back, x, y)[1])

    def test_zeros_nan_and_infinities(self) -> None:
        lines, at = [], 0
        for word in ("add(v, 0.0)", "add(v, -0.0)", "sub(v, 0.0)", "mul(v, 0.0)", "mul(v, 1.0)", "div(v, 1.0)", "maximum(v, 0.0)", "minimum(v, -0.0)",
                     "maximum(v, -1e309)", "minimum(v, 1e309)", "sub(v, v)", "div(v, v)", "neg(v)", "sqrt(v)", "round(v)", "absolute(v)"):
            lines += [f"a{at}: f32 = cpu.{word}", f"cpu.put(y, a{at}, {at}, p)"]
            at += 1
        for word in ("eq", "ne", "lt", "le", "gt", "ge", "above", "below"):
            lines += [f"m{at}: bool_ = cpu.{word}(v, 0.0)", f"a{at}: f32 = cpu.where(m{at}, 1.0, v)", f"cpu.put(y, a{at}, {at}, p)"]
            at += 1
        text = stage("for p in range(N):\n    v: f32 = cpu.get(x, p)\n    " + "\n    ".join(lines), f"x: In[Tensor[f32, N]], y: Out[Tensor[f32, {at}, N]]")
        x = np.array([0.0, -0.0, 1.5, -2.5, np.inf, -np.inf, np.nan, 1e-40, 3.4e38], np.float32)
        y = np.zeros((at, len(x)), np.float32)
        expected, found = results(text, x, y)[1], results(self.compiled(text).stage, x, y)[1]
        nan = np.isnan(expected)
        np.testing.assert_array_equal(nan, np.isnan(found))
        np.testing.assert_array_equal(expected.view(np.uint32)[~nan], found.view(np.uint32)[~nan])

    def test_ints_wrap_around(self) -> None:
        text = stage("""
for p in range(N):
    v: i8 = cpu.get(x, p)
    a: i8 = cpu.add(v, 100)
    b: i8 = cpu.add(a, 100)
    c: i8 = cpu.mul(b, 3)
    d: i8 = cpu.minimum(c, a)
    w: i32 = cpu.cast(d, i32)
    s: i32 = cpu.sub(w, 2147483647)
    t: i32 = cpu.sub(s, 2147483647)
    cpu.put(y, t, p)
""", "x: In[Tensor[i8, N]], y: Out[Tensor[i32, N]]")
        x = np.arange(-128, 128, dtype=np.int8)
        y = np.zeros(256, np.int32)
        np.testing.assert_array_equal(results(text, x, y)[1], results(self.compiled(text).stage, x, y)[1])

    def test_sums_keep_their_order(self) -> None:
        text = stage("""
for p in range(N):
    v: f32 = cpu.get(x, p)
    a: f32 = cpu.add(v, 1e8)
    b: f32 = cpu.sub(a, 1e8)
    c: f32 = cpu.mul(b, 0.1)
    d: f32 = cpu.div(c, 0.1)
    cpu.put(y, d, p)
""")
        x = np.array([1, 3, 5, 7.5], np.float32)
        np.testing.assert_array_equal(results(text, x, x.copy())[1], results(self.compiled(text).stage, x, x.copy())[1])


def affine(*passes: str) -> str:
    """A pipeline of these over functions."""
    return f"builtin.module(func.func({','.join(passes)}))"


class Affine(Test):
    """Loops that go out as affine's, and what its passes make of them."""

    def passed(self, text: str, *passes: str, claim: str = "entry") -> Compiled:
        """Compiled by these passes; it computes what the stage does."""
        done = self.compiled(text, affine(*passes), form="affine", claim=claim)
        for size in (8, 13):
            x = np.random.default_rng(size).standard_normal(size).astype(np.float32)
            np.testing.assert_array_equal(results(text, x, x.copy())[1], results(done.stage, x, x.copy())[1])
        return done

    def test_without_a_pass_the_same_statements_come_back(self) -> None:
        text = stage("""
for i_at in range(0, N, 8):
    i_n = min(8, N - i_at)
    e: Tile[f32, 8] = cpu.alloc(f32, 8)
    total: f32 = cpu.splat(f32, 0)
    for p in htp.vectorized(range(i_n)):
        v: f32 = cpu.get(x, i_at + p)
        total = cpu.add(total, v)
        cpu.put(e, v, p)
    for p in range(max(1, 3 - i_at), i_n):
        if p % 3 == 1:
            v = cpu.get(e, p // 2)
            cpu.put(y, v, i_at + p)
    cpu.put(y, total, i_at)
""")
        done = self.compiled(text, NOTHING, form="affine")
        self.assertEqual(without_header(text).split(), done.stage.split())
        self.assertIn("affine.load %x[%i_at + %p]", done.text("in"))

    def test_two_loops_become_one_and_what_the_first_stores_is_not_loaded(self) -> None:
        text = stage("""
for p in range(8):
    v: f32 = cpu.get(x, p)
    w: f32 = cpu.exp(v)
    cpu.put(y, w, p)
for q in range(8):
    a: f32 = cpu.get(y, q)
    b: f32 = cpu.add(a, 1.0)
    cpu.put(y, b, q)
""", "x: In[Tensor[f32, N]], y: InOut[Tensor[f32, N]]")
        done = self.passed(text, "affine-loop-fusion", "affine-scalrep", "canonicalize")
        self.assertEqual((1, 1), (done.stage.count("for "), done.stage.count("cpu.get(")))

    def test_what_an_iteration_does_not_need_leaves_its_loop(self) -> None:
        done = self.passed(stage("for p in range(N):\n    for q in range(4):\n        v: f32 = cpu.get(x, p)\n        w: f32 = cpu.exp(v)\n        cpu.put(y, w, (p + q) % 8)"),
                           "affine-loop-invariant-code-motion")
        self.assertLess(done.stage.index("cpu.exp("), done.stage.index("for q"))

    def test_blocks(self) -> None:
        done = self.passed(stage("for p in range(N):\n    v: f32 = cpu.get(x, p)\n    cpu.put(y, v, p)"), "affine-loop-tile{tile-size=5}")
        self.assertIn("for p in range(0, N, 5):\n        for p_1 in range(p, min(p + 5, N)):", done.stage)

    def test_vectors_come_back_as_lanes(self) -> None:
        done = self.passed(SIMPLE, "affine-super-vectorize{virtual-vector-size=4}")
        self.assertIn("vector<4xf32>", done.text("out"))
        self.assertEqual("""    for p in range(0, N, 4):
        for lane in htp.vectorized(range(min(4, N - p))):
            v: f32 = cpu.get(x, p + lane)
            w: f32 = cpu.add(v, 1.0)
            cpu.put(y, w, p + lane)""", done.stage[done.stage.index("    for p"):])
        self.assertNotIn("form-lost", done.said)

    def test_lanes_beside_each_other_in_other_rows(self) -> None:
        text = stage("for p in range(N):\n    v: f32 = cpu.get(x, 0, p)\n    cpu.put(y, v, 0, p)\n    w: f32 = cpu.get(y, 1, p)\n    cpu.put(y, w, 2, p)", "x: In[Tensor[f32, 3, N]], y: InOut[Tensor[f32, 3, N]]")
        done = self.compiled(text, affine("affine-super-vectorize{virtual-vector-size=4}"), form="affine")
        self.assertIn("for lane in", done.stage)
        x, y = np.random.default_rng(0).standard_normal((2, 3, 10)).astype(np.float32)
        np.testing.assert_array_equal(results(text, x, y)[1], results(done.stage, x, y)[1])

    def test_a_loop_that_mlir_finds_parallel(self) -> None:
        text = stage("for p in range(N):\n    e: Tile[f32, 2] = cpu.alloc(f32, 2)\n    v: f32 = cpu.get(x, p)\n    cpu.put(e, v, 0)\n    w: f32 = cpu.get(e, 0)\n    cpu.put(y, w, p)")
        self.assertIn("for p in htp.parallel(range(N)):", self.passed(text, "affine-parallelize").stage)
        self.assertIn("warning[mlir.form-lost]: the loop over `p` is no longer htp.vectorized(range(N))", self.passed(SIMPLE, "affine-parallelize").said)

    def test_bounds_and_steps_that_passes_make(self) -> None:
        text = stage("for p in range(2, N, 3):\n    for q in range(4):\n        v: f32 = cpu.get(x, p)\n        cpu.put(y, v, (p * 3 + q) % 8)")
        for passes in (["affine-loop-normalize", "affine-loop-coalescing"], ["affine-loop-unroll{unroll-factor=3}"], ["affine-simplify-structures", "canonicalize"]):
            self.passed(text, *passes)
        square = stage("for p in range(M):\n    for q in range(N):\n        v: f32 = cpu.get(x, p, q)\n        cpu.put(y, v, p, q)", "x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]")
        done = self.compiled(square, affine("affine-loop-coalescing"), form="affine")
        self.assertEqual((1, 1), (done.stage.count("for "), done.stage.count(" % N")))
        x, y = np.random.default_rng(0).standard_normal((2, 3, 5)).astype(np.float32)
        np.testing.assert_array_equal(x, results(done.stage, x, y)[1])


class Linalg(Test):
    """Nests of loops that go out as `linalg.generic`."""

    PRODUCT = stage("""
for i_at in range(0, N, 4):
    i_n = min(4, N - i_at)
    acc: Tile[f32, 4, 8] = cpu.alloc(f32, 4, 8)
    for p in range(i_n):
        for q in htp.vectorized(range(8)):
            cpu.put(acc, 0, p, q)
    for p in range(i_n):
        for q in htp.vectorized(range(8)):
            acc_at: f32 = cpu.get(acc, p, q)
            for r in range(N):
                a: f32 = cpu.get(x, i_at + p, r)
                b: f32 = cpu.get(x, r, 1 + q)
                acc_at = cpu.fma(a, b, acc_at)
            cpu.put(acc, acc_at, p, q)
    for p in range(i_n):
        for q in htp.vectorized(range(8)):
            v: f32 = cpu.get(acc, p, q)
            w: f32 = cpu.get(x, 0, q)
            s: f32 = cpu.add(v, w)
            cpu.put(y, s, i_at + p, q)
""", "x: In[Tensor[f32, N, 9]], y: Out[Tensor[f32, N, 8]]")

    def same(self, text: str, *passes: str) -> Compiled:
        """Compiled by these passes; it computes what the stage does."""
        done = self.compiled(text, affine(*passes), form="linalg")
        for size in (4, 7):
            x, y = np.random.default_rng(size).standard_normal((size, 9)).astype(np.float32), np.zeros((size, 8), np.float32)
            np.testing.assert_array_equal(results(text, x, y)[1], results(done.stage, x, y)[1])
        return done

    def test_without_a_pass_the_same_statements_come_back(self) -> None:
        done = self.compiled(self.PRODUCT, NOTHING, form="linalg")
        self.assertEqual(without_header(self.PRODUCT).split(), done.stage.split())
        self.assertEqual(3, done.text("in").count("linalg.generic"))
        self.assertIn('["parallel", "parallel", "reduction"]', done.text("in"))

    def test_loops_of_its_own(self) -> None:
        self.same(self.PRODUCT, "canonicalize", "cse")
        self.same(self.PRODUCT, "convert-linalg-to-loops")
        self.same(self.PRODUCT, "linalg-generalize-named-ops", "linalg-inline-scalar-operands", "convert-linalg-to-loops", "canonicalize", "cse")
        done = self.same(self.PRODUCT, "convert-linalg-to-parallel-loops", "canonicalize")
        self.assertEqual(3, done.stage.count("htp.parallel(range("))
        self.assertIn("warning[mlir.form-lost]: the loop over `q` is no longer htp.vectorized(range(8))", done.said)

    def test_affine_loops_of_numbers(self) -> None:
        text = stage("for p in range(4):\n    for q in range(8):\n        v: f32 = cpu.get(x, p, q + 1)\n        w: f32 = cpu.exp(v)\n        cpu.put(y, w, p, q)", "x: In[Tensor[f32, N, 9]], y: InOut[Tensor[f32, N, 8]]")
        self.same(text, "convert-linalg-to-affine-loops", "affine-loop-unroll{unroll-factor=4}", "canonicalize")

    def test_what_is_no_nest_goes_out_as_loops(self) -> None:
        for body in ("for p in range(N):\n    v: f32 = cpu.get(x, p, p)\n    cpu.put(y, v, p, 0)",
                     "for p in range(N):\n    for q in range(8):\n        v: f32 = cpu.get(y, p, 0)\n        cpu.put(y, v, p, q)",
                     "for p in range(N):\n    for q in range(8):\n        v: f32 = cpu.get(x, p, q)\n        cpu.put(y, v, p, 0)",
                     "v: f32 = cpu.get(x, 0, 0)\nfor p in range(N):\n    cpu.put(y, v, p, 0)\n    v = cpu.get(x, p, 1)",
                     "v: f32 = cpu.get(x, 0, 0)\nfor p in range(N):\n    v = cpu.get(x, p, 0)\n    cpu.put(y, v, p, 0)\ncpu.put(y, v, 0, 1)",
                     "for p in range(N):\n    v: f32 = cpu.get(x, p, 0)\n    cpu.put(y, v, p, 0)\n    w: f32 = cpu.get(y, p, 0)\n    cpu.put(y, w, p, 0)",
                     "for p in range(N):\n    v: f32 = cpu.get(x, p, 0)\n    cpu.put(y, v, p, 0)\n    v = cpu.get(x, p, 1)\n    cpu.put(x, v, p, 1)",
                     "for p in range(N):\n    n: i32 = cpu.index(i32, p)\n    v: f32 = cpu.cast(n, f32)\n    cpu.put(y, v, p, 0)"):
            done = self.compiled(stage(body, "x: InOut[Tensor[f32, N, 9]], y: InOut[Tensor[f32, N, 8]]"), NOTHING, form="linalg")
            self.assertNotIn("linalg.generic", done.text("in"))
            x, y = np.random.default_rng(0).standard_normal((7, 9)).astype(np.float32), np.zeros((7, 8), np.float32)
            np.testing.assert_array_equal(results(stage(body, "x: InOut[Tensor[f32, N, 9]], y: InOut[Tensor[f32, N, 8]]"), x, y)[1], results(done.stage, x, y)[1])

    def test_operations_with_names_of_their_own(self) -> None:
        text = stage("for p in range(N):\n    for q in range(8):\n        v: f32 = cpu.get(x, p, q)\n        w: f32 = cpu.exp(v)\n        cpu.put(y, w, p, q)", "x: In[Tensor[f32, N, 9]], y: InOut[Tensor[f32, N, 8]]")
        self.refused("mlir.named-operation", "`linalg.exp`", program=text, form="linalg", pipeline=affine("linalg-specialize-generic-ops"))
        self.same(text, "linalg-specialize-generic-ops", "linalg-generalize-named-ops")


SIMPLE = stage("for p in htp.vectorized(range(N)):\n    v: f32 = cpu.get(x, p)\n    w: f32 = cpu.add(v, 1.0)\n    cpu.put(y, w, p)")

TILES = stage("""
for i in range(0, 8, 4):
    e: Tile[f32, 4] = cpu.alloc(f32, 4)
    for p in range(4):
        cpu.put(e, 0, p)
    for k in range(0, 12, 4):
        for p in range(4):
            a: f32 = cpu.get(e, p)
            for r in range(4):
                v: f32 = cpu.get(x, i + p, k + r)
                a = cpu.add(v, a)
            cpu.put(e, a, p)
    for p in range(4):
        a = cpu.get(e, p)
        cpu.put(y, a, i + p)
""", "x: In[Tensor[f32, 8, 12]], y: Out[Tensor[f32, 8]]")

CHANGED = stage("""
total: f32 = cpu.splat(f32, 0)
for i in range(0, N, 4):
    n = min(4, N - i)
    for p in htp.vectorized(range(n)):
        v: f32 = cpu.get(x, i + p)
        total = cpu.add(total, v)
        m: bool_ = cpu.lt(v, 0.5)
        w: f32 = cpu.where(m, v, total)
        if p < 2:
            cpu.put(y, w, i + p)
        else:
            cpu.put(y, 0.5, i + p)
""")


class Refused(Test):
    """What is refused, where, and what would help."""

    def test_without_mlir_it_is_refused_by_name(self) -> None:
        self.refused("mlir.no-tool", "mlir-opt-19 is not installed", "apt-get install mlir-19-tools", program=SIMPLE, status=3, path="=/nonexistent")
        loader = "mlir-opt-19: error while loading shared libraries: libMLIR.so.19.1"
        self.refused("mlir.no-tool", "mlir-opt-19 is not installed, or does not start", loader, program=SIMPLE, status=3,
                     path=compiler.tool(f"echo '{loader}' >&2; exit 127"))
        self.refused("mlir.tool-failed", "mlir-opt-19 ended with status 70", program=SIMPLE, status=3, path=compiler.tool("exit 70"))

    def test_a_pass_that_fails(self) -> None:
        self.refused("mlir.tool-failed", "mlir-opt-19 ended with status 1", "take the pass that fails out", program=SIMPLE, status=3,
                     path=compiler.tool("case \"$*\" in *debuginfo*) exit 1;; *) exec \"$MLIR\" \"$@\";; esac"))

        blocks = stage("for i in range(0, N, 4):\n    for p in range(min(4, N - i)):\n        for q in range(8):\n            cpu.put(y, 1.0, i + p, q)", "x: In[Tensor[f32, N, 8]], y: Out[Tensor[f32, N, 8]]")
        for passes, *words in (
            ("affine-loop-coalescing", "MLIR's pass `affine-loop-coalescing` fails here: 'affine.for' op operand cannot be used as a symbol\n", "for p in range(min(4, N - i)):", "hint: it takes loops whose ranges are numbers and sizes of tensors"),
            ("affine-data-copy-generate{generate-dma=false fast-mem-space=0 fast-mem-capacity=16}", "MLIR's pass `affine-data-copy-generate` fails here: operand #1 does not dominate this use\n", "hint: take `affine-data-copy-generate` out of `pipeline`"),
        ):
            self.refused("mlir.pass-failed", *words, program=blocks if "coalescing" in passes else TILES, form="affine", pipeline=affine(passes))

    def test_words_of_a_loop_are_not_lost_in_silence(self) -> None:
        done = self.compiled(SIMPLE, path=compiler.tool("\"$MLIR\" \"$@\" | sed 's/ {htp.loop = [^}]*}//'"))
        self.assertIn("warning[mlir.form-lost]: the loop over `p` is no longer htp.vectorized(range(N))", done.said)
        self.assertIn("for p in range(N):", done.stage)

    def test_any_change_to_what_mlir_printed_is_read_or_refused(self) -> None:
        random.seed(7)
        vectors = stage("for p in range(N):\n    for q in htp.vectorized(range(min(8, N - p))):\n        v: f32 = cpu.get(x, q // 2 + p)\n        w: f32 = cpu.add(v, 1.0)\n        cpu.put(y, w, q)")
        for program, form, pipeline, count in (
            (CHANGED, "scf", None, 60),
            (vectors, "affine", affine("affine-loop-tile{tile-size=4}"), 30),
            (SIMPLE, "affine", affine("affine-super-vectorize{virtual-vector-size=4}"), 30),
            (Linalg.PRODUCT, "linalg", NOTHING, 40),
        ):
            text = self.compiled(program, pipeline, form=form).text("out")
            words = sorted({word for word in text.replace("(", " ").replace(")", " ").replace(",", " ").split()})
            taken = 0
            for _ in range(count):
                lines = text.splitlines()
                at = random.randrange(len(lines))
                change = random.randrange(4)
                if change == 0:
                    del lines[at]
                elif change == 1:
                    lines.insert(at, lines[random.randrange(len(lines))])
                else:
                    parts = lines[at].split(" ")
                    parts[random.randrange(len(parts))] = random.choice(words)
                    lines[at] = " ".join(parts)
                changed = compiler.folder / "changed.mlir"
                changed.write_text("\n".join(lines) + "\n")
                done = compiler(program, pipeline, form=form, path=compiler.tool(f"cat {changed}"))
                self.assertIn(done.code, (0, 1), done.said)
                if done.code:
                    self.assertRegex(done.said, r"error\[(mlir|cpu|pipeline|parse|tile)\.")
                taken += done.code == 0
            self.assertLess(taken, count * 2 // 3)


if __name__ == "__main__":
    given, rest = options(__doc__).parse_known_args()
    compiler = Compiler(given.host)
    unittest.main(argv=[sys.argv[0], *rest])
