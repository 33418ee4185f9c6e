"""Values and their dtypes: each dtype is a class, and a tensor, a tile or a scalar of it an instance (R5, R7).

A value is NumPy data with an explicit dtype. Operators on values name intrinsics: a dialect's `@htp.intrinsic(method="__add__")`
gives `+` its meaning. For type checkers the classes carry the signatures, so that mixing dtypes is an error in the editor too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Self, TypeVar

import numpy as np

from htp import semantics
from htp.dims import Dim, Index
from htp.errors import HtpError
from htp.semantics import Data, Meaning

_SYMBOLS = {
    "__add__": "+", "__sub__": "-", "__mul__": "*", "__truediv__": "/", "__neg__": "-", "__abs__": "abs()", "__lt__": "<", "__le__": "<=",
    "__gt__": ">", "__ge__": ">=", "__eq__": "==", "__ne__": "!=", "__getitem__": "[]", "__setitem__": "[] =",
    "__and__": "&", "__or__": "|", "__xor__": "^", "__invert__": "~", "__lshift__": "<<", "__rshift__": ">>",
    "__floordiv__": "//", "__matmul__": "@", "__mod__": "%", "__pow__": "**",
}  # fmt: skip


class Value:
    """A tensor, a tile or a scalar. A new dtype derives from this class and says what stands below."""

    __slots__ = ("data", "depth", "origin", "tensor")

    data: Data
    """The elements as the table of meanings computes with them. A tensor's are the caller's memory (`storage`)."""
    depth: int
    """How many roundings stand between this value and the inputs: `htp.error_bound`'s reduction length."""
    tensor: str | None
    """The name of the tensor this is; None for a tile or a scalar."""
    origin: tuple[int, ...]
    """Of a tensor: the index of its first element in each dimension, which is not 0 where a buffer holds a block. Tiles have none, but for
    a scalar parameter's."""

    name: ClassVar[str]
    storage: ClassVar[np.dtype[Any]]
    """How an element lies in memory."""
    element: ClassVar[np.dtype[Any]]
    """What the table of meanings computes with: `storage`, but for bf16 f32."""
    meanings: ClassVar[Mapping[str, Meaning]] = {}
    """Operation → what it does to NumPy data."""
    operators: ClassVar[dict[str, Callable[..., Any]]] = {}
    """Operator method → the intrinsic that it names; filled by `@htp.intrinsic(method=…)`."""
    poison: ClassVar[Any] = 0
    """What uninitialised memory holds."""
    unit: ClassVar[float] = 0.0
    """The unit roundoff, half an epsilon; 0 for what is exact."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls.operators = dict(cls.operators)

    def __init__(self, elements: object) -> None:
        """A value of these elements, converted as `cast` does."""
        data = np.asarray(elements.data if isinstance(elements, Value) else elements)
        self.data = self.convert(data)[()]
        self.depth = 0
        self.tensor = None

    @classmethod
    def of(cls, data: Data, depth: int) -> Self:
        """A tile or scalar of data that is already of this dtype's `element`."""
        value = cls.__new__(cls)
        value.data = data
        value.depth = depth
        value.tensor = None
        return value

    @classmethod
    def in_memory(cls, memory: Data, name: str, origin: tuple[int, ...] = ()) -> Self:
        """The tensor that lies in `memory`, an array of this dtype's `storage`."""
        value = cls.of(memory, 0)
        value.tensor = name
        value.origin = origin or (0,) * memory.ndim
        return value

    @classmethod
    def parameter(cls, stored: Data) -> Self:
        """The value of a scalar parameter: a tile of one element, which later stages load at 0."""
        value = cls.of(cls.decode(np.reshape(stored, (1,))), 0)
        value.origin = (0,)
        return value

    @classmethod
    def literal(cls, literal: object) -> Data:
        """A literal of the program as an element of this dtype."""
        raise HtpError(f"{literal!r} is not a literal of {cls.name}")

    @classmethod
    def convert(cls, data: Data) -> Data:
        """Data of another dtype as this one's, as `cast` rounds."""
        return semantics.cast(data, cls.element)

    @classmethod
    def decode(cls, stored: Data) -> Data:
        """What memory holds as data to compute with; never the same memory."""
        return stored.copy()

    @classmethod
    def encode(cls, data: Data) -> Data:
        """Computed data as memory holds it."""
        return data

    def numpy(self) -> Data:
        """The elements as NumPy computes with them."""
        return self.decode(self.data) if self.tensor is not None else self.data

    @property
    def shape(self) -> tuple[int, ...]:
        shape: tuple[int, ...] = self.data.shape
        return shape

    def __array__(self, dtype: Any = None) -> Data:
        return np.asarray(self.numpy(), dtype)

    __array_ufunc__ = None  # `numpy_scalar + value` is refused, not taken apart

    def __repr__(self) -> str:
        return f"{self.name}({self.numpy()!r})"

    def __bool__(self) -> bool:
        raise HtpError(f"a {self.name} value is neither true nor false when compiling: choose with `where`, not with `if`")

    def __iter__(self) -> Any:
        raise HtpError(f"a {self.name} value is not iterated: use `tiles` or `range` over its dimensions")

    def _named(self, method: str, *operands: object) -> Any:
        intrinsic = type(self).operators.get(method)
        if intrinsic is None:
            raise HtpError(f"`{_SYMBOLS[method]}` has no meaning for {self.name} here: import the dialect that gives it one (htp_tile)")
        return intrinsic(*operands)

    def _same(self, method: str, *operands: object) -> Self:
        result: Self = self._named(method, *operands)
        return result

    def _test(self, method: str, *operands: object) -> bool_:
        result: bool_ = self._named(method, *operands)
        return result

    def __getitem__(self, index: Index | tuple[Index, ...]) -> Self:
        return self._same("__getitem__", self, *(index if isinstance(index, tuple) else (index,)))

    def __setitem__(self, index: Index | tuple[Index, ...], value: Self | float) -> None:
        self._named("__setitem__", self, value, *(index if isinstance(index, tuple) else (index,)))

    def __eq__(self, other: object) -> Any:
        return self._named("__eq__", self, other)

    def __ne__(self, other: object) -> Any:
        return self._named("__ne__", self, other)


