"""Modules whose text is not what packages have."""

#: a colon that is gone
#! old: ^(#n.*):\d+:
#! new: \1:
#> - error aiesim.missing: `:` expected before `))`
#>   note: line 267 of `aie.mlir`
#>   hint: compile the package again; a module that was written by hand may use the ops that docs/aie.md lists

#: a text that ends early
#! old: ^    aiex\.runtime_sequence(.*\n)*
#> - error aiesim.undefined: `loc(#n20)` is not defined
#>   note: line 4 of `aie.mlir`
#>   hint: compile the package again; a module that was written by hand may use the ops that docs/aie.md lists

#: an op that no package has
#! old: ^    %run_0_0
#! new:     %x = aie.switchbox(%core_0_0)\n    %run_0_0
#> - error aiesim.not-read: `aie.switchbox(%core_0_0)` has no form here
#>   note: line 23 of `aie.mlir`
#>   hint: compile the package again; a module that was written by hand may use the ops that docs/aie.md lists

#: a FIFO that is not there
#! old: dma_wait \{symbol = @y_out_0\}
#! new: dma_wait {symbol = @nobody}
#> 16:9 error aiesim.undefined: `@nobody` is not defined
#>   note: line 263 of `aie.mlir`
#>   hint: compile the package again; a module that was written by hand may use the ops that docs/aie.md lists

#: a tile that is not there
#! old: aie\.core\(%core_0_0\)
#! new: aie.core(%core_9_9)
#> - error aiesim.undefined: `%core_9_9` is not defined
#>   note: line 23 of `aie.mlir`
#>   hint: compile the package again; a module that was written by hand may use the ops that docs/aie.md lists

#: a location that is not there
#! old: \(0, 0\) loc\(#n\d+\)
#! new: (0, 0) loc(#n0)
#> - error aiesim.undefined: `loc(#n0)` is not defined
#>   note: line 4 of `aie.mlir`
#>   hint: compile the package again; a module that was written by hand may use the ops that docs/aie.md lists

#: a second location
#! old: ^#n(\d+) = (.*)$
#! new: #n\1 = \2\n#n\1 = \2
#> - error aiesim.defined-twice: #n20 is defined twice
#>   note: line 268 of `aie.mlir`
#>   hint: compile the package again; a module that was written by hand may use the ops that docs/aie.md lists

#: a second tile
#! old: aie\.tile\(0, 4\)
#! new: aie.tile(0, 3)
#> 12:1 error aiesim.defined-twice: the tile (0, 3) is defined twice
#>   note: line 8 of `aie.mlir`
#>   hint: compile the package again; a module that was written by hand may use the ops that docs/aie.md lists

#: another device
#! old: aie\.device\(npu1_4col\)
#! new: aie.device(npu9)
#> - error aiesim.unknown-device: there is no device `npu9`
#>   note: line 3 of `aie.mlir`
#>   hint: compile the package again; a module that was written by hand may use the ops that docs/aie.md lists

#: no sequence
#! old: ^    aiex\.runtime_sequence(.*\n)*?    \}.*\n
#> - error aiesim.no-sequence: the device has no runtime sequence
#>   note: line 3 of `aie.mlir`
#>   hint: compile the package again; a module that was written by hand may use the ops that docs/aie.md lists

#: an extent of 0
#! old: memref<8x1xf32>
#! new: memref<0x1xf32>
#> 15:23 error aiesim.bad-extent: an extent is 0, and may be from 1 to 2**32
#>   note: line 19 of `aie.mlir`
#>   hint: compile the package again; a module that was written by hand may use the ops that docs/aie.md lists

#: a dtype that no buffer has
#! old: memref<8x1xf32>
#! new: memref<8x1xf64>
#> 15:23 error aiesim.bad-dtype: `f64` is not a dtype of a buffer
#>   note: line 19 of `aie.mlir`
#>   hint: compile the package again; a module that was written by hand may use the ops that docs/aie.md lists

#: a buffer that is too large
#! old: (sym_name = "e_at_0_0"\} : memref<)8x20
#! new: \g<1>4000000000x20
#> 15:9 error aiesim.large-buffer: a buffer has 80000000000 elements, 2**34 at most available
#>   note: line 21 of `aie.mlir`
#>   hint: compile the package again; a module that was written by hand may use the ops that docs/aie.md lists

#: an access of another type
#! old: (acquire @x_in_0_0 .*memref<)8x20
#! new: \g<1>8x21
#> 14:9 error aiesim.other-type: `@x_in_0_0` is `memref<8x20xf32>`, and `memref<8x21xf32>` stands here
#>   note: line 28 of `aie.mlir`
#>   hint: compile the package again; a module that was written by hand may use the ops that docs/aie.md lists

#: a transfer of another type
#! old: (id = 0 : i64\} : memref<)960
#! new: \g<1>961
#> 14:9 error aiesim.other-type: `%x` is `memref<960xf32>`, and `memref<961xf32>` stands here
#>   note: line 262 of `aie.mlir`
#>   hint: compile the package again; a module that was written by hand may use the ops that docs/aie.md lists

