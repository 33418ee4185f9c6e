"""Annotations that a program may carry, and programs with one more, one less or another one: what law 11 goes over."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from math import prod
from typing import Any

import htp

LEVELS = {"cpu": ("core", "lane"), "a2a3": ("core",), "aie": ("core", "column", "row")}
SPACES = {"cpu": ("memory", "stack"), "a2a3": ("ub", "l1", "l0a"), "aie": ("core", "memory")}

ROWS = "arrays lie row-major where nothing else is said"
HOST = "arrays lie in the machine's memory"
DEALT = "iterations that are independent are dealt to cores and threads where that pays, said or not"
TWICE = "what an innermost loop moves has two buffers, said or not"
VECTORS = "elements that lie one after the other are computed by vectors, said or not"
FITS = "a buffer that fits lies on the stack"
LARGE = "a buffer that is large, or of a size that is not known, is allocated"


@dataclass(frozen=True)
class Edit:
    """A program with another annotation."""

    what: str
    text: str
    line: int
    """where it stands"""
    anyway: str = ""
    """why a target may emit the same text: it is what is done without it"""


@dataclass
class Source:
    """A program's text, and where things stand in it."""

    text: str
    lines: list[str] = field(init=False)

    def __post_init__(self) -> None:
        self.lines = self.text.splitlines(keepends=True)

    def offset(self, line: int, column: int) -> int:
        """Of a place as Python counts it, in characters of the text."""
        return sum(map(len, self.lines[: line - 1])) + len(self.lines[line - 1].encode()[:column].decode())

    def behind(self, node: ast.expr, text: str) -> str:
        at = self.offset(node.end_lineno or 0, node.end_col_offset or 0)
        return self.text[:at] + text + self.text[at:]

    def around(self, node: ast.AST, text: str) -> str:
        """With `text` instead of a node, whose own text is `{}` in it."""
        assert isinstance(node, (ast.expr, ast.stmt))
        begin, end = self.offset(node.lineno, node.col_offset), self.offset(node.end_lineno or 0, node.end_col_offset or 0)
        return self.text[:begin] + text.replace("{}", self.text[begin:end]) + self.text[end:]


def sized(text: str, size: int = 64) -> str:
    """The program at one size of each dimension, so that layouts can speak of them."""
    return re.sub(r'^(\w+) = htp\.dim\("\1"\)$', rf"\1 = {size}", text, flags=re.MULTILINE)


def layouts(shape: tuple[int, ...], target: str) -> Iterator[tuple[str, str, str]]:
    """Kinds of layouts of a tensor, and why a target may do nothing for it."""
    rank, size = len(shape), prod(shape)
    order = tuple(range(rank))
    rows = [prod(shape[k + 1 :]) for k in order]
    yield "rows", f"htp.layouts.ordered({shape}, {order})", ROWS
    if size == 1:
        return  # lies so in every way
    if shape[0] > 1:
        yield "registers", f'htp.layout((({shape[0]}, 1, "register"), ({size // shape[0]}, 1, "m")))', ""
    yield "offset", f'htp.layout((({size}, 1, "m"),), offset={{"m": 16}})', ""
    if sum(extent > 1 for extent in shape) > 1:
        yield "columns", f"htp.layouts.ordered({shape}, {order[::-1]})", ""
        yield "padded", f"htp.layouts.strided({shape}, {tuple(step if step == 1 else step // shape[-1] * (shape[-1] + 8) for step in rows)})", ""
    if rank > 1 and shape[-1] % 2 == 0 and shape[-2] % 2 == 0 and shape[-2:] != (2, 2) and shape[-1] > 2:
        yield "blocks", f"htp.layouts.packed({shape}, {(1,) * (rank - 2) + (2, 2)}, {order}, {order})", ""
    if rank > 1 and size >= 64 and size & (size - 1) == 0:
        yield "swizzle", f"htp.layouts.swizzle(htp.layouts.ordered({shape}, {order}), 2, 0, 2)", ""
    if shape[0] % 2 == 0:
        for axis in (*LEVELS[target], "chips"):
            yield f"over {axis}", f'htp.layouts.shard({shape}, ("{axis}"{", None" * (rank - 1)},), mesh={{"{axis}": 2}})', ""


def tensors(function: ast.FunctionDef) -> Iterator[tuple[str, ast.expr]]:
    """Parameters that are tensors, and the last thing that the type of each says."""
    for parameter in function.args.args:
        outer = parameter.annotation
        inner = outer.slice if isinstance(outer, ast.Subscript) else None
        if isinstance(inner, ast.Subscript) and ast.unparse(inner.value) in ("Tensor", "htp.Tensor") and isinstance(inner.slice, ast.Tuple):
            yield parameter.arg, inner.slice.elts[-1]


