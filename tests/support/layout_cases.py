"""Random cases of a program, the layout of each of its parameters, their memory spaces and a target; and what is legal of them: a layout is the place of
each element, written down element by element with NumPy, without HTP's algebra."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

Shape = tuple[int, ...]
DTYPES: dict[str, Any] = {"f32": np.float32, "i32": np.int32, "i16": np.int16, "f16": np.float16, "i8": np.int8, "f64": np.float64}
MARK = 77
"""What lies between the elements of a storage."""


# ── layouts ──────────────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Lying:
    """A layout of a tensor: how it is written, and where each element is. `kind` is what it is counted as."""

    kind: str
    text: str
    shape: Shape
    at: Any = field(compare=False)
    """an array of the tensor's shape; None where nothing can be said to lie so"""
    by_call: tuple[str, ...] = ()
    """for each dimension the dim that is its step, which only a call says, or nothing"""

    @property
    def legal(self) -> bool:
        """Each element has a place of its own, the first has the first, and none is before it."""
        if self.at is None or self.at.shape != self.shape:
            return False
        return int(self.at.min()) == 0 and int(self.at.reshape(-1)[0]) == 0 and len(np.unique(self.at)) == self.at.size

    @property
    def rows(self) -> bool:
        return self.at is not None and np.array_equal(self.at.reshape(-1), np.arange(self.at.size))

    @property
    def steps(self) -> Shape | None:
        """One step along each dimension, where that says it all."""
        steps = tuple(int(self.at[tuple(int(k == d) for k in range(len(self.shape)))]) if extent > 1 else 0 for d, extent in enumerate(self.shape))
        return steps if np.array_equal(self.at, _by_steps(self.shape, steps)) else None

    @property
    def takes_rows(self) -> bool:
        """Whether an array that lies row-major is one that lies so."""
        rows = [int(np.prod(self.shape[d + 1 :], dtype=int)) for d in range(len(self.shape))]
        return self.steps is not None and all(e == 1 or (self.by_call and self.by_call[d]) or self.steps[d] == rows[d] for d, e in enumerate(self.shape))

    def storage(self, dtype: Any) -> tuple[Any, Any]:
        """A storage of marks, and what a call takes: the array in it, or itself where no array lies so."""
        storage = np.full(int(self.at.max()) + 1, MARK, dtype)
        steps = self.steps
        if steps is None:
            return storage, storage
        return storage, np.lib.stride_tricks.as_strided(storage, self.shape, [step * storage.itemsize for step in steps])


def _by_steps(shape: Shape, steps: Shape) -> Any:
    return sum((index * step for index, step in zip(np.indices(shape), steps)), np.zeros(shape, np.int64))


def _text(numbers: Any) -> str:
    return repr(tuple(int(n) for n in numbers))


def nothing(chance: random.Random, shape: Shape) -> Lying:
    return Lying("none", "", shape, np.arange(int(np.prod(shape))).reshape(shape))


def ordered(chance: random.Random, shape: Shape) -> Lying:
    order = list(range(len(shape)))
    chance.shuffle(order)
    places = np.arange(int(np.prod(shape))).reshape([shape[d] for d in order]).transpose(np.argsort(order))
    return Lying("order", f"htp.layouts.ordered({_text(shape)}, {_text(order)})", shape, places)


def columns(chance: random.Random, shape: Shape) -> Lying:
    order = tuple(reversed(range(len(shape))))
    places = np.arange(int(np.prod(shape))).reshape(shape[::-1]).transpose()
    return Lying("columns", f"htp.layouts.ordered({_text(shape)}, {_text(order)})", shape, places)


def padded(chance: random.Random, shape: Shape) -> Lying:
    row = shape[-1] + chance.choice([1, 3, 4, 8, 16])
    steps = tuple(int(np.prod(shape[d + 1 : -1], dtype=int)) * row for d in range(len(shape) - 1)) + (1,)
    return Lying("padded rows", f"htp.layouts.strided({_text(shape)}, {_text(steps)})", shape, _by_steps(shape, steps))


