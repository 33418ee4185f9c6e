import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel, tiles

N = 1000


@kernel
def vector_add(a: In[Tensor[f32, N]], b: In[Tensor[f32, N]], c: Out[Tensor[f32, N]]) -> None:
    for i in tiles(N, 64):
        c[i] = a[i] + b[i]

#: a parameter that lies otherwise
#! old: a: In[Tensor[f32, N]]
#! new: a: In[Tensor[f32, N, htp.layouts.strided((N,), (2,))]]
#> compiles

#: a parameter that does not begin with its first element
#! old: a: In[Tensor[f32, N]]
#! new: a: In[Tensor[f32, N, htp.layouts.strided((N,), (2,), offset=4)]]
#> 11:37 error aie.parameter-layout: `a` lies as `htp.layouts.strided((N,), (2,), offset=4)`, where no transfer and no host finds its elements: it begins at element 4, and an array begins at its first
#>   note: this stage says `Aie.Elided` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: give it a layout of strides, `htp.layouts.strided((8, 64), (72, 1))`, or none

#: a parameter in a core's memory
#! old: a: In[Tensor[f32, N]]
#! new: a: In[Tensor[f32, N, htp.space("core")]]
#> 11:37 error aie.placement: `a` lies in `htp.space('core')`, and transfers take tensors from the host's memory
#>   note: this stage says `Aie.Elided` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: leave the space out of the parameter's type

#: a transfer beyond the tensor
#! old: columns=4
#! new: columns=5
#> 13:44 error aie.order-end: a transfer reaches element 1279 of `a`, and the last one is 1023
#>   note: this stage says `Aie.Elided` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: decrease sizes, strides, `start` or the distance between columns

#: more columns than the device has
#! stage: aie.spread
#! old: columns=4, rows=2
#! new: columns=9, rows=2
#> 13:10 error aie.device-size: 9 columns of 2 cores requested, 4 columns of 4 available on npu1
#>   note: this stage says `Aie.Mapped` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write `columns=4, rows=4` or less

#: no core
#! old:     with aie.device('npu1', columns=4, rows=2):\n
#! new:     with aie.device('npu1', columns=4, rows=2):\n        places = aie.counts(htp.i32, (1, 64))\n\n\ndef rest(a, b, c) -> None:\n    if N:\n
#> 12:5 error aie.no-core: the device has no core
#>   note: this stage says `Aie.Elided` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write a core: `for core in aie.cores():`, or `@aie.core()` above a function

#: no rows
#! old: columns=4, rows=2
#! new: columns=4, rows=0
#> 12:10 error aie.device-empty: `aie.device('npu1', columns=4, rows=0)` has no columns, or no rows
#>   note: this stage says `Aie.Elided` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write columns and rows of at least 1

#: a device that there is not
#! old: 'npu1'
#! new: 'npu9'
#> 12:10 error aie.unknown-device: there is no device `npu9`
#>   note: this stage says `Aie.Elided` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: the devices are npu1 and npu2

#: a device that there is not, of a kernel
#! stage: aie.spread
#! old: 'npu1'
#! new: 'npu9'
#> 13:10 error aie.unknown-device: there is no device `npu9`
#>   note: this stage says `Aie.Mapped` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: the devices are npu1 and npu2

#: a kernel whose loop is a `while`
#! stage: aie.spread
#! old:         for i in htp.parallel(tile.tiles(1000, 64), level='core'):\n
#! new:         while 1 < 2:\n
#> 14:9 error aie.while: a core has no `while`
#>   note: this stage says `Aie.Mapped` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: go on as often as is known: write the steps out

#: an order that is not whole blocks
#! old: (1024,), (64,)
#! new: (1024,), (63,)
#> 13:44 error aie.order-size: an order of 256 elements does not make blocks of 63 for 2 cores of a column
#>   note: this stage says `Aie.Elided` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: make the product of its sizes a multiple of 126

#: a tensor padded to fewer elements
#! old: (1024,), (64,)
#! new: (900,), (64,)
#> 13:28 error aie.short-padding: dimension 0 of `a` has 1000 elements, and is padded to 900
#>   note: this stage says `Aie.Elided` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: pad it to as many, or more

