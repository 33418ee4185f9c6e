"""Layouts made of layouts, and layouts in other notations: the SDK's own algebra, asked through libhtp."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from htp.errors import HtpError
from htp.layouts.core import Layout, layout

Argument: TypeAlias = "int | str | None | Layout | Notation | tuple[Argument, ...] | dict[str, Argument]"


@dataclass(frozen=True)
class Notation:
    """A layout as a constructor of `htp.layouts` writes it. `repr` is the expression."""

    name: str
    arguments: tuple[Argument, ...]
    keywords: Mapping[str, Argument] = field(default_factory=dict)

    def __repr__(self) -> str:
        words = [repr(argument) for argument in self.arguments] + [f"{name}={value!r}" for name, value in self.keywords.items()]
        return f"htp.layouts.{self.name}({', '.join(words)})"


@dataclass(frozen=True)
class Step:
    """One step of a relayout, and how many bytes one device receives in it."""

    kind: str
    text: str
    bytes: int
    before: Layout
    after: Layout

    def __repr__(self) -> str:
        return self.text


def compose(outer: Layout, inner: Layout) -> Layout:
    """Where `outer` puts the elements whose indices `inner` gives, on its axis "i".

    >>> compose(layout(((8, 10, "m"), (10, 1, "m"))), layout(((4, 20, "i"),)))
    htp.layout(((4, 20, "m"),))
    """
    return _placed("compose", [outer, inner])


def product(outer: Layout, inner: Layout) -> Layout:
    """Every element of `outer` is a whole `inner`."""
    return _placed("product", [outer, inner])


def blocked(outer: Layout, outer_shape: Sequence[int], inner: Layout, inner_shape: Sequence[int]) -> Layout:
    """The product dimension by dimension: a tensor of `outer_shape` whose elements are blocks of `inner_shape`."""
    return _placed("blocked", [outer, inner], outer_shape=list(outer_shape), inner_shape=list(inner_shape))


def invert(of: Layout, axes: Sequence[str]) -> tuple[Layout, dict[str, int]]:
    """From places on these axes, the last one counting fastest, to the index of the element there, on the axis "i"; and how many places each has."""
    found = _asked("invert", [of], axes=list(axes))
    return _layout(found["layout"]), dict(found["space"])


def slice(of: Layout, shape: Sequence[int], starts: Sequence[int], extents: Sequence[int], steps: Sequence[int] | None = None) -> Layout:
    """The part of a tensor of `shape` that begins at `starts` and takes `extents` steps along each dimension."""
    return _placed("slice", [of], shape=list(shape), starts=list(starts), extents=list(extents), steps=list(steps or [1] * len(shape)))


def permute(of: Layout, shape: Sequence[int], order: Sequence[int]) -> Layout:
    """Dimension k of the result is dimension `order[k]` of the tensor."""
    return _placed("permute", [of], shape=list(shape), order=list(order))


def relayout(before: Layout, after: Layout, shape: Sequence[int], itemsize: int = 4) -> list[Step]:
    """The cheapest steps from one layout to the other, of elements of so many bytes."""
    steps = _asked("relayout", [before, after], shape=list(shape), bytes=itemsize)["steps"]
    return [Step(one["kind"], one["text"], one["bytes"], _layout(one["before"]), _layout(one["after"])) for one in steps]


def as_strided(of: Layout, shape: Sequence[int]) -> Notation:
    """As strides of the dimensions of `shape`, and an offset."""
    return _written("strided", of, shape=list(shape))


def as_cute(of: Layout, shape: Sequence[int]) -> Notation:
    """As CuTe's shape and stride, swizzled or not."""
    return _written("cute", of, shape=list(shape))


def as_linear(of: Layout, shape: Sequence[int], units: Sequence[str]) -> Notation:
    """As the bits of these units of hardware, where everything is a power of two."""
    return _written("linear", of, shape=list(shape), units=list(units))


def as_shard(of: Layout, shape: Sequence[int], mesh: Mapping[str, int]) -> Notation:
    """As a distribution over the devices of a mesh."""
    return _written("shard", of, shape=list(shape), mesh=dict(mesh))


def as_levels(of: Layout) -> Notation:
    """As a hierarchy of parallel units."""
    return _written("levels", of)


def _asked(operation: str, layouts: Sequence[Layout], **values: object) -> dict[str, Any]:
    from htp import native  # which asks for this package

    return native.layout_operation({"operation": operation, "layouts": [repr(one) for one in layouts], **values})


def _placed(operation: str, layouts: Sequence[Layout], **values: object) -> Layout:
    return _layout(_asked(operation, layouts, **values)["layout"])


def _written(operation: str, of: Layout, **values: object) -> Notation:
    made = _value(ast.parse(_asked(operation, [of], **values)["notation"], mode="eval").body)
    assert isinstance(made, Notation)
    return made


def _layout(text: str) -> Layout:
    made = _value(ast.parse(text, mode="eval").body)
    assert isinstance(made, Layout)
    return made


def _value(node: ast.expr) -> Any:
    """What an expression of the library's means: literals, and constructors of layouts."""
    if isinstance(node, ast.Tuple):
        return tuple(_value(item) for item in node.elts)
    if isinstance(node, ast.Dict):
        return {_value(key): _value(value) for key, value in zip(node.keys, node.values) if key is not None}
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        arguments = [_value(argument) for argument in node.args]
        keywords = {word.arg: _value(word.value) for word in node.keywords if word.arg is not None}
        return layout(*arguments, **keywords) if node.func.attr == "layout" else Notation(node.func.attr, tuple(arguments), keywords)
    try:
        return ast.literal_eval(node)
    except ValueError:
        raise HtpError(f"`{ast.unparse(node)}` is no layout") from None