def gaps(chance: random.Random, shape: Shape) -> Lying:
    """Any order, with gaps."""
    order, steps, step = list(range(len(shape))), [0] * len(shape), 1
    chance.shuffle(order)
    for d in order:
        steps[d] = step
        step = step * shape[d] + chance.choice([0, 0, 4, 8])
    return Lying("gaps", f"htp.layouts.strided({_text(shape)}, {_text(steps)})", shape, _by_steps(shape, tuple(steps)))


def every_other(chance: random.Random, shape: Shape) -> Lying:
    """Every other element, or fewer, of a larger array."""
    of = [chance.choice([1, 2, 3]) for _ in shape]
    of[-1] = chance.choice([2, 3])
    steps = [int(np.prod([e * o for e, o in zip(shape[d + 1 :], of[d + 1 :])], dtype=int)) * of[d] for d in range(len(shape))]
    return Lying("sub-steps", f"htp.layouts.strided({_text(shape)}, {_text(steps)})", shape, _by_steps(shape, tuple(steps)))


def blocks(chance: random.Random, shape: Shape) -> Lying:
    block = [chance.choice([b for b in (1, 2, 4, 8, 16) if extent % b == 0]) for extent in shape]
    outer, inner = list(range(len(shape))), list(range(len(shape)))
    chance.shuffle(outer)
    chance.shuffle(inner)
    return _blocks("blocks", shape, block, outer, inner)


def panels(chance: random.Random, shape: Shape) -> Lying:
    """Columns in panels, each row after row: packed weights, and fractals of 16 rows one column of them after the other."""
    block = list(shape)
    block[-1] = chance.choice([b for b in (4, 8, 16) if shape[-1] % b == 0] or [shape[-1]])
    outer = [len(shape) - 1, *range(len(shape) - 1)]
    if len(shape) > 1 and shape[-2] % 16 == 0 and chance.random() < 0.5:
        block[-2] = 16
    return _blocks("panels", shape, block, outer, list(range(len(shape))))