class FloatValue(Value):
    """What the float dtypes share: operators take the same dtype or a literal."""

    __slots__ = ()
    meanings = semantics.FLOAT
    poison = np.nan

    @classmethod
    def literal(cls, literal: object) -> Data:
        if isinstance(literal, Dim):
            literal = literal.size
        if not isinstance(literal, (int, float)):
            raise HtpError(f"{_shown(literal)} is not a literal of {cls.name}; values of another dtype need a cast")
        try:
            return cls.element.type(literal)
        except OverflowError:
            raise HtpError(f"the literal is too large for {cls.name}") from None

    def __add__(self, other: Self | float) -> Self:
        return self._same("__add__", self, other)

    def __radd__(self, other: float) -> Self:
        return self._same("__add__", other, self)

    def __sub__(self, other: Self | float) -> Self:
        return self._same("__sub__", self, other)

    def __rsub__(self, other: float) -> Self:
        return self._same("__sub__", other, self)

    def __mul__(self, other: Self | float) -> Self:
        return self._same("__mul__", self, other)

    def __rmul__(self, other: float) -> Self:
        return self._same("__mul__", other, self)

    def __matmul__(self, other: Self) -> Self:
        return self._same("__matmul__", self, other)

    def __truediv__(self, other: Self | float) -> Self:
        return self._same("__truediv__", self, other)

    def __rtruediv__(self, other: float) -> Self:
        return self._same("__truediv__", other, self)

    def __pow__(self, other: Self | float) -> Self:
        return self._same("__pow__", self, other)

    def __rpow__(self, other: float) -> Self:
        return self._same("__pow__", other, self)

    def __neg__(self) -> Self:
        return self._same("__neg__", self)

    def __abs__(self) -> Self:
        return self._same("__abs__", self)

    def __lt__(self, other: Self | float) -> bool_:
        return self._test("__lt__", self, other)

    def __le__(self, other: Self | float) -> bool_:
        return self._test("__le__", self, other)

    def __gt__(self, other: Self | float) -> bool_:
        return self._test("__gt__", self, other)

    def __ge__(self, other: Self | float) -> bool_:
        return self._test("__ge__", self, other)


