"""Which dtypes the instructions take."""

from typing import TypeVar

from htp import bf16, bool_, f16, f32, i8, i16, i32, i64, u8, u16, u32

Arithmetic = TypeVar("Arithmetic", f16, f32, i16, i32)
"""What the vector unit adds and compares."""
Half = TypeVar("Half", f16, f32)
"""What it divides, and computes functions of."""
Factor = TypeVar("Factor", i8, f16, bf16, f32)
"""What the cube multiplies."""
Compared = TypeVar("Compared", f16, f32, i32)
"""What it compares, integers for equality alone."""
Chosen = TypeVar("Chosen", f16, bf16, f32, i16, i32, u16, u32)
"""What it selects by a mask."""
Bitwise = TypeVar("Bitwise", bool_, i8, u8, i16, u16, i32, u32)
"""What it combines bit by bit; a mask is a bit an element."""
Counted = TypeVar("Counted", i16, i32, u16, u32)
Whole = TypeVar("Whole", i8, u8, i16, u16, i32, u32)
"""Integers whose bits it shifts."""
Place = TypeVar("Place", i32, u32)
"""Where an element stands."""
Triangle = TypeVar("Triangle", f16, f32, i16, u16, i32, u32)
Scalar = TypeVar("Scalar", i32, i64)
"""What the scalar pipe reads out of global memory."""
Moved = TypeVar("Moved", i8, u8, i16, u16, i32, u32, f16, bf16, f32)
"""What it moves without looking at it."""
Raised = TypeVar("Raised", i8, u8, i16, u16, i32, u32, f32)
"""What it raises to a power."""
Converted = TypeVar("Converted", i8, u8, i16, i32, i64, f16, bf16, f32)
"""What it converts."""
Sum = TypeVar("Sum", i32, f32)
"""What the cube adds up in."""
Narrow = TypeVar("Narrow", f16, bf16)
"""What a sum of f32 is rounded to on its way to L1."""
Quantized = TypeVar("Quantized", i8, u8, f16)
"""What a sum becomes that is scaled on its way out."""

CONVERSIONS = {
    "f32": "f16 bf16 i16 i32 i64",
    "f16": "f32 i8 u8 i16 i32",
    "bf16": "f32 i32",
    "i8": "f16",
    "u8": "f16",
    "i16": "f16 f32",
    "i32": "f16 f32 i16 i64",
    "i64": "f32 i32",
}
"""What the vector unit converts to what: floats to integers as far as these go, integers to narrower ones modulo their bits."""