def _blocks(kind: str, shape: Shape, block: list[int], outer: list[int], inner: list[int]) -> Lying:
    rank, many = len(shape), [extent // size for extent, size in zip(shape, block)]
    places = np.arange(int(np.prod(shape))).reshape([many[d] for d in outer] + [block[d] for d in inner])
    of = [axis for d in range(rank) for axis in (outer.index(d), rank + inner.index(d))]
    text = f"htp.layouts.packed({_text(shape)}, {_text(block)}, {_text(outer)}, {_text(inner)})"
    return Lying(kind, text, shape, places.transpose(of).reshape(shape))


def swizzled(chance: random.Random, shape: Shape) -> Lying:
    count = int(np.prod(shape))
    if count & (count - 1) or count < 8 or any(extent & (extent - 1) for extent in shape):
        return blocks(chance, shape)
    bits = chance.choice([1, 2]) if count >= 32 else 1
    base = chance.choice([0, 1]) if count >= 1 << (2 * bits + 1) else 0
    shift = chance.choice([s for s in (bits, bits + 1, bits + 2) if bits + base + s <= count.bit_length() - 1])
    row = np.arange(count)
    places = (row ^ ((row >> shift) & (((1 << bits) - 1) << base))).reshape(shape)
    text = f"htp.layouts.swizzle(htp.layouts.ordered({_text(shape)}, {_text(range(len(shape)))}), {bits}, {base}, {shift})"
    return Lying("swizzle", text, shape, places)


def by_call(chance: random.Random, shape: Shape) -> Lying:
    """Steps that are dims, but for those of what lies side by side."""
    lies = chance.choice([padded, gaps, every_other])(chance, shape)
    steps = lies.steps or ()
    dims = tuple("" if step == 1 else f"S{chance.randrange(10**6)}" for step in steps)
    if not any(dims):
        return lies
    spelled = ", ".join(dim or str(step) for dim, step in zip(dims, steps)) + ("," if len(shape) == 1 else "")
    return Lying("by call", f"htp.layouts.strided({_text(shape)}, ({spelled}))", shape, lies.at, dims)


LEGAL = ((nothing, 4), (ordered, 4), (columns, 4), (padded, 4), (gaps, 3), (every_other, 2), (blocks, 2), (panels, 2), (swizzled, 1))


def overlapping(chance: random.Random, shape: Shape) -> Lying:
    """Two elements in one place, where there are two."""
    steps = [int(np.prod(shape[d + 1 :], dtype=int)) for d in range(len(shape))]
    d = max(range(len(shape)), key=lambda k: shape[k])
    steps[d] = chance.choice([0, 1, 2]) if d + 1 < len(shape) else 0
    return Lying("overlapping", f"htp.layouts.strided({_text(shape)}, {_text(steps)})", shape, _by_steps(shape, tuple(steps)))


def too_small(chance: random.Random, shape: Shape) -> Lying:
    other = (*shape[:-1], shape[-1] + 1)
    return Lying("another size", f"htp.layouts.ordered({_text(other)}, {_text(range(len(other)))})", shape, None)


def backwards(chance: random.Random, shape: Shape) -> Lying:
    steps = [int(np.prod(shape[d + 1 :], dtype=int)) for d in range(len(shape))]
    steps[-1] = -1
    last = f", offset={shape[-1] - 1}" if chance.random() < 0.5 else ""
    places = _by_steps(shape, tuple(steps)) + (shape[-1] - 1 if last else 0)
    return Lying("backwards", f"htp.layouts.strided({_text(shape)}, {_text(steps)}{last})", shape, places)


def moved(chance: random.Random, shape: Shape) -> Lying:
    steps = [int(np.prod(shape[d + 1 :], dtype=int)) for d in range(len(shape))]
    return Lying("moved", f"htp.layouts.strided({_text(shape)}, {_text(steps)}, offset=8)", shape, _by_steps(shape, tuple(steps)) + 8)


ILLEGAL = (overlapping, too_small, backwards, moved)


# ── programs ─────────────────────────────────────────────────────────────────────────────────────────────────────────

HEAD = """import htp
from htp import In, InOut, Out, f16, f32, f64, i8, i16, i32
from htp_tile import Tensor, cast, gather, kernel, matmul, maximum, minimum, reduce_max, reduce_sum, relayout, tiles, transpose, zeros
{dims}

@kernel
def k({parameters}) -> None:
{body}
"""


@dataclass(frozen=True)
class Kind:
    """What a kernel computes. `{X}(…)` and `{Z}(…)` are what is loaded, laid in rows; `{Y}(…)` what is stored, as y lies."""

    name: str
    shapes: Callable[[Shape], dict[str, Shape]]
    body: str
    result: Callable[[Any, Any, Any], Any]
    rank: int = 2
    alike: bool = False
    """whether all have one shape and meet element by element: then they may all lie alike, and nothing is laid otherwise"""
    index: bool = False
    """z holds indices along x's last dimension"""
    updates: bool = False


def _same(shape: Shape) -> dict[str, Shape]:
    return {"x": shape, "z": shape, "y": shape}


KINDS = (
    Kind("elements of a line", _same, "for i in tiles({A}, {T}):\n    y[i] = {Y}({X}(x[i]) * 2 - {Z}(z[i]))", lambda x, z, y: x * 2 - z, rank=1, alike=True),
    Kind("elements by rows", _same, "for i in tiles({A}, {T}):\n    y[i, :] = {Y}({X}(x[i, :]) * 2 - {Z}(z[i, :]))", lambda x, z, y: x * 2 - z, alike=True),
    Kind("elements by columns", _same, "for j in tiles({B}, {T}):\n    y[:, j] = {Y}(maximum({X}(x[:, j]), {Z}(z[:, j])))", lambda x, z, y: np.maximum(x, z), alike=True),
    Kind("elements by blocks", _same, "for i in tiles({A}, {T}):\n    for j in tiles({B}, 16):\n        y[i, j] = {Y}({X}(x[i, j]) - {Z}(z[i, j]))", lambda x, z, y: x - z, alike=True),
    Kind("what is added to", _same, "for i in tiles({A}, {T}):\n    y[i, :] = {Y}({N}(y[i, :]) + {X}(x[i, :]) * {Z}(z[i, :]))", lambda x, z, y: y + x * z, alike=True, updates=True),
    Kind("sums of rows", lambda s: {"x": s, "z": s, "y": (s[0], 1)}, "for i in tiles({A}, {T}):\n    y[i, :] = {Y}(reduce_sum({X}(x[i, :]) + {Z}(z[i, :]), axis=1))", lambda x, z, y: (x + z).sum(axis=1, keepdims=True)),
    Kind("largest of rows", lambda s: {"x": s, "z": (1, s[1]), "y": (s[0], 1)}, "for i in tiles({A}, {T}):\n    y[i, :] = {Y}(reduce_max({X}(x[i, :]) + {Z}(z[:, :]), axis=1))", lambda x, z, y: (x + z).max(axis=1, keepdims=True)),
    Kind("a transpose", lambda s: {"x": s, "z": s, "y": s[::-1]}, "for i in tiles({A}, {T}):\n    y[:, i] = {Y}(transpose({X}(x[i, :]) + {Z}(z[i, :])))", lambda x, z, y: (x + z).T),
    Kind(
        "a product", lambda s: {"x": s[:2], "z": (s[1], s[2]), "y": (s[0], s[2])},
        "for i in tiles({A}, {T}):\n    acc = zeros({D}, i, {C})\n    for k in tiles({B}, 16):\n        acc = matmul({X}(x[i, k]), {Z}(z[k, :]), acc)\n    y[i, :] = {Y}(acc)",
        lambda x, z, y: x @ z,
    ),
    Kind(
        "a product of turned weights", lambda s: {"x": s[:2], "z": (s[2], s[1]), "y": (s[0], s[2])},
        "for i in tiles({A}, {T}):\n    y[i, :] = {Y}(matmul({X}(x[i, :]), transpose({Z}(z[:, :]))))", lambda x, z, y: x @ z.T,
    ),
    Kind("elements of lines", lambda s: {"x": s, "z": s, "y": s}, "for i in tiles({A}, {T}):\n    y[i, :] = {Y}(gather({X}(x[i, :]), {Z}(z[i, :]), axis=1))", lambda x, z, y: np.take_along_axis(x, z, 1), index=True),
    Kind(
        "planes", _same, "for p in range({A}):\n    for i in tiles({B}, {T}):\n        y[p, i, :] = {Y}({X}(x[p, i, :]) * 2 + {Z}(z[p, i, :]))",
        lambda x, z, y: x * 2 + z, rank=3, alike=True,
    ),
    Kind(
        "sums of planes", lambda s: {"x": s, "z": s, "y": (s[0], s[1], 1)},
        "for p in range({A}):\n    for i in tiles({B}, {T}):\n        y[p, i, :] = {Y}(reduce_sum({X}(x[p, i, :]) - {Z}(z[p, i, :]), axis=2))",
        lambda x, z, y: (x - z).sum(axis=2, keepdims=True), rank=3,
    ),
    Kind(
        "planes of images", _same, "for n in range({A}):\n    for p in range({B}):\n        for i in tiles({C}, {T}):\n            y[n, p, i, :] = {Y}(minimum({X}(x[n, p, i, :]), {Z}(z[n, p, i, :])))",
        lambda x, z, y: np.minimum(x, z), rank=4, alike=True,
    ),
)  # fmt: skip
SIZES = {1: ((256,), (64,), (48,), (33,)), 3: ((2, 16, 32), (3, 8, 16), (2, 5, 12)), 4: ((2, 2, 8, 16), (1, 3, 4, 32)), 2: ((32, 64, 16), (16, 32, 32), (64, 16, 8), (8, 48, 4), (19, 33, 5), (5, 12, 16))}
"""By the rank of x; of matrices with a third extent."""
TARGETS = {"cpu": ("f32", "i32", "f64", "i8"), "a2a3sim": ("f32", "f32", "i32", "f16"), "aie": ("f32", "f32", "i32", "i16")}
"""The dtypes that a target's cases are of."""
SPACES = ("memory", "stack", "ub", "core", "L9_nonsense")


class Case:
    """One case: its program and what lies where. `legal` is whether the target must do it, or may refuse what it lacks."""

    def __init__(self, seed: int, target: str) -> None:
        chance = random.Random(f"{seed} {target}")
        self.seed, self.target = seed, target
        self.kind = kind = KINDS[seed % len(KINDS)]
        self.dtype = chance.choice(TARGETS[target]) if "product" not in kind.name else "f32"
        size = chance.choice(SIZES[kind.rank])
        self.sizes = dict(zip("ABCE", size))
        self.shapes = kind.shapes(size if "product" in kind.name else size[: kind.rank])
        self.block = chance.choice([4, 8, 16])
        self.alike = kind.alike and chance.random() < 0.5
        wrong = chance.random() < 0.12
        makers, weights = zip(*LEGAL, *(((by_call, 3),) if target == "cpu" else ()))
        one = chance.choices(makers, weights)[0]
        state = chance.random()
        self.lying = {name: (one(random.Random(state), shape) if self.alike else chance.choices(makers, weights)[0](chance, shape)) for name, shape in self.shapes.items()}
        if wrong:
            name = chance.choice(list(self.lying))
            self.lying[name] = chance.choice(ILLEGAL)(chance, self.shapes[name])
        self.spaces = {name: chance.choice(SPACES) if chance.random() < 0.04 else "" for name in self.shapes}
        self.directions = {"x": "In", "z": "In", "y": "InOut" if kind.updates else "Out"}

    @property
    def legal(self) -> bool:
        spaces = {space for space in self.spaces.values() if space}
        return all(lying.legal for lying in self.lying.values()) and (not spaces or (self.target == "cpu" and spaces == {"memory"}))

    def dtype_of(self, name: str) -> str:
        return "i32" if self.kind.index and name == "z" else self.dtype

    def text(self, plain: bool = False) -> str:
        """The program; or the same of parameters that say nothing of where they lie."""
        lying = {name: "" if plain else lies.text for name, lies in self.lying.items()}
        body = self.kind.body
        for mark, name in {"X": "x", "Z": "z", "N": "y"}.items():  # what is loaded meets in rows
            rows = f"htp.layouts.ordered({self.shapes[name]}, {tuple(range(len(self.shapes[name])))})"
            body = _wrapped(body, mark, "" if self.alike or not lying[name] else rows)
        body = _wrapped(body, "Y", "" if self.alike or self.lying["y"].by_call else lying["y"])
        for mark, value in {**self.sizes, "T": self.block, "D": self.dtype}.items():
            body = body.replace("{" + mark + "}", str(value))

        def declared(name: str, shape: Shape) -> str:
            space = f', htp.space("{self.spaces[name]}")' if self.spaces[name] and not plain else ""
            layout = f", {lying[name]}" if lying[name] else ""
            return f"{name}: {self.directions[name]}[Tensor[{self.dtype_of(name)}, {', '.join(map(str, shape))}{layout}{space}]]"

        dims = "".join(f'{name} = htp.dim("{name}")\n' for name in sorted({name for lies in self.lying.values() for name in lies.by_call if name}) if not plain)
        parameters = ",\n    ".join(declared(name, shape) for name, shape in self.shapes.items())
        return HEAD.format(dims=dims, parameters=f"\n    {parameters},\n", body="\n".join("    " + line for line in body.splitlines()))

    def values(self, generator: np.random.Generator) -> dict[str, Any]:
        made = {name: generator.integers(-3, 4, shape).astype(DTYPES[self.dtype_of(name)]) for name, shape in self.shapes.items()}
        if self.kind.index:
            made["z"] = generator.integers(0, self.shapes["x"][1], self.shapes["z"]).astype(np.int32)
        return made

    def describe(self) -> str:
        return f"seed {self.seed} for {self.target}: {self.kind.name} of {self.dtype}, " + ", ".join(f"{name} {lies.kind}" for name, lies in self.lying.items())


def _wrapped(body: str, mark: str, layout: str) -> str:
    """`{X}(value)` as `relayout(value, layout)`, or as the value where there is none."""
    while (at := body.find("{" + mark + "}(")) >= 0:
        begin, depth = at + 4, 1
        end = begin
        while depth:
            depth += {"(": 1, ")": -1}.get(body[end], 0)
            end += 1
        value = body[begin : end - 1]
        body = body[:at] + (f"relayout({value}, {layout})" if layout else value) + body[end:]
    return body
