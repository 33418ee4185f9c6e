"""Hints, applied: what a hint says stands in the place of what provoked it, and the program compiles to what was meant.

Each case is a kernel as somebody writes it first, the text in it that is wrong, and NumPy for what is meant. The first error's first hint is taken at its word: its code, between
backticks, replaces that text. Then the program is accepted, or the next round begins, with the next text. Fix-its are law 8's.
"""

import re
import unittest
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import htp
import htp_tile
import numpy as np
from htp import introspect
from htp.testing import entry_of, import_program

WORDS = ", ".join(name for name in htp_tile.__all__ if name != "Kernel")
HEAD = f"""import htp
from htp import In, InOut, Out, bool_, f16, f32, i32
from htp_tile import {WORDS}
M, N, K = htp.dim("M"), htp.dim("N"), htp.dim("K")
@kernel
"""
SIZES = {"M": 5, "N": 7, "K": 4}


@dataclass(frozen=True)
class Case:
    """`wrong` are the texts that are replaced, one a round, each with the code of the error that it provokes."""

    name: str
    parameters: str
    body: str
    wrong: list[tuple[str, str]]
    meant: Callable[..., Any]
    """Of the inputs, and what an InOut holds before."""


ROW = "x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]"
COLUMN = "x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, 1]]"


def of_row(name: str, expression: str, meant: Callable[[Any], Any], parameters: str = ROW, code: str = "tile.unknown-attribute") -> Case:
    """A kernel whose only statement stores the expression for each block of rows."""
    return Case(name, parameters, f"for i in tiles(M, 3):\n        y[i, :] = {expression}", [(code, expression)], meant)


def along(function: Callable[..., Any]) -> Callable[[Any], Any]:
    return lambda x: function(x, axis=1, keepdims=True)