class IntegerValue(Value):
    """What the integer dtypes share: operators take the same dtype or an int literal, `/` truncates toward zero."""

    __slots__ = ()
    meanings = semantics.INTEGER

    @classmethod
    def literal(cls, literal: object) -> Data:
        if not isinstance(literal, (int, np.integer)):
            raise HtpError(f"{_shown(literal)} is not a literal of {cls.name}; values of another dtype need a cast")
        limits = np.iinfo(cls.element)
        if not limits.min <= literal <= limits.max:
            raise HtpError(f"the literal {literal} does not fit in {cls.name}, which holds {limits.min} to {limits.max}")
        return cls.element.type(literal)

    def __add__(self, other: Self | int) -> Self:
        return self._same("__add__", self, other)

    def __radd__(self, other: int) -> Self:
        return self._same("__add__", other, self)

    def __sub__(self, other: Self | int) -> Self:
        return self._same("__sub__", self, other)

    def __rsub__(self, other: int) -> Self:
        return self._same("__sub__", other, self)

    def __mul__(self, other: Self | int) -> Self:
        return self._same("__mul__", self, other)

    def __rmul__(self, other: int) -> Self:
        return self._same("__mul__", other, self)

    def __matmul__(self, other: Self) -> Self:
        return self._same("__matmul__", self, other)

    def __truediv__(self, other: Self | int) -> Self:
        return self._same("__truediv__", self, other)

    def __rtruediv__(self, other: int) -> Self:
        return self._same("__truediv__", other, self)

    def __floordiv__(self, other: Self | int) -> Self:
        return self._same("__floordiv__", self, other)

    def __rfloordiv__(self, other: int) -> Self:
        return self._same("__floordiv__", other, self)

    def __mod__(self, other: Self | int) -> Self:
        return self._same("__mod__", self, other)

    def __rmod__(self, other: int) -> Self:
        return self._same("__mod__", other, self)

    def __neg__(self) -> Self:
        return self._same("__neg__", self)

    def __abs__(self) -> Self:
        return self._same("__abs__", self)

    def __lt__(self, other: Self | int) -> bool_:
        return self._test("__lt__", self, other)

    def __le__(self, other: Self | int) -> bool_:
        return self._test("__le__", self, other)

    def __gt__(self, other: Self | int) -> bool_:
        return self._test("__gt__", self, other)

    def __ge__(self, other: Self | int) -> bool_:
        return self._test("__ge__", self, other)

    def __and__(self, other: Self | int) -> Self:
        return self._same("__and__", self, other)

    def __rand__(self, other: int) -> Self:
        return self._same("__and__", other, self)

    def __or__(self, other: Self | int) -> Self:
        return self._same("__or__", self, other)

    def __ror__(self, other: int) -> Self:
        return self._same("__or__", other, self)

    def __xor__(self, other: Self | int) -> Self:
        return self._same("__xor__", self, other)

    def __rxor__(self, other: int) -> Self:
        return self._same("__xor__", other, self)

    def __lshift__(self, other: Self | int) -> Self:
        return self._same("__lshift__", self, other)

    def __rlshift__(self, other: int) -> Self:
        return self._same("__lshift__", other, self)

    def __rshift__(self, other: Self | int) -> Self:
        return self._same("__rshift__", self, other)

    def __rrshift__(self, other: int) -> Self:
        return self._same("__rshift__", other, self)

    def __invert__(self) -> Self:
        return self._same("__invert__", self)


def _shown(literal: object) -> str:
    return literal.name if isinstance(literal, Value) else repr(literal)


class bool_(Value):
    """A truth value, one byte in memory."""

    __slots__ = ()
    name = "bool_"
    storage = element = np.dtype(np.bool_)
    meanings = semantics.BOOL
    poison = True

    @classmethod
    def literal(cls, literal: object) -> Data:
        if not isinstance(literal, (bool, np.bool_)):
            raise HtpError(f"{_shown(literal)} is not a literal of bool_, which has True and False")
        return np.bool_(literal)

    def __and__(self, other: Self | bool) -> Self:
        return self._same("__and__", self, other)

    def __rand__(self, other: bool) -> Self:
        return self._same("__and__", other, self)

    def __or__(self, other: Self | bool) -> Self:
        return self._same("__or__", self, other)

    def __ror__(self, other: bool) -> Self:
        return self._same("__or__", other, self)

    def __xor__(self, other: Self | bool) -> Self:
        return self._same("__xor__", self, other)

    def __rxor__(self, other: bool) -> Self:
        return self._same("__xor__", other, self)

    def __invert__(self) -> Self:
        return self._same("__invert__", self)


class i8(IntegerValue):
    """A signed integer of 8 bits."""

    __slots__ = ()
    name = "i8"
    storage = element = np.dtype(np.int8)
    poison = -0x56


class i16(IntegerValue):
    """A signed integer of 16 bits."""

    __slots__ = ()
    name = "i16"
    storage = element = np.dtype(np.int16)
    poison = -0x5556


class i32(IntegerValue):
    """A signed integer of 32 bits."""

    __slots__ = ()
    name = "i32"
    storage = element = np.dtype(np.int32)
    poison = -0x55555556


class i64(IntegerValue):
    """A signed integer of 64 bits."""

    __slots__ = ()
    name = "i64"
    storage = element = np.dtype(np.int64)
    poison = -0x5555555555555556


class u8(IntegerValue):
    """An unsigned integer of 8 bits."""

    __slots__ = ()
    name = "u8"
    storage = element = np.dtype(np.uint8)
    poison = 0xAA


class u16(IntegerValue):
    """An unsigned integer of 16 bits."""

    __slots__ = ()
    name = "u16"
    storage = element = np.dtype(np.uint16)
    poison = 0xAAAA


class u32(IntegerValue):
    """An unsigned integer of 32 bits."""

    __slots__ = ()
    name = "u32"
    storage = element = np.dtype(np.uint32)
    poison = 0xAAAAAAAA


