"""Random kernels over parameters that lie in random ways, against NumPy: the package takes the arrays that lie as its types say, in place, leaves what lies between
their elements alone, and refuses those that lie otherwise. Elements are small ints, so that every result is exact."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import htp
import numpy as np

Shape = tuple[int, ...]
DTYPES = {"f32": np.float32, "i32": np.int32, "f64": np.float64, "i8": np.int8, "f16": np.float16, "i16": np.int16}

HEAD = """import htp
from htp import In, InOut, Out, f16, f32, f64, i8, i16, i32
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
    blocks: int | None = 0
    """the dimension of x that goes in blocks of T; the same of z and y, or the one that `other` names"""
    other: tuple[tuple[str, int | None], ...] = ()
    single: bool = False
    """one index of it at a time"""
    rank: int = 2

    def goes(self, name: str) -> int | None:
        """The dimension of a parameter that is gone over."""
        return dict(self.other).get(name, self.blocks)


KINDS = (
    Kind("blocks", lambda a, b, c: (a, b), "for i in tiles({A}, {T}):\n    y[i, :] = {Y}({X}(x[i, :]) * 2 - {Z}(z[i, :]))", lambda x, z, y: x * 2 - z),
    Kind("columns of blocks", lambda a, b, c: (a, b), "for j in tiles({B}, {T}):\n    y[:, j] = {Y}(maximum({X}(x[:, j]), {Z}(z[:, j])))", lambda x, z, y: np.maximum(x, z), blocks=1),
    Kind("elements", lambda a, b, c: (a, b), "for p in range({A}):\n    y[p, :] = x[{A} - 1 - p, :] + z[p, :]", lambda x, z, y: x[::-1] + z, single=True),
    Kind("a transpose", lambda a, b, c: (b, a), "for i in tiles({A}, {T}):\n    y[:, i] = transpose({X}(x[i, :]) + {Z}(z[i, :]))", lambda x, z, y: (x + z).T, other=(("y", 1),)),
    Kind("sums", lambda a, b, c: (a, 1), "for i in tiles({A}, {T}):\n    y[i, :] = {Y}(reduce_sum({X}(x[i, :]) + {Z}(z[i, :]), axis=1))", lambda x, z, y: (x + z).sum(axis=1, keepdims=True)),
    Kind("largest of columns", lambda a, b, c: (1, b), "y[:, :] = {Y}(reduce_max({X}(x[:, :]) + {Z}(z[:, :]), axis=0))", lambda x, z, y: (x + z).max(axis=0, keepdims=True), blocks=None),
    Kind(
        "a product", lambda a, b, c: (a, c),
        "for i in tiles({A}, {T}):\n    acc = zeros({D}, i, {C})\n    for k in tiles({B}, 4):\n        acc = matmul(x[i, k], z[k, :], acc)\n    y[i, :] = acc",
        lambda x, z, y: x @ z, second=lambda a, b, c: (b, c), other=(("z", None),),
    ),
    Kind("what is added to", lambda a, b, c: (a, b), "for i in tiles({A}, {T}):\n    y[i, :] = {Y}({N}(y[i, :]) + {X}(x[i, :]) * {Z}(z[i, :]))", lambda x, z, y: y + x * z),
    Kind("lines in order", lambda a, b, c: (a, b), "for i in tiles({A}, {T}):\n    y[i, :] = {Y}(sort({X}(x[i, :]) - {Z}(z[i, :]), axis=1))", lambda x, z, y: np.sort(x - z, axis=1)),
    Kind("running sums", lambda a, b, c: (a, b), "for j in tiles({B}, {T}):\n    y[:, j] = {Y}(scan_sum({X}(x[:, j]) + {Z}(z[:, j]), axis=0))", lambda x, z, y: np.cumsum(x + z, axis=0, dtype=x.dtype), blocks=1),
    Kind("strides of an index", lambda a, b, c: ((a + 1) // 2, b), "y[:, :] = x[::2, :] + z[::2, :]", lambda x, z, y: x[::2] + z[::2], blocks=None),
    Kind(
        "planes", lambda a, b, c: (3, a, b), "for p in range(3):\n    for i in tiles({A}, {T}):\n        y[p, i, :] = x[p, i, :] * 2 + z[2 - p, i, :]",
        lambda x, z, y: x * 2 + z[::-1], first=lambda a, b, c: (3, a, b), second=lambda a, b, c: (3, a, b), blocks=1, rank=3,
    ),
)  # fmt: skip


def random_steps(chance: random.Random, shape: Shape, apart: float) -> Shape:
    """Of an array whose dimensions lie in any order, with gaps; `apart`: how often no two elements lie side by side."""
    order = list(range(len(shape)))
    chance.shuffle(order)
    steps, step = [0] * len(shape), 2 if chance.random() < apart else 1
    for dimension in order:
        steps[dimension] = step
        step = step * shape[dimension] + chance.choice([0, 0, 0, 3, 8])
    return tuple(steps)


def rows_of(shape: Shape) -> Shape:
    return tuple(int(np.prod(shape[k + 1 :], dtype=int)) for k in range(len(shape)))


class Program:
    """One random program of some kinds and dtypes, its arrays, and what it is to compute."""

    def __init__(self, seed: int, kinds: tuple[Kind, ...] = KINDS, dtypes: tuple[str, ...] = ("f32", "i32", "f64", "i8"), products: tuple[str, ...] = ("f32", "f64", "i32"), apart: float = 0.25) -> None:
        chance = random.Random(seed)
        a, b, c = (chance.choice([1, 2, 3, 5, 8, 16, 19, 33]) for _ in range(3))
        self.kind = kind = kinds[seed % len(kinds)]
        self.dtype = chance.choice(dtypes) if kind.name != "a product" else chance.choice(products)
        self.shapes = {"x": kind.first(a, b, c), "z": kind.second(a, b, c), "y": kind.output(a, b, c)}
        self.steps = {name: random_steps(chance, shape, apart) for name, shape in self.shapes.items()}
        self.directions = {"x": "In", "z": "In", "y": "InOut" if kind.name == "what is added to" else "Out"}
        self.block = chance.choice([1, 4, 8, 16])
        layouts = {name: f"htp.layouts.strided({shape}, {self.steps[name]})" for name, shape in self.shapes.items()}
        rows = f"htp.layouts.ordered({self.shapes['x']}, {tuple(range(kind.rank))})"
        body = kind.body
        for mark in "XZN":  # what is loaded meets in rows, what is stored lies as its tensor
            body = body.replace("{" + mark + "}(", "relayout[" + rows + "](")
        body = _spelled(body.replace("{Y}(", "relayout[" + layouts["y"] + "]("))
        for mark, value in {"A": a, "B": b, "C": c, "T": self.block, "D": self.dtype}.items():
            body = body.replace("{" + mark + "}", str(value))
        parameters = ", ".join(f"{name}: {self.directions[name]}[Tensor[{self.dtype}, {', '.join(map(str, shape))}, {layouts[name]}]]" for name, shape in self.shapes.items())
        self.text = HEAD.format(parameters=parameters, body="\n".join("    " + line for line in body.splitlines()))

    def lines(self, name: str) -> list[int]:
        """The dimensions that what is loaded or stored of a parameter at once has more than one index of."""
        one = {0} if self.kind.rank == 3 else set()
        if self.kind.single or (self.block == 1 and self.kind.blocks != self.kind.rank - 1):
            one |= {self.kind.goes(name)} - {None}
        return [d for d, extent in enumerate(self.shapes[name]) if extent > 1 and d not in one]

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
            except htp.Diagnosed as error:
                found += [str(error)] if same or "bind." not in str(error) else []
    return found