CALL = "tile.unknown-call"
CASES = [
    Case(
        "a mask as an index of a store",
        "x: In[Tensor[f32, N]], y: InOut[Tensor[f32, N]]",
        "y[x[:] > 0] = 0.0",
        [("tile.wrong-dtype", "y[x[:] > 0] = 0.0")],
        lambda x, y: np.where(x > 0, 0, y),
    ),
    Case(
        "a mask as an index of a load",
        "x: In[Tensor[f32, M, N]], m: In[Tensor[bool_, M]], y: Out[Tensor[f32, M, N]]",
        "y[:, :] = x[reshape(m[:], M, 1), :]",
        [("tile.wrong-dtype", "x[reshape(m[:], M, 1), :]")],
        lambda x, m: np.where(m[:, None], x, 0),
    ),
    Case(
        "a matrix by a vector",
        "x: In[Tensor[f32, M, N]], b: In[Tensor[f32, N]], y: Out[Tensor[f32, M, 1]]",
        "for i in tiles(M, 3):\n        v = b[:]\n        y[i, :] = x[i, :] @ v",
        [("tile.rank-mismatch", " v\n")],
        lambda x, b: (x @ b)[:, None],
    ),
    Case(
        "a vector by a matrix",
        "a: In[Tensor[f32, M]], x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, 1, N]]",
        "v = a[:]\n    y[:, :] = matmul(v, x[:, :])",
        [("tile.rank-mismatch", "v,")],
        lambda a, x: (a @ x)[None],
    ),
    Case(
        "an operand whose dimensions are the other way around, in blocks",
        "a: In[Tensor[f32, M, K]], b: In[Tensor[f32, N, K]], y: Out[Tensor[f32, M, N]]",
        "for i in tiles(M, 3):\n        for j in tiles(N, 4):\n            s = zeros(f32, i, j)\n            for k in tiles(K, 2):\n                s = matmul(a[i, k], b[k, j], s)\n            y[i, j] = s",
        [("tile.index-extent", "b[k, j]")],
        lambda a, b: a @ b.T,
    ),
    Case(
        "an operand whose dimensions are the other way around, whole",
        "a: In[Tensor[f32, M, K]], b: In[Tensor[f32, N, K]], y: Out[Tensor[f32, M, N]]",
        "for i in tiles(M, 3):\n        y[i, :] = a[i, :] @ b[:, :]",
        [("tile.shape-mismatch", "b[:, :]")],
        lambda a, b: a @ b.T,
    ),
    Case(
        "one element of each row",
        "x: In[Tensor[f32, M, N]], at: In[Tensor[i32, M]], y: Out[Tensor[f32, M, 1]]",
        "v = at[:]\n    y[:, :] = gather(x[:, :], v, axis=1)",
        [("tile.rank-mismatch", "v,")],
        lambda x, at: np.take_along_axis(x, at[:, None], 1),
    ),
    Case(
        "some columns",
        "x: In[Tensor[f32, M, N]], at: In[Tensor[i32, K]], y: Out[Tensor[f32, M, K]]",
        "v = at[:]\n    y[:, :] = gather(x[:, :], v, axis=1)",
        [("tile.rank-mismatch", "v,")],
        lambda x, at: x[:, at],
    ),
    Case(
        "some rows",
        "x: In[Tensor[f32, M, N]], at: In[Tensor[i32, K]], y: Out[Tensor[f32, K, N]]",
        "v = at[:]\n    y[:, :] = gather(x[:, :], v, axis=0)",
        [("tile.rank-mismatch", "v,")],
        lambda x, at: x[at],
    ),
    Case(
        "the last axis of three, an element each",
        "x: In[Tensor[f32, M, N, 6]], at: In[Tensor[i32, M, N]], y: Out[Tensor[f32, M, N, 1]]",
        "v = at[:, :]\n    y[:, :, :] = gather(x[:, :, :], v, axis=2)",
        [("tile.rank-mismatch", "v,")],
        lambda x, at: np.take_along_axis(x, at[:, :, None], 2),
    ),
    Case(
        "the last axis of three, some of each",
        "x: In[Tensor[f32, M, N, 6]], at: In[Tensor[i32, M, K]], y: Out[Tensor[f32, M, N, K]]",
        "v = at[:, :]\n    y[:, :, :] = gather(x[:, :, :], v, axis=2)",
        [("tile.rank-mismatch", "v,")],
        lambda x, at: np.take_along_axis(x, np.repeat(at[:, None, :], x.shape[1], 1), 2),
    ),
    Case(
        "the last axis of three, the same of all",
        "x: In[Tensor[f32, M, N, 6]], at: In[Tensor[i32, K]], y: Out[Tensor[f32, M, N, K]]",
        "v = at[:]\n    y[:, :, :] = gather(x[:, :, :], v, axis=2)",
        [("tile.rank-mismatch", "v,")],
        lambda x, at: x[:, :, at],
    ),
    Case("turned", "x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, N, M]]", "y[:, :] = x[:, :].T", [("tile.unknown-attribute", "x[:, :].T")], lambda x: x.T),
    Case("turned by a call", "x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, N, M]]", "y[:, :] = np.transpose(x[:, :])", [(CALL, "np.transpose")], lambda x: x.T),
    Case(
        "another shape",
        "x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, 1, N]]",
        "for i in tiles(M, 3):\n        y[i, :, :] = x[i, :].reshape(i, 1, N)",
        [("tile.unknown-attribute", "x[i, :].reshape(i, 1, N)")],
        lambda x: x[:, None],
    ),
    of_row("a sum", "x[i, :].sum()", along(np.sum), COLUMN),
    of_row("a sum with its axis", "x[i, :].sum(axis=1)", along(np.sum), COLUMN),
    of_row("a sum of NumPy", "np.sum(x[i, :], axis=1)", along(np.sum), COLUMN, CALL),
    of_row("a sum of torch", "torch.sum(x[i, :], dim=1)", along(np.sum), COLUMN, CALL),
    of_row("a sum of Triton", "tl.sum(x[i, :], 1)", along(np.sum), COLUMN, CALL),
    of_row("a sum of Python", "sum(x[i, :])", along(np.sum), COLUMN, CALL),
    of_row("a mean", "x[i, :].mean(axis=1)", along(np.mean), COLUMN),
    of_row("a maximum", "x[i, :].max(axis=-1)", along(np.max), COLUMN),
    of_row("a minimum", "torch.amin(x[i, :], 1)", along(np.min), COLUMN, CALL),
    of_row("a product of elements", "x[i, :].prod(axis=1)", along(np.prod), COLUMN),
    of_row("running sums", "x[i, :].cumsum(axis=1)", lambda x: np.cumsum(x, 1)),
    of_row("an absolute value", "x[i, :].abs()", np.abs),
    of_row("a root", "absolute(x[i, :]).sqrt()", lambda x: np.sqrt(np.abs(x))),
    of_row("an exponential as a method", "x[i, :].exp()", np.exp),
    of_row("between two numbers", "x[i, :].clip(0.0, 0.5)", lambda x: np.clip(x, 0, 0.5)),
    of_row("clamped", "torch.clamp(x[i, :], 0.0, 0.5)", lambda x: np.clip(x, 0, 0.5), code=CALL),
    of_row("a copy", "x[i, :].copy()", lambda x: x),
    of_row("relu of torch", "torch.relu(x[i, :])", lambda x: np.maximum(x, 0), code=CALL),
    of_row("relu of a sum", "F.relu(x[i, :] + x[i, :])", lambda x: np.maximum(2 * x, 0), code=CALL),
    of_row("silu of a difference", "F.silu(x[i, :] - 1.0)", lambda x: (x - 1) / (1 + np.exp(1 - x)), code=CALL),
    of_row("a square of a sum", "np.square(x[i, :] + 1.0)", lambda x: np.square(x + 1), code=CALL),
    of_row("a logarithm to 2", "np.log2(absolute(x[i, :]) + 1.0)", lambda x: np.log2(np.abs(x) + 1), code=CALL),
    of_row("a tangent", "np.tan(x[i, :])", np.tan, code=CALL),
    of_row("a sign", "np.sign(x[i, :])", np.sign, code=CALL),
    Case("NumPy's function", ROW, "for i in tiles(M, 3):\n        y[i, :] = np.exp(x[i, :])", [(CALL, "np.exp")], np.exp),
    Case("torch's function", ROW, "for i in tiles(M, 3):\n        y[i, :] = torch.tanh(x[i, :])", [(CALL, "torch.tanh")], np.tanh),
    Case("Triton's function", ROW, "for i in tiles(M, 3):\n        y[i, :] = tl.maximum(x[i, :], 0.5)", [(CALL, "tl.maximum")], lambda x: np.maximum(x, 0.5)),
    Case("Python's function", ROW, "for i in tiles(M, 3):\n        y[i, :] = max(x[i, :], 0.5)", [("tile.builtin-on-tile", "max")], lambda x: np.maximum(x, 0.5)),
    Case(
        "another dtype",
        "x: In[Tensor[f32, M, N]], y: Out[Tensor[f16, M, N]]",
        "for i in tiles(M, 3):\n        y[i, :] = x[i, :].astype(f16)",
        [("tile.unknown-attribute", "x[i, :].astype(f16)")],
        lambda x: x.astype(np.float16),
    ),
    Case(
        "a product of torch",
        "a: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], y: Out[Tensor[f32, M, N]]",
        "for i in tiles(M, 3):\n        y[i, :] = torch.mm(a[i, :], b[:, :])",
        [(CALL, "torch.mm(a[i, :], b[:, :])")],
        lambda a, b: a @ b,
    ),
    of_row("what floats leave", "x[i, :] % 0.75", lambda x: x - np.floor(x / 0.75) * 0.75, code="tile.wrong-dtype"),
    of_row("what sums of floats leave", "(x[i, :] + x[i, :]) % 0.75", lambda x: np.mod(2 * x, 0.75), code="tile.wrong-dtype"),
    of_row("a quotient of floats", "x[i, :] // 0.75", lambda x: np.floor(x / 0.75), code="tile.wrong-dtype"),
    Case(
        "two that are not zero",
        "x: In[Tensor[f32, M, N]], b: In[Tensor[f32, M, N]], y: Out[Tensor[bool_, M, N]]",
        "for i in tiles(M, 3):\n        y[i, :] = x[i, :] & b[i, :]",
        [("tile.wrong-dtype", "x[i, :] & b[i, :]")],
        lambda x, b: (x != 0) & (b != 0),
    ),
    Case(
        "dtypes that differ",
        "x: In[Tensor[f32, M, N]], b: In[Tensor[f16, M, N]], y: Out[Tensor[f32, M, N]]",
        "for i in tiles(M, 3):\n        y[i, :] = x[i, :] + b[i, :]",
        [("tile.dtype-mismatch", "b[i, :]")],
        lambda x, b: x + b,
    ),
    Case(
        "another one's loop",
        "x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]",
        "for i in tiles(M, 3):\n        for j in tiles(M, 4):\n            y[i, j] = x[i, j]",
        [("tile.index-extent", "tiles(M, 4)")],
        lambda x: x,
    ),
]


