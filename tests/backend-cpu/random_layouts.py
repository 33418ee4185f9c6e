"""Random kernels over parameters that lie in random ways, against NumPy: the package takes the arrays that lie as its types say, in place, leaves what lies between
their elements alone, and refuses those that lie otherwise. Elements are small ints, so that every result is exact.

    random_layouts.py --host build/dev/bin/htp-host [--from 0] [--count 12] [--keep FOLDER]
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import htp
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "laws"))

import driver

Shape = tuple[int, ...]
DTYPES = {"f32": np.float32, "i32": np.int32, "f64": np.float64, "i8": np.int8}

HEAD = """import htp
from htp import In, InOut, Out, f32, f64, i8, i32
from htp_tile import Tensor, kernel, matmul, maximum, reduce_max, reduce_sum, relayout, scan_sum, sort, tiles, transpose, zeros


@kernel
def k({parameters}) -> None:
{body}
"""


@dataclass(frozen=True)
class Kind:
    """What a kernel computes: its outputs' shapes, its body, and the same with NumPy."""

    name: str
    output: Callable[[int, int, int], Shape]
    body: str
    result: Callable[[Any, Any, Any], Any]
    first: Callable[[int, int, int], Shape] = lambda a, b, c: (a, b)
    second: Callable[[int, int, int], Shape] = lambda a, b, c: (a, b)