#: another padding for one tensor
#! old: aie.collect(c, (1024,), (64,), ((256, 1),), 256
#! new: aie.collect(c, (1024, 1), (64,), ((256, 1),), 256
#> 15:32 error aie.other-padding: the streams of `c` differ in its extents
#>   note: this stage says `Aie.Elided` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: give all streams of it the same extents, `pieces` and `fill`

#: room for too many blocks
#! old: 'each', 2)
#! new: 'each', 99)
#> 13:70 error aie.stream-depth: depth 99 requested for `a_in`, 1 to 16 available
#>   note: this stage says `Aie.Elided` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write a depth from 1 to 16

#: more descriptors than a memory tile has
#! old: 'each', 2)
#! new: 'each', 12)
#> 13:9 error aie.descriptors: 44 descriptors of every other channel of a memory tile are wanted, and it has 24: `a` in, `b` in, `c` out
#>   hint: reduce the capacity of channels, `capacity=2`, and fetch fewer items before they are used

#: an order that does not end with its blocks
#! old: (1024,), (64,)
#! new: (1024,), (2, 8, 2, 2)
#> 13:51 error aie.order-blocks: blocks of 2 by 8 by 2 by 2 are reordered, and the order does not end with their four dimensions
#>   note: this stage says `Aie.Elided` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: end the order with the block's four dimensions, in the order of memory

#: a loop over a tensor
#! old:             for i in range(2):
#! new:             for i in range(a):
#> 17:22 error aie.loop-range: a core has no loop over `range(a)`
#>   note: this stage says `Aie.Elided` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write `for i in tiles(M, 8)` or `for i in range(8)`

#: fewer blocks than are acquired
#! old:             for i in range(2):
#! new:             for i in range(3):
#> 13:9 error aie.block-count: `a_in` brings 2 blocks to each core, and a core acquires 3
#>   note: this stage says `Aie.Elided` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: let the sizes of its order, and the loops of the cores, give the same number

#: a release of what is no stream
#! old:                 aie.release(a_in, core)\n
#! new:                 aie.release(a, core)\n
#> 22:17 error aie.release-stream: `aie.release(a, core)` does not release a block of a stream of this core
#>   note: this stage says `Aie.Elided` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: name a stream of this core, and its parameter: `aie.release(x_in, core)`

#: a loop that does not release
#! old:                 aie.release(a_in, core)\n
#> 17:13 error aie.loop-balance: an iteration of this loop does not release as many blocks of `a_in` as it acquires
#>   note: this stage says `Aie.Elided` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: acquire and release as many within the loop

#: a release of what is not held
#! old:                 aie.release(a_in, core)\n
#! new:                 aie.release(a_in, core)\n                aie.release(a_in, core)\n
#> 23:17 error aie.unheld: a block of `a_in` is released, and none is held
#>   note: this stage says `Aie.Elided` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: acquire one first, or take this statement out

#: two blocks of one stream at a time
#! old:                 a_tile = aie.acquire(a_in, core)\n
#! new:                 a_tile = aie.acquire(a_in, core)\n                again = aie.acquire(a_in, core)\n
#> 19:17 error aie.held-twice: a block of `a_in` is acquired while another one is held
#>   note: this stage says `Aie.Elided` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: release that one first

#: an operand that is no tile
#! old: a_tile, b_tile)
#! new: a_tile, c)
#> 21:38 error aie.not-operand: `c` is neither a tile of this core nor a number
#>   note: this stage says `Aie.Elided` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: acquire it, or make a buffer

#: tiles of other extents
#! old: aie.feed(b, (1024,), (64,)
#! new: aie.feed(b, (1024,), (32,)
#> 21:17 error aie.unequal-tiles: the tiles of `aie.add(add, a_tile, b_tile)` differ: `add` is f32 of 64, `a_tile` is f32 of 64, `b_tile` is f32 of 32
#>   note: this stage says `Aie.Elided` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: change the tiles, or continue from the stage as the compiler made it

#: two columns that write one element
#! old: aie.collect(c, (1024,), (64,), ((256, 1),), 256
#! new: aie.collect(c, (1024,), (64,), ((256, 1),), 128
#> 15:9 error aie.written-twice: `c_out` of column 0 and `c_out` of column 1 both write element 128 of `c`
#>   note: this stage says `Aie.Elided` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: the distance between columns that writes each element once is 256