class Hints(unittest.TestCase):
    def test_each_is_applied(self) -> None:
        for case in CASES:
            with self.subTest(case.name):
                text = HEAD + f"def k({case.parameters}) -> None:\n    {case.body}\n"
                for code, wrong in case.wrong:
                    said = [one for one in introspect.validate(text, profile="cpu") if one["severity"] == "error"]
                    self.assertTrue(said, text)
                    self.assertEqual(said[0]["code"], code, said[0]["message"])
                    hints = [hint for hint in said[0]["hints"] if "`" in hint and not hint.startswith("an m x k")]
                    found = re.search(r"`([^`]+)`", hints[0] if hints else "")
                    assert found is not None, (case.name, said[0])
                    code_of_hint = found[1].replace("…", "4")
                    tail = wrong[len(wrong.rstrip(",\n")) :]
                    before, there, after = text.rpartition(wrong)
                    self.assertTrue(there, (wrong, text))
                    text = before + (" " if wrong.startswith(" ") else "") + code_of_hint + tail + after
                self.assertEqual([one["message"] for one in introspect.validate(text, profile="cpu") if one["severity"] == "error"], [], text)
                self.computes(case, text)

    def computes(self, case: Case, text: str) -> None:
        entry = entry_of(import_program(text, "hinted"))
        generator = np.random.default_rng(3)
        inputs, arrays = [], []
        for parameter in entry.parameters:
            shape = [SIZES.get(repr(extent), extent) for extent in parameter.type.extents]
            dtype = parameter.type.dtype
            array = generator.standard_normal(shape) if dtype.unit else generator.integers(0, 2 if dtype is htp.bool_ else 4, shape)
            arrays.append(array.astype(dtype.storage))
            inputs += [arrays[-1].copy()] if parameter.direction != "Out" else []
        entry(*arrays)
        np.testing.assert_allclose(arrays[-1].astype(np.float64), case.meant(*inputs), rtol=2e-3, atol=1e-5, err_msg=text)

    def test_division_by_zero_is_refused(self) -> None:
        for body in ("for i in tiles(N // 0, 8):\n        y[i] = x[i]", "y[0:N] = x[0:N]\n    for p in range(N // 0):\n        y[p] = x[p]", "y[:] = x[:] * (N // 0)", "y[N % 0] = x[0]"):
            text = HEAD + f"def k(x: In[Tensor[f32, N]], y: InOut[Tensor[f32, N]]) -> None:\n    {body}\n"
            self.assertTrue([one for one in introspect.validate(text, profile="cpu") if one["severity"] == "error"], text)

    def test_what_both_branches_write_is_written(self) -> None:
        bodies = [
            "for i in tiles(N, 8):\n        if flag > 0:\n            y[i] = x[i]\n        else:\n            y[i] = x[i] * 2.0",
            "if flag > 0:\n        for i in tiles(N, 8):\n            y[i] = x[i]\n    else:\n        for j in tiles(N, 4):\n            y[j] = x[j] * 2.0",
            "if flag > 0:\n        y[:] = x[:]\n    elif flag < 0:\n        for i in tiles(N, 4):\n            y[i] = -x[i]\n    else:\n        for p in range(N):\n            y[p] = x[p]",
            "for i in tiles(N, 8):\n        if N > 4:\n            if flag == 1:\n                y[i] = x[i]\n            else:\n                y[i] = x[i] + 1.0\n        else:\n            y[i] = x[i] * 3.0",
            "if holds(x[0] > 0.0):\n        y[:] = x[:]\n    else:\n        y[:] = -x[:]",
            "for i in tiles(N, 8):\n        if holds(x[0] > 0.0):\n            y[i] = x[i]\n        else:\n            y[i] = -x[i]",
            "if flag > 0:\n        y[0 : N // 2] = x[0 : N // 2]\n    else:\n        y[0 : N // 2] = -x[0 : N // 2]\n    y[N // 2 :] = x[N // 2 :]",
        ]
        for body in bodies:
            text = HEAD + f"def k(flag: int, x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:\n    {body}\n"
            self.assertEqual([(one["code"], one["message"]) for one in introspect.validate(text, profile="cpu")], [], text)


if __name__ == "__main__":
    unittest.main()
