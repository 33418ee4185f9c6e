"""Modules that ask for more than the device has, or for what its transfers cannot do."""

#: a tile beyond the rows
#! old: aie\.tile\(0, 4\)
#! new: aie.tile(0, 7)
#> 12:1 error aiesim.no-tile: `npu1_4col` has 4 columns and 6 rows, and no tile (0, 7)
#>   note: line 8 of `aie.mlir`
#>   hint: docs/aie.md lists what a tile has

#: a core at the memory tile
#! old: ^    %run_0_0
#! new:     %run_m = aie.core(%memory_0) {\n      %v1 = aie.objectfifo.acquire @x_in_0 (Consume, 1) : !aie.objectfifosubview<memref<480xf32>>\n      aie.end\n    }\n    %run_0_0
#> - error aiesim.not-compute: the tile (0, 1) has no core
#>   note: line 23 of `aie.mlir`
#>   hint: docs/aie.md lists what a tile has

#: three channels of a shim
#! old: ^    %run_0_0
#! new:     aie.objectfifo @f(%shim_0, {%core_0_0}, 2 : i32) : !aie.objectfifo<memref<4xf32>>\n    aie.objectfifo @g(%shim_0, {%core_0_0}, 2 : i32) : !aie.objectfifo<memref<4xf32>>\n    %run_0_0
#> - error aiesim.tile-full: the tile (0, 0) needs 3 output channels, 2 available
#>   note: line 24 of `aie.mlir`
#>   hint: docs/aie.md lists what a tile has

#: memory of a core
#! program: softmax M=37 N=40
#! old: (@x_in_0_0\(.*), 2 : i32
#! new: \1, [2, 60]
#> 16:9 error aiesim.tile-full: the tile (0, 2) needs 83008 bytes of memory, 65536 available
#>   note: line 15 of `aie.mlir`
#>   hint: docs/aie.md lists what a tile has

#: descriptors of a core
#! program: softmax M=37 N=4
#! old: (@x_in_0_0\(.*), 2 : i32
#! new: \1, [2, 15]
#> 16:9 error aiesim.tile-full: the tile (0, 2) needs 17 descriptors, 16 available
#>   note: line 15 of `aie.mlir`
#>   hint: docs/aie.md lists what a tile has

#: descriptors of a memory tile
#! program: softmax M=37 N=4
#! old: (@x_in_0\(.*), 2 : i32
#! new: \1, [2, 7]
#> 16:9 error aiesim.tile-full: the tile (0, 1) needs 54 descriptors, 48 available
#>   note: line 14 of `aie.mlir`
#>   hint: docs/aie.md lists what a tile has

#: descriptors of every other channel
#! program: softmax M=37 N=4
#! old: (@x_in_0\(.*), 2 : i32
#! new: \1, [2, 5]
#> 16:9 error aiesim.tile-full: the tile (0, 1) needs 27 descriptors for every other channel, 24 available
#>   note: line 14 of `aie.mlir`
#>   hint: docs/aie.md lists what a tile has

#: a link at a core
#! old: ^    %run_0_0
#! new:     aie.objectfifo @f(%core_0_0, {%core_0_1}, 2 : i32) : !aie.objectfifo<memref<8xf32>>\n    aie.objectfifo @g(%core_0_1, {%core_0_0}, 2 : i32) : !aie.objectfifo<memref<4xf32>>\n    aie.objectfifo @h(%core_0_1, {%core_0_2}, 2 : i32) : !aie.objectfifo<memref<4xf32>>\n    aie.objectfifo.link [@f] -> [@g, @h] ([] [0, 4])\n    %run_0_0
#> - error aiesim.link-tile: a link of several FIFOs passes the tile (0, 3), which is no memory tile
#>   note: line 26 of `aie.mlir`
#>   hint: compile the package again; a module that was written by hand may use the ops that docs/aie.md lists