#: an order of fewer blocks than are acquired
#! old: aie.collect(c, (1024,), (64,), ((256, 1),), 256
#! new: aie.collect(c, (1024,), (64,), ((128, 2),), 256
#> 15:9 error aie.block-count: `c_out` brings 1 blocks to each core, and a core acquires 2
#>   note: this stage says `Aie.Elided` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: let the sizes of its order, and the loops of the cores, give the same number

#: an element that no column writes
#! old: aie.collect(c, (1024,), (64,), ((256, 1),), 256
#! new: aie.collect(c, (1024,), (64,), ((2, 0), (128, 1)), 256
#> 15:9 error aie.unwritten: no column writes element 128 of `c`
#>   note: this stage says `Aie.Elided` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: let the order and the distance between columns come to each element once

#: a buffer among the streams
#! old:         c_out = aie.collect(c, (1024,), (64,), ((256, 1),), 256, 'each', 2)\n
#! new:         c_out = aie.buffer(f32, 64)\n
#> 15:9 error aie.not-stream: `c_out = aie.buffer(f32, 64)` is not a stream
#>   note: this stage says `Aie.Elided` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write `x_in = aie.feed(…)`, `y_out = aie.collect(…)` or `rows = aie.fifo(…)`

#: a statement beside the device
#! old:     with aie.device(
#! new:     a = b\n    with aie.device(
#> 12:5 error aie.beside-device: `a = b` stands beside `with aie.device(…)`
#>   note: this stage says `Aie.Elided` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: move it out of the entry, or remove it

#: a stage without a device
#! old:     with aie.device('npu1', columns=4, rows=2):\n
#! new:     for device in range(1):\n
#> 12:5 error aie.beside-device: `for device in range(1): …
#>   note: this stage says `Aie.Elided` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: move it out of the entry, or remove it

#: a second device
#! old:     with aie.device('npu1', columns=4, rows=2):\n
#! new:     with aie.device('npu1', columns=4, rows=2), aie.device('npu1', columns=4, rows=2):\n
#> 12:5 error aie.no-device: `vector_add` has no `with aie.device(…)`
#>   note: this stage says `Aie.Elided` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: continue from the stage before `aie.spread`

#: a stream behind the cores
#! old:                 aie.release(c_out, core)\n
#! new:                 aie.release(c_out, core)\n        d_in = aie.feed(b, (1024,), (64,), ((256, 1),), 256, 'each', 2)\n
#> 25:9 error aie.behind-cores: `d_in = aie.feed(b, (1024,), (64,), ((256, 1),), 256, 'each', 2)` stands behind the cores
#>   note: this stage says `Aie.Elided` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: move it before the cores

#: a loop that is not over cores
#! old: aie.cores()
#! new: range(2)
#> 16:21 error aie.cores-loop: cores that run one body are a loop over `aie.cores()`, not over `range(2)`
#>   note: this stage says `Aie.Elided` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write `for core in aie.cores():`

#: a stream that is not acquired
#! old:         for core in aie.cores():
#! new:         d_in = aie.feed(b, (1024,), (64,), ((256, 1),), 256, 'each', 2)\n        for core in aie.cores():
#> 16:9 error aie.unacquired: the core never acquires from `d_in`
#>   note: this stage says `Aie.Elided` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write `aie.acquire(d_in, core)`, or take the stream out

#: a stream of a core with a name
#! old: aie.feed(a, (1024,), (64,), ((256, 1),), 256, 'each'
#! new: aie.feed(a, (1024,), (64,), ((256, 1),), 0, 'work'
#> 13:9 error aie.unacquired: `work` never acquires from `a_in`
#>   note: this stage says `Aie.Elided` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write `aie.acquire(a_in, core)` there, or take `'work'` out

#: a stream of the core without a name
#! old: aie.feed(a, (1024,), (64,), ((256, 1),), 256, 'each'
#! new: aie.feed(a, (1024,), (64,), ((256, 1),), 0, ''
#> 13:9 error aie.core-named: `a_in` names a core, and all cores run one body
#>   note: this stage says `Aie.Elided` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write `'each'`, `'all'` or `'rows'`

