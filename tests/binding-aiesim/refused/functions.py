"""Functions in C++ that are not what Python declares, or do more."""

#: another number of arguments
#! program: external_kernel M=64 N=32
#! file: scaled.cc
#! old: float \*result
#! new: const float *other, float *result
#> 14:1 error aiesim.argument-count: `scaled` of `scaled.cc` does not take 5 arguments
#>   note: 2 parameters, results that update none, and dimensions
#>   hint: give it the arguments that the note counts

#: an argument of another type
#! program: external_kernel M=64 N=32
#! file: scaled.cc
#! old: const float \*x
#! new: const int16_t *x
#> 14:1 error aiesim.argument-type: argument 1 of `scaled` in `scaled.cc` is not `const float *`
#>   note: its Python signature says `Tile[f32, R, C]`
#>   hint: write the one as the other says: i32 is `int32_t`, i16 `int16_t`, i8 `int8_t`, f32 `float`, and bf16 any type of 2 bytes that is no integer

#: a dimension that is a float
#! program: external_kernel M=64 N=32
#! file: scaled.cc
#! old: int32_t rows
#! new: float rows
#> 14:1 error aiesim.argument-type: argument 4 of `scaled` in `scaled.cc` is not `int32_t`
#>   note: it is a dimension
#>   hint: write the one as the other says: i32 is `int32_t`, i16 `int16_t`, i8 `int8_t`, f32 `float`, and bf16 any type of 2 bytes that is no integer

#: another name
#! program: external_kernel M=64 N=32
#! file: scaled.cc
#! old: scaled\(
#! new: scald(
#> 14:1 error aiesim.no-function: `scaled.cc` has no function `scaled` that a core could call
#>   hint: give it the Python function's name, in front of it `extern "C"`: without that, C++ calls it otherwise

#: no C++
#! program: external_kernel M=64 N=32
#! file: scaled.cc
#! old: for \(int32_t r
#! new: four (int32_t r
#> 14:1 error aiesim.external: `scaled.cc` is not compiled by `clang-19`, for this machine
#>   note: scaled.cc:5:9: error: unexpected type name 'int32_t': expected expression …
#>   hint: mend what it says; nothing of it is a core's own

#: a write behind the result
#! program: external_kernel M=64 N=32
#! file: scaled.cc
#! old:   for \(int32_t r = 0;
#! new:   result[-1] = 1;\n  for (int32_t r = 0;
#> 14:1 error aiesim.call-writes: the core at (0, 2) calls `scaled`, which writes in front of its result
#>   note: line 23 of `aie.mlir`
#>   hint: write to its results, each as long as its tile, and to what `updates` of `@external` names, alone

#: a write to an argument
#! program: external_kernel M=64 N=32
#! file: scaled.cc
#! old:   for \(int32_t r = 0;
#! new:   ((float *)by)[3] = 1;\n  for (int32_t r = 0;
#> 14:1 error aiesim.call-writes: the core at (0, 2) calls `scaled`, which writes to its argument 2
#>   note: line 23 of `aie.mlir`
#>   hint: write to its results, each as long as its tile, and to what `updates` of `@external` names, alone

#: a crash
#! program: external_kernel M=64 N=32
#! file: scaled.cc
#! old:   for \(int32_t r = 0;
#! new:   __builtin_trap();\n  for (int32_t r = 0;
#> - error aiesim.crashed: `scaled` of `scaled.cc` does not come back: Illegal instruction
#>   hint: it reads or writes where none of its tiles is, most likely behind the last element of one: a tile has as many elements as the product of its sizes says