#: three depths of two ends
#! old: (@x_in_0_0\(.*), 2 : i32
#! new: \1, [2, 2, 2]
#> 14:9 error aiesim.depths: `@x_in_0_0` has 3 depths and 2 ends
#>   note: line 10 of `aie.mlir`
#>   hint: compile the package again; a module that was written by hand may use the ops that docs/aie.md lists

#: a depth of 0
#! old: (@x_in_0_0\(.*), 2 : i32
#! new: \1, 0 : i32
#> 14:9 error aiesim.bad-depth: `@x_in_0_0` has depth 0, 1 to 64 available
#>   note: line 10 of `aie.mlir`
#>   hint: compile the package again; a module that was written by hand may use the ops that docs/aie.md lists

#: a FIFO to where it begins
#! old: @x_in_0_0\(%memory_0, \{%core_0_0\}
#! new: @x_in_0_0(%memory_0, {%memory_0}
#> 14:9 error aiesim.own-end: `@x_in_0_0` has two ends at one tile
#>   note: line 10 of `aie.mlir`
#>   hint: compile the package again; a module that was written by hand may use the ops that docs/aie.md lists

#: a dimension of size 0
#! program: gemm_i8 M=64 N=32 K=64
#! old: (@a_in_0_all\(%memory_0 dimensionsToStream \[<size = )8,
#! new: \g<1>0,
#> 18:30 error aiesim.bad-dimension: a dimension has size 0 and stride 128
#>   note: line 8 of `aie.mlir`
#>   hint: compile the package again; a module that was written by hand may use the ops that docs/aie.md lists

#: a release of no block
#! old: release @x_in_0_0 \(Consume, 1\)
#! new: release @x_in_0_0 (Consume, 0)
#> 14:9 error aiesim.no-count: 0 blocks are acquired or released
#>   note: line 33 of `aie.mlir`
#>   hint: compile the package again; a module that was written by hand may use the ops that docs/aie.md lists

#: a core that acquires nothing
#! old: %run_0_0 = aie\.core\(%core_0_0\) \{\n(.*\n)*?      aie\.end
#! new: %run_0_0 = aie.core(%core_0_0) {\n      aie.end
#> - error aiesim.never-acquires: the core at (0, 2) acquires nothing
#>   note: line 23 of `aie.mlir`
#>   hint: compile the package again; a module that was written by hand may use the ops that docs/aie.md lists

#: a FIFO that begins elsewhere
#! old: acquire @x_in_0_0 \(Consume
#! new: acquire @x_in_0_0 (Produce
#> 14:9 error aiesim.not-producer: `@x_in_0_0` does not begin at this core
#>   note: line 28 of `aie.mlir`
#>   hint: compile the package again; a module that was written by hand may use the ops that docs/aie.md lists

#: a FIFO that ends elsewhere
#! old: acquire @x_in_0_0 \(Consume
#! new: acquire @x_in_0_1 (Consume
#> 14:9 error aiesim.not-consumer: `@x_in_0_1` does not end at this core
#>   note: line 28 of `aie.mlir`
#>   hint: compile the package again; a module that was written by hand may use the ops that docs/aie.md lists

#: a vector of two dimensions
#! old: (vector\.load %e\[%i\d+, %i\d+\] : memref<8x20xf32>, vector<)16x
#! new: \g<1>1x1x16x
#> 16:23 error aiesim.vector-dimensions: a vector of 3 dimensions accesses `memref<8x20xf32>`
#>   note: line 217 of `aie.mlir`
#>   hint: compile the package again; a module that was written by hand may use the ops that docs/aie.md lists

#: three offsets
#! old: %x\[0, 0, 0, 0\]
#! new: %x[0, 0, 0]
#> 14:9 error aiesim.four-each: 3 numbers stand where a transfer has 4
#>   note: line 262 of `aie.mlir`
#>   hint: compile the package again; a module that was written by hand may use the ops that docs/aie.md lists

#: a function in C++ that takes a double
#! program: external_kernel M=64 N=32
#! old: (func\.func private @scaled\(.*), i32\)
#! new: \1, f64)
#> 14:1 error aiesim.external-argument: `@scaled` has an argument of type `f64`
#>   note: line 23 of `aie.mlir`
#>   hint: compile the package again; a module that was written by hand may use the ops that docs/aie.md lists

#: a function in C++ that takes numbers alone
#! program: external_kernel M=64 N=32
#! old: func\.func private @scaled\(.*?\)
#! new: func.func private @scaled(i32)
#> 14:1 error aiesim.external-tiles: `@scaled` takes no tiles
#>   note: line 23 of `aie.mlir`
#>   hint: compile the package again; a module that was written by hand may use the ops that docs/aie.md lists

