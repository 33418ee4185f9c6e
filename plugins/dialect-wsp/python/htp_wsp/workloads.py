"""Workloads: computations over blocks whose sizes a schedule chooses."""

from __future__ import annotations

import ast
import operator
import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import htp
from htp import Block, Extent
from htp.dims import Dim, Size


class Workload(htp.Entry):
    """A computation that does not say how big its blocks are, called with NumPy arrays."""

    def baseline(self, name: str) -> str:
        """A schedule of this name that says nothing, as text that follows the program's."""
        return f"\n\nimport htp_wsp\n\n\n@htp_wsp.schedule({self.function.__name__})\ndef {name}(s: htp_wsp.Schedule) -> None:\n    pass\n"

    def proposals(self, source: str, name: str, count: int, seed: int) -> list[str]:
        """So many schedules that might be good, each as text that follows the program's, of a schedule of this name. The compiler judges them."""
        tree = ast.parse(source)
        (function,) = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == self.function.__name__]
        loops = _open_loops(function)
        rng = random.Random(seed)
        head = f"\n\nimport htp_wsp\n\n\n@htp_wsp.schedule({function.name})\ndef {name}(s: htp_wsp.Schedule) -> None:\n"
        found: dict[str, None] = {}
        for _ in range(8 * count if loops else 0):
            if len(found) < count:
                found[head + "".join(f"    {line}\n" for line in _directives(loops, rng))] = None
        return list(found)


@dataclass(frozen=True)
class _Loop:
    """A loop whose size is open, of the only name like it."""

    name: str
    ordered: bool
    outermost: bool
    around: str
    """The loop that holds it and nothing else; empty where there is none."""
    fast: bool
    """Its blocks are of elements that lie side by side."""


def _open_loops(function: ast.FunctionDef) -> list[_Loop]:
    found: list[_Loop] = []

    def visit(body: list[ast.stmt], outermost: bool, around: str) -> None:
        for node in body:
            own = around
            kind = ast.unparse(node.iter.func).rpartition(".")[2] if isinstance(node, ast.For) and isinstance(node.iter, ast.Call) else ""
            opens = kind in ("P", "seq") and isinstance(node, ast.For) and isinstance(node.iter, ast.Call) and len(node.iter.args) == 1
            if opens and isinstance(node, ast.For) and isinstance(node.target, ast.Name):
                own = node.target.id
                last = [n.slice.elts[-1] if isinstance(n.slice, ast.Tuple) else n.slice for n in ast.walk(node) if isinstance(n, ast.Subscript)]
                every = [ast.unparse(n.slice) for n in ast.walk(node) if isinstance(n, ast.Subscript)]
                fast = any(isinstance(n, ast.Name) and n.id == own for n in last) and not any(f"{own}, " in text for text in every)
                found.append(_Loop(own, kind == "seq", outermost, around if len(body) == 1 else "", fast))
            for name in ("body", "orelse"):
                inner = getattr(node, name, [])
                visit(inner, False, own if opens and len(inner) == 1 else "")

    visit(function.body, True, "")
    names = [loop.name for loop in found]
    return [loop for loop in found if names.count(loop.name) == 1]


def _directives(loops: list[_Loop], rng: random.Random) -> list[str]:
    """Sizes for all loops; then perhaps another order, vectors, and what runs at once."""
    lines: list[str] = []
    behind: list[str] = []
    for loop in loops:
        size = rng.choice((32, 64, 128) if loop.fast or loop.ordered else (4, 8, 16, 32))
        twice = loop.outermost and not loop.ordered and rng.random() < 0.5
        lines.append(f's.tile("{loop.name}", {f"{4 * size}, " if twice else ""}{size})')
        if loop.around and not loop.ordered and rng.random() < 0.3:
            behind.insert(0, f's.reorder("{loop.name}", "{loop.around}")')
        elif loop.outermost and not loop.ordered and rng.random() < 0.8:
            behind.append(f's.parallel("{loop.name}{"_0" if twice else ""}")')
        if loop.fast and not loop.ordered and rng.random() < 0.4:
            behind.append(f's.vectorize("{loop.name}")')
    return lines + behind


def workload(function: Callable[..., None]) -> Workload:
    """Makes a function whose parameters are In, Out and InOut tensors a workload."""
    return Workload(function)


def P(first: Extent, second: Extent | None = None, size: int | None = None) -> Iterable[Block]:
    """A logically parallel loop over the blocks of a dimension: iterations are independent. Unscheduled, one block spans it.

    `P(M)` and `P(M, 64)` are over a dimension, in blocks of 64; `P(1, N - 1)` and `P(1, N - 1, 64)` over a range, whose end is made of dims.
    """
    return _blocks(first, second, size)


def seq(first: Extent, second: Extent | None = None, size: int | None = None) -> Iterable[Block]:
    """An ordered loop over the blocks of a dimension, or of a range, as `P` has them: iterations run one after the other."""
    return _blocks(first, second, size)


def _indices(extent: Extent) -> int:
    """The number of indices; of `M - 2` it may be negative, and a loop over it has no iteration."""
    return extent.extent if isinstance(extent, Block) else operator.index(extent)


def _blocks(first: Extent, second: Extent | None, size: int | None) -> Iterable[Block]:
    if second is None or (size is None and not isinstance(second, (Dim, Size))):
        return htp.cut(first, max(1, _indices(first)) if second is None else htp.size_of(second))
    low = htp.size_of(first)
    length = max(0, _indices(second) - low)
    return (block + low for block in htp.cut(length, max(1, length) if size is None else size))