class u64(IntegerValue):
    """An unsigned integer of 64 bits."""

    __slots__ = ()
    name = "u64"
    storage = element = np.dtype(np.uint64)
    poison = 0xAAAAAAAAAAAAAAAA


class f16(FloatValue):
    """IEEE 754 binary16."""

    __slots__ = ()
    name = "f16"
    unit = 2.0**-11
    storage = element = np.dtype(np.float16)


class f32(FloatValue):
    """IEEE 754 binary32."""

    __slots__ = ()
    name = "f32"
    unit = 2.0**-24
    storage = element = np.dtype(np.float32)


class f64(FloatValue):
    """IEEE 754 binary64."""

    __slots__ = ()
    name = "f64"
    unit = 2.0**-53
    storage = element = np.dtype(np.float64)


class bf16(FloatValue):
    """The upper half of an f32. NumPy has no such type: in memory it is its bits as uint16, computed with it is f32."""

    __slots__ = ()
    name = "bf16"
    unit = 2.0**-8
    storage = np.dtype(np.uint16)
    element = np.dtype(np.float32)
    meanings = semantics.BF16

    @classmethod
    def literal(cls, literal: object) -> Data:
        return semantics.round_to_bf16(super().literal(literal))

    @classmethod
    def convert(cls, data: Data) -> Data:
        return semantics.round_to_bf16(data.astype(np.float32))

    @classmethod
    def decode(cls, stored: Data) -> Data:
        return semantics.bf16_from_bits(stored)

    @classmethod
    def encode(cls, data: Data) -> Data:
        return semantics.bf16_to_bits(data)


class StorageFloat(FloatValue):
    """A float of 8 bits, in memory its bits as uint8: it is loaded, stored, moved and cast, and calculated with as another dtype."""

    __slots__ = ()
    storage = np.dtype(np.uint8)
    element = np.dtype(np.float32)
    meanings = {op: semantics.COMPARISONS[op] for op in ("eq", "ne")}
    fraction: ClassVar[int]
    lowest: ClassVar[int]
    """The exponent of the smallest normal number."""
    largest: ClassVar[float]
    infinity: ClassVar[int | None]
    not_a_number: ClassVar[int]

    @classmethod
    def literal(cls, literal: object) -> Data:
        return cls.convert(np.asarray(super().literal(literal)))

    @classmethod
    def convert(cls, data: Data) -> Data:
        return semantics.round_to_fraction(data, cls.fraction, cls.lowest, cls.largest, np.nan if cls.infinity is None else np.inf)

    @classmethod
    def decode(cls, stored: Data) -> Data:
        specials = {pattern: np.nan for pattern in range(cls.infinity or cls.not_a_number, 128)}
        if cls.infinity is not None:
            specials[cls.infinity] = np.inf
        return semantics.float_from_bits(stored, cls.fraction, cls.lowest, specials)

    @classmethod
    def encode(cls, data: Data) -> Data:
        return semantics.float_to_bits(data, cls.fraction, cls.lowest, cls.infinity, cls.not_a_number)


class f8e4m3(StorageFloat):
    """Four exponent bits, three fraction bits, up to 448 and without infinities."""

    __slots__ = ()
    name = "f8e4m3"
    unit = 2.0**-4
    fraction, lowest, largest = 3, -6, 448.0
    infinity, not_a_number = None, 0x7F


class f8e5m2(StorageFloat):
    """Five exponent bits, two fraction bits, up to 57344: the upper half of an f16."""

    __slots__ = ()
    name = "f8e5m2"
    unit = 2.0**-3
    fraction, lowest, largest = 2, -14, 57344.0
    infinity, not_a_number = 0x7C, 0x7E


DTYPES: tuple[type[Value], ...] = (bool_, i8, i16, i32, i64, u8, u16, u32, u64, f8e4m3, f8e5m2, f16, bf16, f32, f64)
"""Every dtype of the core, narrow to wide."""

Floating = TypeVar("Floating", f16, bf16, f32, f64)
"""One float dtype, the same wherever it stands in a signature."""

Integer = TypeVar("Integer", i8, i16, i32, i64, u8, u16, u32, u64)
"""One integer dtype, the same wherever it stands in a signature."""

Bits = TypeVar("Bits", bool_, i8, i16, i32, i64, u8, u16, u32, u64)
"""One integer dtype or bool_, the same wherever it stands in a signature."""

Number = TypeVar("Number", i8, i16, i32, i64, u8, u16, u32, u64, f16, bf16, f32, f64)
"""One dtype to calculate with, the same wherever it stands in a signature."""

Element = TypeVar("Element", bool_, i8, i16, i32, i64, u8, u16, u32, u64, f8e4m3, f8e5m2, f16, bf16, f32, f64)
"""One dtype, the same wherever it stands in a signature."""