#: a call of what no object has
#! program: external_kernel M=64 N=32
#! old: \} \{link_with = "scaled\.o"\}
#! new: }
#> 21:19 error aiesim.no-object: `@scaled` is called, and the core links no object that has it
#>   note: line 39 of `aie.mlir`
#>   hint: compile the package again; a module that was written by hand may use the ops that docs/aie.md lists

#: a link that joins and distributes
#! old: -> \[@y_out_0\] \(
#! new: -> [@y_out_0, @x_in_0] (
#> 16:9 error aiesim.link-both: a link joins and distributes
#>   note: line 18 of `aie.mlir`
#>   hint: compile the package again; a module that was written by hand may use the ops that docs/aie.md lists

#: a link with two offsets of three
#! old: \(\[\] \[0, 160, 320\]\)
#! new: ([] [0, 160])
#> 14:9 error aiesim.link-offsets: a link has 2 offsets for 3 FIFOs
#>   note: line 13 of `aie.mlir`
#>   hint: compile the package again; a module that was written by hand may use the ops that docs/aie.md lists

#: a link of a FIFO that ends at two tiles
#! old: @x_in_0\(%shim_0, \{%memory_0\}, 2 : i32\)
#! new: @x_in_0(%shim_0, {%memory_0, %core_0_2}, 2 : i32)
#> 14:9 error aiesim.link-ends: `@x_in_0` ends at several tiles and begins a link
#>   note: line 13 of `aie.mlir`
#>   hint: compile the package again; a module that was written by hand may use the ops that docs/aie.md lists

#: a link of FIFOs that do not meet
#! old: link \[@y_out_0_0, @y_out_0_1, @y_out_0_2\]
#! new: link [@y_out_0_0, @y_out_0_1, @x_in_0_2]
#> 16:9 error aiesim.link-apart: `@x_in_0_2` does not meet `@y_out_0` at a tile
#>   note: line 18 of `aie.mlir`
#>   hint: compile the package again; a module that was written by hand may use the ops that docs/aie.md lists

#: a slice beyond the block
#! old: \(\[\] \[0, 160, 320\]\)
#! new: ([] [0, 160, 321])
#> 14:9 error aiesim.link-outside: `@x_in_0_2` does not lie inside of the blocks of `@x_in_0`
#>   note: line 13 of `aie.mlir`
#>   hint: compile the package again; a module that was written by hand may use the ops that docs/aie.md lists

#: slices that overlap
#! old: \(\[\] \[0, 160, 320\]\)
#! new: ([] [0, 159, 320])
#> 14:9 error aiesim.link-gaps: the slices of `@x_in_0` overlap, or do not fill its blocks
#>   note: line 13 of `aie.mlir`
#>   hint: compile the package again; a module that was written by hand may use the ops that docs/aie.md lists

#: slices in another order
#! old: \(\[\] \[0, 160, 320\]\)
#! new: ([] [160, 0, 320])
#> 14:9 error aiesim.link-order: the slices of `@x_in_0` have another order than their FIFOs
#>   note: line 13 of `aie.mlir`
#>   hint: compile the package again; a module that was written by hand may use the ops that docs/aie.md lists

#: links that race
#! old: \] \(\[\] \[.*$
#! new: ] ()
#> - error aiesim.untrusted-links: modules for MLIR-AIE 2408 are not run: `aie.mlir:13` joins or distributes
#>   hint: compile with `mlir_aie: v1.0`

#: slices of two sizes with an order
#! program: gemm_i8 M=64 N=64 K=64
#! columns: 4
#! old: (@c_out_0_0\(.*memref<)1x4x4x8
#! new: \g<1>1x2x4x8
#> 19:13 error aiesim.link-unlike: the slices of `@c_out_0`, which is sent in an order of its own, have different sizes
#>   note: line 29 of `aie.mlir`
#>   hint: compile the package again; a module that was written by hand may use the ops that docs/aie.md lists

#: an object without a name
#! program: external_kernel M=64 N=32
#! old: "scaled\.o"
#! new: ".o"
#> 19:1 error aiesim.missing: `NAME` expected before `the end of the line`
#>   note: line 55 of `aie.mlir`
#>   hint: compile the package again; a module that was written by hand may use the ops that docs/aie.md lists

#: a core without an end
#! old: ^      aie\.end.*\n
#> - error aiesim.missing: `aie.end` expected before `the end of the core`
#>   note: line 23 of `aie.mlir`
#>   hint: compile the package again; a module that was written by hand may use the ops that docs/aie.md lists

#: a slice that begins beyond all elements
#! old: \(\[\] \[0, 160, 320\]\)
#! new: ([] [0, 160, 9223372036854775807])
#> 14:9 error aiesim.link-outside: `@x_in_0_2` does not lie inside of the blocks of `@x_in_0`
#>   note: line 13 of `aie.mlir`
#>   hint: compile the package again; a module that was written by hand may use the ops that docs/aie.md lists