#: a stream of all cores with a link
#! old: aie.feed(a, (1024,), (64,), ((256, 1),), 256, 'each', 2
#! new: aie.feed(a, (1024,), (64,), ((256, 1),), 256, 'each', 2, link='rows'
#> 13:9 error aie.shared-link: `a_in` has a link and no core of its own
#>   note: this stage says `Aie.Elided` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: take `link` out

#: an operand that streams do not have
#! old: aie.feed(a, (1024,), (64,), ((256, 1),), 256, 'each', 2
#! new: aie.feed(a, (1024,), (64,), ((256, 1),), 256, 'each', 2, start=-1
#> 13:73 error aie.stream-operand: `start=-1` is not an operand of a stream
#>   note: this stage says `Aie.Elided` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write one of these

#: a tensor that there is not
#! old: aie.feed(a,
#! new: aie.feed(d,
#> 13:25 error aie.not-tensor: `d` is not a tensor of the entry
#>   note: this stage says `Aie.Elided` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: name a parameter

#: a feed of an output
#! old: aie.feed(a,
#! new: aie.feed(c,
#> 13:25 error aie.fed-output: `c` is an `Out`, and a feed reads its tensor
#>   note: this stage says `Aie.Elided` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: feed an `In` or an `InOut`

#: an order of too many elements
#! old: aie.feed(a, (1024,), (64,), ((256, 1),), 256
#! new: aie.feed(a, (1024,), (64,), ((4294967296, 0), (4294967296, 0)), 256
#> 13:62 error aie.order-long: the order moves more than 2**40 elements
#>   note: this stage says `Aie.Elided` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: decrease the sizes

#: a fill that there is not
#! old: aie.feed(a, (1024,), (64,), ((256, 1),), 256, 'each', 2
#! new: aie.feed(a, (1024,), (64,), ((256, 1),), 256, 'each', 2, fill='ones'
#> 13:78 error aie.not-fill: `'ones'` is not a value of padding
#>   note: this stage says `Aie.Elided` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write `'zeros'`, `'least'` or `'greatest'`

#: another fill of one tensor
#! old:         for core in aie.cores():
#! new:         d_in = aie.feed(a, (1024,), (64,), ((256, 1),), 256, 'each', 2, fill='least')\n        for core in aie.cores():
#> 16:9 error aie.other-padding: the streams of `a` differ in its `fill`
#>   note: this stage says `Aie.Elided` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: give all streams of it the same extents, `pieces` and `fill`

#: pieces of another rank
#! old: aie.feed(a, (1024,), (64,), ((256, 1),), 256, 'each', 2
#! new: aie.feed(a, (1024,), (64,), ((256, 1),), 256, 'each', 2, pieces=(1, 1)
#> 13:9 error aie.pieces-rank: `pieces` of `a` are (1, 1), 1 dimensions expected
#>   note: this stage says `Aie.Elided` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write a number for each dimension of the tensor

#: pieces that are not equal
#! old: aie.feed(a, (1024,), (64,), ((256, 1),), 256, 'each', 2
#! new: aie.feed(a, (1024,), (64,), ((256, 1),), 256, 'each', 2, pieces=(3,)
#> 13:9 error aie.uneven-pieces: dimension 0 of `a`, 1000 elements padded to 1024, is not 3 equal pieces
#>   note: this stage says `Aie.Elided` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: choose a number that divides both extents

#: a loop variable of the loop around
#! old:                 a_tile = aie.acquire(a_in, core)\n
#! new:                 for i in range(1):\n                    pass\n                a_tile = aie.acquire(a_in, core)\n
#> 18:17 error aie.defined-twice: `i` is defined twice
#>   note: this stage says `Aie.Elided` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: give it another name

#: a portable intrinsic
#! stage: aie.select
#! old: aie.add(add, a_tile, b_tile)
#! new: add = tile.add(a_tile, b_tile)
#> 19:15 error aie.not-selected: `tile.add` is not an intrinsic of aie
#>   note: this stage says `Aie.Selected` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: continue from the stage before `aie.select`

#: no number of rows
#! old: columns=4, rows=2
#! new: columns=4
#> 13:9 error aie.block-count: `a_in` brings 4 blocks to each core, and a core acquires 2
#>   note: this stage says `Aie.Elided` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: let the sizes of its order, and the loops of the cores, give the same number

