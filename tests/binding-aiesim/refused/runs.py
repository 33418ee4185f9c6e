"""Modules whose runs go wrong."""

#: a transfer that is not started
#! old: ^ *aiex\.npu\.dma_memcpy_nd \(%x.*\n
#> 16:9 error aiesim.deadlock: the array deadlocks: the sequence waits for `@y_out_0`, the core at (0, 2) for 1 of `@x_in_0_0`, the core at (0, 3) for 1 of `@x_in_0_1`, the core at (0, 4) for 1 of `@x_in_0_2`
#>   note: line 262 of `aie.mlir`
#>   hint: look at the depths of the FIFOs, and at what is released

#: a loop beyond a buffer
#! old: %c20 = arith\.constant 20 : index
#! new: %c20 = arith.constant 21 : index
#> 15:23 error aiesim.outside-buffer: the core at (0, 2) reads or writes outside of a buffer
#>   note: line 23 of `aie.mlir`
#>   hint: keep its indices within the buffer's extents

#: a core that loops and acquires nothing
#! program: softmax M=140 N=20
#! old: %c0 = arith\.constant 0 : index
#! new: %c0 = arith.constant 99 : index
#> - error aiesim.no-acquire: the core at (0, 2) loops without end, and acquires nothing
#>   note: line 26 of `aie.mlir`
#>   hint: acquire a block in each iteration

#: a release of two blocks
#! old: release @x_in_0_0 \(Consume, 1\)
#! new: release @x_in_0_0 (Consume, 2)
#> - error aiesim.released: the core at (0, 2) releases 2 blocks of `@x_in_0_0`, and holds 1
#>   note: line 23 of `aie.mlir`
#>   hint: release what was acquired

#: an access of a second block
#! old: (access %v[0-9]+)\[0\]
#! new: \1[1]
#> - error aiesim.not-held: the core at (0, 2) accesses a block of `@x_in_0_0` that it does not hold
#>   note: line 23 of `aie.mlir`
#>   hint: acquire as many blocks as are accessed

#: no release
#! program: softmax M=140 N=20
#! old: (%c5 = arith\.constant )5( : index(?:.*\n)*?) *aie\.objectfifo\.release @x_in_0_0.*\n *aie\.objectfifo\.release @y_out_0_0.*\n
#! new: \g<1>9999999\2
#> - error aiesim.no-release: the core at (0, 2) acquires without end, and releases nothing
#>   note: line 26 of `aie.mlir`
#>   hint: release what was acquired in each iteration

#: a wait for a FIFO between a memory tile and a core
#! old: dma_wait \{symbol = @y_out_0\}
#! new: dma_wait {symbol = @y_out_0_0}
#> 16:9 error aiesim.deadlock: the array deadlocks: the sequence waits for `@y_out_0_0`, the core at (0, 2) for 1 of `@x_in_0_0`, the core at (0, 3) for 1 of `@x_in_0_1`, the core at (0, 4) for 1 of `@x_in_0_2`
#>   note: line 263 of `aie.mlir`
#>   hint: look at the depths of the FIFOs, and at what is released

#: a wait for what is not started
#! old: ^ *aiex\.npu\.dma_memcpy_nd \(%y.*\n
#> 16:9 error aiesim.deadlock: the array deadlocks: the sequence waits for `@y_out_0`, the core at (0, 2) for 1 of `@x_in_0_0`, the core at (0, 3) for 1 of `@x_in_0_1`, the core at (0, 4) for 1 of `@x_in_0_2`
#>   note: line 262 of `aie.mlir`
#>   hint: look at the depths of the FIFOs, and at what is released

#: no wait
#! old: ^ *aiex\.npu\.dma_wait.*\n
#> 14:9 error aiesim.unawaited: the sequence ends, and nothing waits for a transfer of `@y_out_0`
#>   note: line 262 of `aie.mlir`
#>   hint: wait for what was started: `aiex.npu.dma_wait`

#: a descriptor that is at work
#! old: id = 2 : i64
#! new: id = 0 : i64
#> 14:9 error aiesim.busy-descriptor: descriptor 0 may still be at work, for line 261
#>   note: line 262 of `aie.mlir`
#>   hint: wait for what was started, `aiex.npu.dma_wait`, or take another descriptor

#: five transfers of a channel
#! old: ^( *)(aiex\.npu\.dma_memcpy_nd \(%y.*id = )2( : i64.*)\n
#! new: \1\g<2>2\3\n\1\g<2>3\3\n\1\g<2>4\3\n\1\g<2>5\3\n\1\g<2>6\3\n
#> 16:9 error aiesim.full-channel: a channel keeps four transfers, and this may be the fifth
#>   note: line 265 of `aie.mlir`
#>   hint: wait for what was started: `aiex.npu.dma_wait`

#: half of a result
#! old: (dma_memcpy_nd \(%y\[0, 0, 0, 0\]\[1, 1, 1, )960
#! new: \g<1>480
#> - error aiesim.left-over: `@y_out_0` still holds 1 blocks that nobody takes
#>   hint: send what is taken, and take what is sent

#: more than is taken
#! old: ^( *)(aiex\.npu\.dma_memcpy_nd \(%x.*id = )0( : i64.*)\n
#! new: \1\g<2>0\3\n\1\g<2>5\3\n
#> - error aiesim.left-over: `@y_out_0` still holds 2 blocks that nobody takes
#>   hint: send what is taken, and take what is sent

#: cores that MLIR refuses
#! old: arith\.subf (%v\d+), (%v\d+) : f32
#! new: arith.subi \1, \2 : f32
#> 15:17 error aiesim.tool-failed: `mlir-opt-19` refused the cores of the module with status 1
#>   note: ir/stages/08-aie.elide_copies/program.py:24:17: error: 'arith.subi' op operand #0 must be signless-integer-like, but got 'f32' …
#>   hint: compile the package again

#: eight times what is taken
#! old: %x\[0, 0, 0, 0\]\[1, 1, 1, 960\]\[0, 0, 0, 1\]
#! new: %x[0, 0, 0, 0][8, 1, 1, 960][0, 0, 0, 1]
#> - error aiesim.unended: a transfer of `@x_in_0` does not end: nobody takes what it sends
#>   hint: send what is taken, and take what is sent

#: a wait for a FIFO between neighbours
#! program: reduction M=3 N=1024
#! columns: 4
#! old: dma_wait \{symbol = @y_out\}
#! new: dma_wait {symbol = @sums_1}
#> 29:9 error aiesim.untransferred: the sequence waits for `@sums_1`, which is never transferred
#>   note: line 268 of `aie.mlir`
#>   hint: start the transfer, `aiex.npu.dma_memcpy_nd`