#: blocks of 2 bytes
#! old: ^    %run_0_0
#! new:     aie.objectfifo @f(%shim_0, {%core_0_0}, 2 : i32) : !aie.objectfifo<memref<1xbf16>>\n    %run_0_0
#> - error aiesim.block-bytes: blocks of `@f` are 2 bytes, no multiple of 4
#>   note: line 23 of `aie.mlir`
#>   hint: docs/aie.md lists what a tile has

#: an order of too many elements
#! program: gemm_i8 M=64 N=32 K=64
#! old: (@a_in_0_all\(%memory_0 dimensionsToStream \[<size = )8,
#! new: \g<1>9,
#> 18:30 error aiesim.order-elements: `@a_in_0_all` is sent in an order that is not of its 1024 elements
#>   note: line 8 of `aie.mlir`
#>   hint: docs/aie.md lists what a tile has

#: an order by 2 bytes
#! program: gemm_i8 M=64 N=32 K=64
#! old: (@a_in_0_all\(%memory_0 .*<size = 4, stride = )8>
#! new: \g<1>2>
#> 18:30 error aiesim.order-bytes: `@a_in_0_all` is sent in an order with size 4 and stride 2, which are no multiples of 4 bytes
#>   note: line 8 of `aie.mlir`
#>   hint: docs/aie.md lists what a tile has

#: an order with a size of 2000
#! program: gemm_i8 M=64 N=32 K=64
#! old: (@a_in_0_all\(%memory_0 dimensionsToStream \[<size = )8,
#! new: \g<1>2000,
#> 18:30 error aiesim.order-large: `@a_in_0_all` is sent in an order with size 2000 and stride 128, and sizes are at most 1023
#>   note: line 8 of `aie.mlir`
#>   hint: docs/aie.md lists what a tile has

#: an order of five dimensions
#! program: gemm_i8 M=64 N=32 K=64
#! old: (@a_in_0_all\(%memory_0 dimensionsToStream \[)
#! new: \g<1><size = 1, stride = 4>, 
#> 18:30 error aiesim.order-dimensions: `@a_in_0_all` is sent in an order of 5 dimensions, 4 available
#>   note: line 8 of `aie.mlir`
#>   hint: docs/aie.md lists what a tile has

#: an order of what is joined
#! program: gemm_i8 M=64 N=64 K=64
#! columns: 4
#! old: (@c_out_0\(%memory_0 dimensionsToStream \[<size = )1,
#! new: \g<1>2,
#> 19:13 error aiesim.order-joined: `@c_out_0` is sent in an order that is not of the 128 elements that each joined FIFO has
#>   note: line 26 of `aie.mlir`
#>   hint: docs/aie.md lists what a tile has

#: slices of what is joined in another order
#! program: gemm_i8 M=64 N=64 K=64
#! columns: 4
#! old: (link \[@c_out_0_0, @c_out_0_1\] -> \[@c_out_0\] \(\[)0, (\d+)
#! new: \g<1>\2, 0
#> 19:13 error aiesim.link-order: the slices of `@c_out_0` have another order than their FIFOs
#>   note: line 29 of `aie.mlir`
#>   hint: compile the package again; a module that was written by hand may use the ops that docs/aie.md lists

#: a transfer of a FIFO between tiles
#! old: metadata = @x_in_0, id
#! new: metadata = @x_in_0_0, id
#> 14:9 error aiesim.no-shim: `@x_in_0_0` neither begins nor ends at a shim
#>   note: line 262 of `aie.mlir`
#>   hint: docs/aie.md lists what a tile has

#: a descriptor 16
#! old: id = 0 : i64
#! new: id = 16 : i64
#> 14:9 error aiesim.no-descriptor: a transfer has descriptor 16, 0 to 15 available
#>   note: line 262 of `aie.mlir`
#>   hint: docs/aie.md lists what a tile has