#: a device with more than it has
#! old: columns=4, rows=2
#! new: columns=4, rows=2, colour=3
#> 12:10 error pipeline.arguments: `aie.device('npu1', columns=4, rows=2, colour=3)` does not have the arguments of its definition: it has no parameter `colour`
#>   hint: give it the arguments that its definition names

#: a statement that no core has
#! old: aie.add(add, a_tile, b_tile)
#! new: print(a_tile)
#> 21:17 error aie.core-statement: `print(a_tile)` is not a statement of a core
#>   note: this stage says `Aie.Elided` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write a call such as `aie.add(y, a, b)`, or continue from the stage before

#: something else than a device
#! old: aie.device('npu1', columns=4, rows=2)
#! new: aie.buffer(f32, 4)
#> 12:10 error aie.device-call: `aie.buffer(f32, 4)` is not a device with its columns and rows
#>   note: this stage says `Aie.Elided` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write `with aie.device('npu1', columns=4, rows=4):`

#: an order of one number
#! old: ((256, 1),), 256
#! new: 256, 256
#> 13:44 error aie.not-order: `256` is not an order
#>   note: this stage says `Aie.Elided` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write pairs of a size and a stride, the outermost first: `((4, 64), (64, 1))`

#: a stride below 0
#! old: ((256, 1),), 256
#! new: ((256, -1),), 256
#> 13:45 error aie.order-pair: `(256, -1)` is not a size and a stride
#>   note: this stage says `Aie.Elided` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write a pair such as `(4, 64)`

#: a distance below 0
#! old: ((256, 1),), 256
#! new: ((256, 1),), -256
#> 13:57 error aie.column-distance: `-256` is not a distance between columns
#>   note: this stage says `Aie.Elided` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write a number from 0 on

#: a feed of no cores
#! old: 256, 'each', 2)
#! new: 256, 3, 2)
#> 13:62 error aie.feed-cores: `3` does not name the cores of a feed
#>   note: this stage says `Aie.Elided` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write `'each'`, `'all'`, `'rows'`, or the cores' names

#: an extent that is no tuple
#! old: (1024,), (64,), ((256
#! new: 1024, (64,), ((256
#> 13:28 error aie.not-extents: `1024` is not a tuple of extents
#>   note: this stage says `Aie.Elided` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write a tuple of numbers: `(8, 64)`

#: an extent of 0
#! old: (1024,), (64,), ((256
#! new: (1024,), (0,), ((256
#> 13:38 error aie.not-extent: `0` is not an extent
#>   note: this stage says `Aie.Elided` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write a number of at least 1

#: an operation that writes to a number
#! old: aie.add(add, a_tile, b_tile)
#! new: aie.add(3.0, a_tile, b_tile)
#> 21:25 error aie.not-target: `3.0` is not a tile that `aie.add` writes to
#>   note: this stage says `Aie.Elided` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: acquire it, or make a buffer: `t = aie.buffer(f32, 8, 16)`

#: a tensor of more elements than are counted
#! old: c: Out[Tensor[f32, N]]
#! new: c: Out[Tensor[f32, 2147483648, 2147483648, 4]]
#> 11:62 error aie.many-elements: `c` has more than 2**40 elements, (2147483648, 2147483648, 4)
#>   note: this stage says `Aie.Elided` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: decrease its extents

#: padding of more elements than are counted
#! old: (1024,), (64,), ((256, 1),), 256
#! new: (4294967296, 4294967296), (64,), ((256, 1),), 256
#> 13:28 error aie.many-elements: `(4294967296, 4294967296)` has more than 2**40 elements, (4294967296, 4294967296)
#>   note: this stage says `Aie.Elided` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: decrease its extents

#: a distance between columns that no tensor has
#! old: ((256, 1),), 256
#! new: ((256, 1),), 9223372036854775807
#> 13:57 error aie.column-distance: `9223372036854775807` is not a distance between columns
#>   note: this stage says `Aie.Elided` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write a number from 0 on

#: a loop of more iterations than are counted
#! old: range(2)
#! new: range(9223372036854775807)
#> 17:22 error aie.loop-range: a core has no loop over `range(9223372036854775807)`
#>   note: this stage says `Aie.Elided` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write `for i in tiles(M, 8)` or `for i in range(8)`
