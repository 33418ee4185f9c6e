"""The spelling of types (R5): `In[Tensor[f32, M, N]]` on parameters, `Tile[f32, i, N]` on names.

For a type checker `Tensor[f32, M, N]` is `f32`; running, it is an object that says dtype, extents, layout and space.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from htp.dims import Block, Computed, Dim
from htp.errors import HtpError
from htp.layouts import Layout, Space
from htp.values import Value, i64


@dataclass(frozen=True)
class ShapedType:
    """The type of a tensor (in memory), of a tile (a value) or of a scalar parameter."""

    form: str
    dtype: type[Value]
    extents: tuple[int | Dim | Computed | Block, ...]
    layout: Layout | None = None
    space: Space | None = None

    @property
    def is_scalar(self) -> bool:
        """Whether it is a scalar, which is handed over by value: of a dtype, `f32`, or an `int`."""
        return self.form in ("scalar", "int")

    def __repr__(self) -> str:
        if self.is_scalar:
            return "int" if self.form == "int" else self.dtype.name
        words = [self.dtype.name, *map(repr, self.extents), *(repr(word) for word in (self.layout, self.space) if word is not None)]
        return f"{self.form}[{', '.join(words)}]"


@dataclass(frozen=True)
class ParameterType:
    """The type of a kernel's parameter: a tensor, and what the kernel does with it; or a scalar, which goes in."""

    direction: str
    type: ShapedType

    def __repr__(self) -> str:
        return repr(self.type) if self.type.is_scalar else f"{self.direction}[{self.type!r}]"


class _Form:
    """What stands before the bracket of a shaped type."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __getitem__(self, words: Any) -> ShapedType:
        dtype, *rest = words if isinstance(words, tuple) else (words,)
        if not (isinstance(dtype, type) and issubclass(dtype, Value) and hasattr(dtype, "element")):
            raise HtpError(f"{self.name}[...] begins with a dtype, such as f32, not with {dtype!r}")
        extents: list[int | Dim | Computed | Block] = []
        layout: Layout | None = None
        space: Space | None = None
        for word in rest:
            if isinstance(word, Layout) and layout is None and space is None:
                layout = word
            elif isinstance(word, Space) and space is None:
                space = word
            elif isinstance(word, (int, Dim, Computed, Block)) and not isinstance(word, bool) and layout is None and space is None:
                extents.append(word)
            else:
                raise HtpError(f"{self.name}[dtype, extents, layout, space]: {word!r} is not in its place")
            if isinstance(word, int) and word < 0:
                raise HtpError(f"an extent is not negative, but this one is {word}")
        return ShapedType(self.name, dtype, tuple(extents), layout, space)

    def __repr__(self) -> str:
        return f"htp.{self.name}"


class _Direction:
    """What stands before the bracket of a parameter's type."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __getitem__(self, type: Any) -> ParameterType:
        if not isinstance(type, ShapedType) or type.form == "Tile":
            raise HtpError(f"{self.name}[...] holds a Tensor[...], not {type!r}")
        return ParameterType(self.name, type)

    def __repr__(self) -> str:
        return f"htp.{self.name}"


def scalar(annotation: object) -> ParameterType | None:
    """The type of a parameter that is handed over by value: its annotation is a dtype, or `int`, which takes 64 bits."""
    if annotation is int:
        return ParameterType("In", ShapedType("int", i64, ()))
    if isinstance(annotation, type) and issubclass(annotation, Value) and hasattr(annotation, "element"):
        return ParameterType("In", ShapedType("scalar", annotation, ()))
    return None


def form(name: str) -> Any:
    """A dialect's own word for what lies in memory, used like Tensor: `Signal = htp.form("Signal")`."""
    return _Form(name)


if TYPE_CHECKING:
    from typing import Annotated
    from typing import Annotated as Tensor
    from typing import Annotated as Tile

    _T = TypeVar("_T")
    In = Annotated[_T, "In"]
    Out = Annotated[_T, "Out"]
    InOut = Annotated[_T, "InOut"]
else:
    Tensor = _Form("Tensor")
    Tile = _Form("Tile")
    In = _Direction("In")
    Out = _Direction("Out")
    InOut = _Direction("InOut")

__all__ = ["In", "InOut", "Out", "ParameterType", "ShapedType", "Tensor", "Tile", "form"]
