"""What one typed declaration cannot say of an intrinsic, for type checkers."""

from typing import Any, overload

from htp import Element, Number
from htp_tile import axes


@overload
def matmul(a: Number, b: Number, acc: None = None) -> Number: ...
@overload
def matmul(a: Element, b: Element, acc: Number) -> Number: ...
def matmul(a: Any, b: Any, acc: Any = None) -> Any:
    """The product may be added up in a wider dtype than the operands have."""
    return axes.matmul(a, b, acc)