#: a size of 0
#! old: (%x\[0, 0, 0, 0\]\[1, 1, 1, )960
#! new: \g<1>0
#> 14:9 error aiesim.transfer-number: a transfer has offset 0, size 0 and stride 1
#>   note: line 262 of `aie.mlir`
#>   hint: docs/aie.md lists what a tile has

#: an offset of 6 bytes
#! program: gemm_i8 M=64 N=32 K=64
#! old: %a\[0, 0, 0, 0\]\[\d+, \d+, \d+, \d+\]\[\d+, \d+, \d+, \d+\]
#! new: %a[0, 0, 0, 6][1, 1, 1, 64][0, 0, 0, 1]
#> 18:30 error aiesim.transfer-bytes: the offset of a transfer, 6 elements, is no multiple of 4 bytes
#>   note: line 275 of `aie.mlir`
#>   hint: docs/aie.md lists what a tile has

#: a transfer beyond its buffer
#! old: (%x\[0, 0, 0, 0\]\[1, 1, 1, )960
#! new: \g<1>964
#> 14:9 error aiesim.transfer-outside: a transfer reaches element 963 of `%x`, which has 960
#>   note: line 262 of `aie.mlir`
#>   hint: docs/aie.md lists what a tile has

#: a size of 6 bytes
#! program: gemm_i8 M=64 N=32 K=64
#! old: (%a\[0, 0, 0, 0\]\[\d+, \d+, \d+, )\d+
#! new: \g<1>6
#> 18:30 error aiesim.transfer-bytes: the innermost size of a transfer, 6 elements, is no multiple of 4 bytes
#>   note: line 275 of `aie.mlir`
#>   hint: docs/aie.md lists what a tile has

#: a stride of 2**21
#! old: %x\[0, 0, 0, 0\]\[1, 1, 1, 960\]\[0, 0, 0, 1\]
#! new: %x[0, 0, 0, 0][1, 1, 2, 480][2097152, 0, 480, 1]
#> 14:9 error aiesim.long-stride: a transfer has a stride of 2097152 elements, 2**20 units of 4 bytes at most available
#>   note: line 262 of `aie.mlir`
#>   hint: docs/aie.md lists what a tile has

#: a repeat inside
#! old: %x\[0, 0, 0, 0\]\[1, 1, 1, 960\]\[0, 0, 0, 1\]
#! new: %x[0, 0, 0, 0][1, 2, 2, 240][0, 240, 0, 1]
#> 14:9 error aiesim.inner-repeat: a transfer repeats elements in another dimension than the outermost
#>   note: line 262 of `aie.mlir`
#>   hint: docs/aie.md lists what a tile has

#: 65 rounds
#! old: %x\[0, 0, 0, 0\]\[1, 1, 1, 960\]\[0, 0, 0, 1\]
#! new: %x[0, 0, 0, 0][96, 1, 1, 10][10, 0, 0, 1]
#> 14:9 error aiesim.transfer-sizes: a transfer has sizes 96 outermost, 1 and 10 units of 4 bytes innermost, 64, 1023 and 1023 at most available
#>   note: line 262 of `aie.mlir`
#>   hint: docs/aie.md lists what a tile has

#: six buffers
#! old: (@softmax\(%x: memref<960xf32>, )
#! new: \1%p: memref<4xf32>, %q: memref<4xf32>, %r: memref<4xf32>, %s: memref<4xf32>,
#> 16:9 error aiesim.many-buffers: the runtime sequence takes 6 buffers, 5 available
#>   note: line 261 of `aie.mlir`
#>   hint: docs/aie.md lists what a tile has

#: a transfer whose offset is 2**64 elements
#! old: (%x\[)0, 0, 0, 0(\]\[1, 1, 1, 960\]\[)0, 0, 0, 1
#! new: \g<1>4294967296, 0, 0, 0\g<2>4294967296, 0, 0, 1
#> 14:9 error aiesim.transfer-outside: a transfer reaches element 1152921504606846976 of `%x`, which has 960
#>   note: line 262 of `aie.mlir`
#>   hint: docs/aie.md lists what a tile has