def of_parameters(source: Source, function: ast.FunctionDef, entry: htp.Entry, target: str) -> Iterator[Edit]:
    """A layout or a space for each tensor that has none."""
    shapes = {p.name: p.type for p in entry.parameters}
    for name, last in tensors(function):
        type = shapes.get(name)
        if type is None or type.layout is not None or type.space is not None:
            continue
        line = last.end_lineno or 0
        for space in (*SPACES[target], "L9"):
            yield Edit(f"`{name}` in {space}", source.behind(last, f', htp.space("{space}")'), line, HOST if (target, space) == ("cpu", "memory") else "")
        if all(isinstance(extent, int) for extent in type.extents):
            shape = tuple(int(str(extent)) for extent in type.extents)
            for kind, text, anyway in layouts(shape, target):
                yield Edit(f"`{name}` in {kind}", source.behind(last, f", {text}"), line, anyway)


def of_names(source: Source, function: ast.FunctionDef, types: dict[str, str], target: str) -> Iterator[Edit]:
    """A space and a layout for the first buffer and the first tile that have no type: `types` are those that a stage gives them."""
    seen: set[str] = set()
    for node in ast.walk(function):
        if not (isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name)):
            continue
        name = node.targets[0].id
        found = re.fullmatch(r"(?:\w+\.)?(Tile|Tensor)\[(?:\w+\.)?(\w+), ([^\[\]()]*)\]", types.get(name, ""))
        if not found or found[1] in seen:
            continue
        seen.add(found[1])
        form, dtype, extents = found.groups()
        spaces: list[tuple[str, str]] = [(f'htp.space("{space}")', {"stack": FITS, "memory": LARGE}.get(space, "") if (target, form) == ("cpu", "Tensor") else "") for space in (*SPACES[target], "L9")]
        texts = extents.split(", ")
        if all(text.isdigit() for text in texts):
            spaces += [(text, anyway) for _, text, anyway in layouts(tuple(map(int, texts)), target)]
        for extra, anyway in spaces:
            annotated = source.around(node.targets[0], f"{{}}: htp.{form}[htp.{dtype}, {extents}, {extra}]")
            yield Edit(f"{form.lower()} `{name}` with {extra}", annotated, node.lineno, anyway)


def of_loops(source: Source, function: ast.FunctionDef, target: str) -> Iterator[Edit]:
    """How the first loop of a kernel runs; those of workloads are their schedules' matter."""
    if "workload" in map(ast.unparse, function.decorator_list):
        return
    loop = next((node for node in ast.walk(function) if isinstance(node, ast.For)), None)
    if loop is None or "htp." in ast.unparse(loop.iter):
        return
    for level in (*LEVELS[target], "L9"):
        dealt = DEALT if level in LEVELS[target] else ""
        yield Edit(f"a loop over {level}", source.around(loop.iter, f'htp.parallel({{}}, level="{level}")'), loop.iter.lineno, dealt)
    yield Edit("a parallel loop", source.around(loop.iter, "htp.parallel({})"), loop.iter.lineno, DEALT)
    yield Edit("a vectorized loop", source.around(loop.iter, "htp.vectorized({})"), loop.iter.lineno, VECTORS if target == "cpu" else "")
    yield Edit("an unrolled loop", source.around(loop.iter, "htp.unrolled({})"), loop.iter.lineno)
    for depth in (2, 3):
        twice = TWICE if target != "cpu" and depth == 2 else ""
        yield Edit(f"a loop of depth {depth}", source.around(loop.iter, f"htp.pipelined({{}}, depth={depth})"), loop.iter.lineno, twice)


def removed(source: Source, tree: ast.Module) -> Iterator[Edit]:
    """Without what it says of a layout, a space or a level."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Tuple) and ast.unparse(node.value).split(".")[-1] in ("Tensor", "Tile"):
            elements = node.slice.elts
            for number, one in enumerate(elements[1:], 1):
                if isinstance(one, ast.Call) and ast.unparse(one.func).startswith(("htp.layout", "htp.space")):
                    kept = ", ".join(ast.unparse(other) for k, other in enumerate(elements) if k != number)
                    yield Edit(f"without {ast.unparse(one)}", source.around(node.slice, kept), one.lineno)


def edits(text: str, function: ast.FunctionDef, entry: htp.Entry, types: dict[str, str], target: str) -> list[Edit]:
    """All of them; `function` and `entry` are what `text` defines."""
    source = Source(text)
    given: list[Any] = [*of_parameters(source, function, entry, target), *of_names(source, function, types, target), *of_loops(source, function, target)]
    return [*given, *removed(source, ast.parse(text))]