KINDS = (
    Kind("blocks", lambda a, b, c: (a, b), "for i in tiles({A}, {T}):\n    y[i, :] = {Y}({X}(x[i, :]) * 2 - {Z}(z[i, :]))", lambda x, z, y: x * 2 - z),
    Kind("columns of blocks", lambda a, b, c: (a, b), "for j in tiles({B}, {T}):\n    y[:, j] = {Y}(maximum({X}(x[:, j]), {Z}(z[:, j])))", lambda x, z, y: np.maximum(x, z)),
    Kind("elements", lambda a, b, c: (a, b), "for p in range({A}):\n    y[p, :] = x[{A} - 1 - p, :] + z[p, :]", lambda x, z, y: x[::-1] + z),
    Kind("a transpose", lambda a, b, c: (b, a), "for i in tiles({A}, {T}):\n    y[:, i] = transpose({X}(x[i, :]) + {Z}(z[i, :]))", lambda x, z, y: (x + z).T),
    Kind("sums", lambda a, b, c: (a, 1), "for i in tiles({A}, {T}):\n    y[i, :] = {Y}(reduce_sum({X}(x[i, :]) + {Z}(z[i, :]), axis=1))", lambda x, z, y: (x + z).sum(axis=1, keepdims=True)),
    Kind("largest of columns", lambda a, b, c: (1, b), "y[:, :] = {Y}(reduce_max({X}(x[:, :]) + {Z}(z[:, :]), axis=0))", lambda x, z, y: (x + z).max(axis=0, keepdims=True)),
    Kind(
        "a product", lambda a, b, c: (a, c),
        "for i in tiles({A}, {T}):\n    acc = zeros({D}, i, {C})\n    for k in tiles({B}, 4):\n        acc = matmul(x[i, k], z[k, :], acc)\n    y[i, :] = acc",
        lambda x, z, y: x @ z, second=lambda a, b, c: (b, c),
    ),
    Kind("what is added to", lambda a, b, c: (a, b), "for i in tiles({A}, {T}):\n    y[i, :] = {Y}({N}(y[i, :]) + {X}(x[i, :]) * {Z}(z[i, :]))", lambda x, z, y: y + x * z),
    Kind("lines in order", lambda a, b, c: (a, b), "for i in tiles({A}, {T}):\n    y[i, :] = {Y}(sort({X}(x[i, :]) - {Z}(z[i, :]), axis=1))", lambda x, z, y: np.sort(x - z, axis=1)),
    Kind("running sums", lambda a, b, c: (a, b), "for j in tiles({B}, {T}):\n    y[:, j] = {Y}(scan_sum({X}(x[:, j]) + {Z}(z[:, j]), axis=0))", lambda x, z, y: np.cumsum(x + z, axis=0, dtype=x.dtype)),
    Kind("strides of an index", lambda a, b, c: ((a + 1) // 2, b), "y[:, :] = x[::2, :] + z[::2, :]", lambda x, z, y: x[::2] + z[::2]),
)  # fmt: skip


def random_steps(chance: random.Random, shape: Shape) -> Shape:
    """Of an array whose dimensions lie in any order, with gaps."""
    order = list(range(len(shape)))
    chance.shuffle(order)
    steps, step = [0] * len(shape), chance.choice([1, 1, 1, 2])
    for dimension in order:
        steps[dimension] = step
        step = step * shape[dimension] + chance.choice([0, 0, 0, 3, 8])
    return tuple(steps)


def rows_of(shape: Shape) -> Shape:
    return tuple(int(np.prod(shape[k + 1 :], dtype=int)) for k in range(len(shape)))


class Program:
    """One random program, its arrays, and what it is to compute."""

    def __init__(self, seed: int) -> None:
        chance = random.Random(seed)
        a, b, c = (chance.choice([1, 2, 3, 5, 8, 16, 19, 33]) for _ in range(3))
        self.kind = kind = KINDS[seed % len(KINDS)]
        self.dtype = chance.choice([*DTYPES]) if kind.name != "a product" else chance.choice(["f32", "f64", "i32"])
        self.shapes = {"x": kind.first(a, b, c), "z": kind.second(a, b, c), "y": kind.output(a, b, c)}
        self.steps = {name: random_steps(chance, shape) for name, shape in self.shapes.items()}
        self.directions = {"x": "In", "z": "In", "y": "InOut" if kind.name == "what is added to" else "Out"}
        layouts = {name: f"htp.layouts.strided({shape}, {self.steps[name]})" for name, shape in self.shapes.items()}
        rows = f"htp.layouts.ordered({self.shapes['x']}, (0, 1))"
        body = kind.body
        for mark in "XZN":  # what is loaded meets in rows, what is stored lies as its tensor
            body = body.replace("{" + mark + "}(", "relayout[" + rows + "](")
        body = _spelled(body.replace("{Y}(", "relayout[" + layouts["y"] + "]("))
        for mark, value in {"A": a, "B": b, "C": c, "T": chance.choice([1, 4, 8, 16]), "D": self.dtype}.items():
            body = body.replace("{" + mark + "}", str(value))
        parameters = ", ".join(f"{name}: {self.directions[name]}[Tensor[{self.dtype}, {shape[0]}, {shape[1]}, {layouts[name]}]]" for name, shape in self.shapes.items())
        self.text = HEAD.format(parameters=parameters, body="\n".join("    " + line for line in body.splitlines()))

    def array(self, name: str, generator: np.random.Generator) -> tuple[Any, Any]:
        """The storage of a parameter, filled with a mark, and the array in it."""
        shape, steps, dtype = self.shapes[name], self.steps[name], np.dtype(DTYPES[self.dtype])
        storage = np.full(1 + sum((extent - 1) * step for extent, step in zip(shape, steps)), 77, dtype)
        array = np.lib.stride_tricks.as_strided(storage, shape, [step * dtype.itemsize for step in steps])
        array[...] = generator.integers(-3, 4, shape)
        return storage, array


def _spelled(body: str) -> str:
    """`relayout[L](value)` as `relayout(value, L)`."""
    while (at := body.find("relayout[")) >= 0:
        depth, end = 1, at + len("relayout[")
        while depth:
            depth += {"[": 1, "]": -1}.get(body[end], 0)
            end += 1
        layout, begin, depth = body[at + len("relayout[") : end - 1], end + 1, 1
        end = begin
        while depth:
            depth += {"(": 1, ")": -1}.get(body[end], 0)
            end += 1
        body = body[:at] + f"relayout({body[begin : end - 1]}, {layout})" + body[end:]
    return body


def differences(program: Program, package: Path, seed: int) -> list[str]:
    """What is wrong with a package."""
    generator = np.random.default_rng(seed)
    with htp.bind(package) as k:
        made = {name: program.array(name, generator) for name in program.shapes}
        arrays = {name: array for name, (_, array) in made.items()}
        wanted = program.kind.result(*(arrays[name].copy() for name in ("x", "z", "y")))
        between = np.ones(made["y"][0].shape, bool)
        np.lib.stride_tricks.as_strided(between, program.shapes["y"], program.steps["y"])[...] = False
        before = made["y"][0][between].copy()
        k(**arrays)
        found = [] if np.array_equal(arrays["y"], wanted) else [f"the results differ:\n{arrays['y']}\n{wanted}"]
        found += [] if np.array_equal(made["y"][0][between], before) else ["what lies between the elements was written"]
        for name, shape in program.shapes.items():
            rows = np.ascontiguousarray(arrays[name])
            same = all(extent == 1 or step == row for extent, step, row in zip(shape, program.steps[name], rows_of(shape)))
            try:
                k(**{**arrays, name: rows})
                found += [] if same else [f"`{name}` is taken row-major"]
            except htp.CompileError as error:
                found += [str(error)] if same or "bind." not in str(error) else []
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--host", type=Path, required=True)
    parser.add_argument("--from", dest="first", type=int, default=0)
    parser.add_argument("--count", type=int, default=2000 if os.environ.get("HTP_LONG") else 22)
    parser.add_argument("--keep", type=Path, help="where the programs of failed seeds go")
    arguments = parser.parse_args()
    report = driver.Report()
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(arguments.first, arguments.first + arguments.count):
            program, package = Program(seed), Path(folder) / f"seed{seed}"
            path = Path(folder) / f"seed{seed}.py"
            path.write_text(program.text)
            failed = report.failed
            with report.checking(f"seed {seed}: {program.kind.name}"):
                done = driver.call([arguments.host, "--plugins", "cpu", "compile", path, "--verify-each", "-o", package])
                report.all([done.stderr] if done.returncode else differences(program, package, seed))
            if report.failed > failed and arguments.keep:
                (arguments.keep / path.name).write_text(program.text)
    print(f"{report.passed} passed, {report.failed} failed")
    return 1 if report.failed else 0


if __name__ == "__main__":
    sys.exit(main())
