import htp
from htp import In, Out, i16, i32
from htp_csp import channel, pipeline, process
from htp_tile import Tensor, cast, maximum, reduce_sum

N = 10


@pipeline
def two(x: In[Tensor[i16, 12, N]], y: Out[Tensor[i16, 6, N]], t: Out[Tensor[i32, 6, 1]]) -> None:
    rows = channel(i16, 1, N, capacity=3)

    @process
    def first() -> None:
        for m in range(12):
            rows.put(x[m, :] * 3)

    @process
    def second() -> None:
        for m in range(6):
            p = rows.get()
            q = rows.get()
            y[m, :] = maximum(p, q)
            t[m, :] = reduce_sum(cast(q, i32), axis=1)

#: a float beside a tile of integers
#! old: x_tile, 3)
#! new: x_tile, 3.5)
#> 24:38 error aie.not-literal: `3.5` is not a value of i16
#>   note: this stage says `Codegen.Ready(target=aie)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write a whole number from -32768 to 32767

#: a number beyond the dtype
#! old: x_tile, 3)
#! new: x_tile, 100000)
#> 24:38 error aie.not-literal: `100000` is not a value of i16
#>   note: this stage says `Codegen.Ready(target=aie)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write a whole number from -32768 to 32767

#: a function of integers
#! old: aie.mul(mul, x_tile, 3)
#! new: aie.exp(mul, x_tile)
#> 24:17 error aie.no-arithmetic: a core does not compute `exp` of i16
#>   note: this stage says `Codegen.Ready(target=aie)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: it does of f32 and bf16

#: a quotient of integers
#! old: aie.mul(mul, x_tile, 3)
#! new: aie.div(mul, x_tile, 3)
#> 24:17 error aie.no-arithmetic: a core does not compute `div` of i16
#>   note: this stage says `Codegen.Ready(target=aie)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: it does of f32 and bf16

#: a shift by a number below 0
#! old: aie.mul(mul, x_tile, 3)
#! new: aie.shr(mul, x_tile, -1)
#> 24:38 error aie.shift-count: `shr(…, -1)` shifts elements of i16, by other than a constant from 0 to 15
#>   note: this stage says `Codegen.Ready(target=aie)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write a number from 0 to 15

#: a shift by more bits than there are
#! old: aie.mul(mul, x_tile, 3)
#! new: aie.shl(mul, x_tile, 40)
#> 24:38 error aie.shift-count: `shl(…, 40)` shifts elements of i16, by other than a constant from 0 to 15
#>   note: this stage says `Codegen.Ready(target=aie)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write a number from 0 to 15

#: a reduction along no axis
#! old: aie.reduce_sum(reduce_sum, cast, 1)
#! new: aie.reduce_sum(reduce_sum, cast, -1)
#> 41:50 error aie.bad-axis: `-1` is not an axis
#>   note: this stage says `Codegen.Ready(target=aie)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write a number from 0 on

#: a block that is read behind its release
#! old:                 aie.cast(cast, q)\n                aie.release(rows, core)\n
#! new:                 aie.release(rows, core)\n                aie.cast(cast, q)\n
#> 39:17 error aie.released: `q`, a block of `rows`, was released before this
#>   note: this stage says `Codegen.Ready(target=aie)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write `aie.release(rows, core)` behind its last use

#: a buffer that nothing is written to
#! old:                 aie.cast(cast, q)\n
#> 40:17 error aie.unwritten-tile: `cast` is read, and nothing was written to it
#>   note: this stage says `Codegen.Ready(target=aie)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write to `cast` before it is read

#: a block that is released before anything is written
#! old: aie.maximum(maximum, p, q)
#! new: pass
#> 36:17 error aie.unwritten-block: `maximum`, a block of `y_out`, is released, and nothing was written to it
#>   note: this stage says `Codegen.Ready(target=aie)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write to `maximum` before it is released

#: a block that is read before anything is written
#! old: aie.maximum(maximum, p, q)
#! new: aie.maximum(maximum, maximum, q)
#> 34:17 error aie.unwritten-tile: `maximum`, a block of `y_out`, is read, and nothing was written to it
#>   note: this stage says `Codegen.Ready(target=aie)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write to `maximum` before it is read

#: a FIFO whose ends are exchanged
#! old: rows = aie.fifo(i16, (1, 10), 'first', 'second', 3)
#! new: rows = aie.fifo(i16, (1, 10), 'second', 'first', 3)
#> 34:17 error aie.unwritten-tile: `p`, a block of `rows`, is read, and nothing was written to it
#>   note: this stage says `Codegen.Ready(target=aie)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write to `p` before it is read; of a FIFO's two cores the first writes, and the second reads

#: the same element of a tensor again and again
#! old: aie.collect(t, (6, 1), (1, 1), ((6, 1),)
#! new: aie.collect(t, (6, 1), (1, 1), ((6, 0),)
#> 16:9 error aie.unwritten: no core writes element 1 of `t`
#>   note: this stage says `Codegen.Ready(target=aie)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: let the orders of its streams come to each element

#: a start behind the first element
#! old: ((60, 1),), 0, 'second', 2, start=0
#! new: ((50, 1),), 0, 'second', 2, start=10
#> 15:9 error aie.unwritten: no core writes element 0 of `y`
#>   note: this stage says `Codegen.Ready(target=aie)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: let the orders of its streams come to each element

#: a collect of an input
#! old: y_out = aie.collect(y, (6, 10), (1, 10), ((60, 1),)
#! new: y_out = aie.collect(x, (12, 10), (1, 10), ((60, 1),)
#> 15:29 error aie.collected-input: `x` is an `In`, and a collect writes its tensor
#>   note: this stage says `Codegen.Ready(target=aie)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: collect an `Out` or an `InOut`

#: a core that writes fewer blocks than are read
#! old: range(12)
#! new: range(11)
#> 32:17 error aie.blocks-end: `second` waits for a block of `rows`, of which no more comes
#>   note: this stage says `Codegen.Ready(target=aie)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: let the loops of the cores, and the orders of the streams, give as many blocks at both ends

#: a core that reads fewer blocks than a channel holds
#! old: range(6)
#! new: range(3)
#> 23:17 error aie.blocks-left: `first` waits for a free block of `rows`, of which no more is taken
#>   note: this stage says `Codegen.Ready(target=aie)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: let the loops of the cores, and the orders of the streams, give as many blocks at both ends

#: a core that reads fewer blocks than are written
#! old: range(6)
#! new: range(5)
#> 14:9 error aie.blocks-untaken: `second` takes 10 blocks of `rows`, and 12 come
#>   note: this stage says `Codegen.Ready(target=aie)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: let the loops of the cores, and the orders of the streams, give as many blocks at both ends

#: a block that an iteration releases, in the next one
#! old:             for m in range(12):\n                x_tile = aie.acquire(x_in, core)\n                mul = aie.acquire(rows, core)\n                aie.mul(mul, x_tile, 3)\n                aie.release(x_in, core)\n                aie.release(rows, core)\n
#! new:             x_tile = aie.acquire(x_in, core)\n            for m in range(11):\n                mul = aie.acquire(rows, core)\n                aie.mul(mul, x_tile, 3)\n                aie.release(x_in, core)\n                aie.release(rows, core)\n                next = aie.acquire(x_in, core)\n            last = aie.acquire(rows, core)\n            aie.mul(last, next, 3)\n            aie.release(x_in, core)\n            aie.release(rows, core)\n
#> 24:17 error aie.released: `x_tile`, a block of `x_in`, was released before this
#>   note: this stage says `Codegen.Ready(target=aie)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write `aie.release(x_in, core)` behind its last use

#: a core outside of the array
#! old: @aie.core(0, 2)
#! new: @aie.core(0, 9)
#> 19:10 error aie.core-outside: `first` is at (0, 9), and npu1 has columns 0 to 3 and rows 2 to 5
#>   note: this stage says `Codegen.Ready(target=aie)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: give it a column and a row of the array

#: two cores at one place
#! old: @aie.core(0, 2)
#! new: @aie.core(1, 2)
#> 28:10 error aie.same-tile: `second` and `first` are on the same tile of the array
#>   note: this stage says `Codegen.Ready(target=aie)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: give each core its own column and row

#: a core with a column alone
#! old: @aie.core(0, 2)
#! new: @aie.core(0)
#> 19:10 error aie.core-position: `aie.core(0)` is neither `@aie.core()` nor one with a column and a row
#>   note: this stage says `Codegen.Ready(target=aie)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write both, `@aie.core(0, 2)`, or neither

#: a core without a place
#! old: @aie.core(0, 2)
#! new: @aie.core()
#> 20:9 error aie.unplaced: `first` has no column and row
#>   note: this stage says `Codegen.Ready(target=aie)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write `@aie.core(0, 2)`: its column, and its row from 2 on

#: a core with a place too early
#! stage: aie.elide_copies
#! old: @aie.core()
#! new: @aie.core(0, 2)
#> 20:9 error aie.placed-early: `first` has a column and a row before `aie.place`
#>   note: this stage says `Aie.Elided` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write `@aie.core()`

#: a core with two parameters
#! old: def first(core: aie.Core)
#! new: def first(core: aie.Core, other: aie.Core)
#> 20:9 error aie.not-core: `first` is not a core
#>   note: this stage says `Codegen.Ready(target=aie)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write `@aie.core()` above it, and one parameter, `core: aie.Core`

#: a function that is no core
#! old:         @aie.core(0, 2)\n
#> 19:9 error aie.not-core: `first` is not a core
#>   note: this stage says `Codegen.Ready(target=aie)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write `@aie.core()` above it, and one parameter, `core: aie.Core`

#: two cores of one name
#! old: def second(core
#! new: def first(core
#> 29:9 error aie.defined-twice: `first` is defined twice
#>   note: this stage says `Codegen.Ready(target=aie)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: give it another name

#: a shim outside of the device
#! old: column=0)
#! new: column=7)
#> 17:9 error aie.shim-outside: `x_in` passes the shim of column 7, and the device has columns 0 to 3
#>   note: this stage says `Codegen.Ready(target=aie)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write a column of the device

#: a core that never acquires
#! old: rows = aie.fifo(i16, (1, 10), 'first', 'second', 3)
#! new: rows = aie.fifo(i16, (1, 10), 'first', ('second', 'third'), 3)
#> 14:9 error aie.unacquired: `third` never acquires from `rows`
#>   note: this stage says `Codegen.Ready(target=aie)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write `aie.acquire(rows, core)` there, or take `'third'` out

#: a core of another name that writes
#! old: 0, 'second', 2, start=0
#! new: 0, 'third', 2, start=0
#> 33:17 error aie.acquire-stream: `maximum = aie.acquire(y_out, core)` does not acquire from a stream of this core
#>   note: this stage says `Codegen.Ready(target=aie)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: name a stream of this core, and its parameter: `aie.acquire(x_in, core)`

#: a stream of all cores where each has a name
#! old:         @aie.core(0, 2)\n
#! new:         d_in = aie.feed(x, (12, 10), (1, 10), ((120, 1),), 0, 'all', 2, start=0)\n\n        @aie.core(0, 2)\n
#> 19:9 error aie.core-unnamed: `d_in` names no core, and each core has a body of its own
#>   note: this stage says `Codegen.Ready(target=aie)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write the core's name

#: a stream that names no core
#! old: 0, 'second', 2, start=0
#! new: 0, 'each', 2, start=0
#> 15:50 error aie.order-size: an order of 60 elements does not make blocks of 1 by 10 for 4 cores of a column
#>   note: this stage says `Codegen.Ready(target=aie)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: make the product of its sizes a multiple of 40

#: a stream without a core, fed to all
#! old: 0, 'first', 2, start=0
#! new: 0, 'all', 2, start=0
#> 22:17 error aie.acquire-stream: `x_tile = aie.acquire(x_in, core)` does not acquire from a stream of this core
#>   note: this stage says `Codegen.Ready(target=aie)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: name a stream of this core, and its parameter: `aie.acquire(x_in, core)`

#: a distance between columns
#! old: 0, 'first', 2, start=0
#! new: 120, 'first', 2, start=0
#> 17:60 error aie.named-distance: `x_in` has one core and a distance between columns
#>   note: this stage says `Codegen.Ready(target=aie)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write 0

#: a FIFO of a dtype that streams do not have
#! old: aie.fifo(i16,
#! new: aie.fifo(htp.f16,
#> 14:25 error aie.stream-dtype: `htp.f16` is not a dtype of streams
#>   note: this stage says `Codegen.Ready(target=aie)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write one of these

#: a block that is not released
#! old:                 aie.release(x_in, core)\n
#> 21:13 error aie.loop-balance: an iteration of this loop does not release as many blocks of `x_in` as it acquires
#>   note: this stage says `Codegen.Ready(target=aie)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: acquire and release as many within the loop

#: a block that is acquired once and not released
#! old:             for m in range(12):\n                x_tile = aie.acquire(x_in, core)\n                mul = aie.acquire(rows, core)\n                aie.mul(mul, x_tile, 3)\n                aie.release(x_in, core)\n                aie.release(rows, core)\n
#! new:             kept = aie.acquire(x_in, core)\n            for m in range(12):\n                x_tile = aie.acquire(x_in, core)\n                mul = aie.acquire(rows, core)\n                aie.mul(mul, x_tile, 3)\n                aie.release(x_in, core)\n                aie.release(rows, core)\n
#> 23:17 error aie.unreleased: a block of `x_in` is acquired here and not released
#>   note: this stage says `Codegen.Ready(target=aie)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write `aie.release(x_in, core)` behind its last use

#: a buffer of a dtype that tiles do not have
#! old: aie.buffer(i32, 1, 10)
#! new: aie.buffer(htp.f64, 1, 10)
#> 37:35 error aie.stream-dtype: `htp.f64` is not a dtype of tiles
#>   note: this stage says `Codegen.Ready(target=aie)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write one of these

#: two tiles of one name
#! old:                 mul = aie.acquire(rows, core)\n
#! new:                 x_tile = aie.acquire(rows, core)\n
#> 23:17 error aie.defined-twice: `x_tile` is defined twice
#>   note: this stage says `Codegen.Ready(target=aie)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: give it another name

#: a link of one stream
#! old: start=0, column=0)
#! new: start=0, column=0, link='alone')
#> 17:9 error aie.lone-link: `x_in` alone has the link `alone`
#>   note: this stage says `Codegen.Ready(target=aie)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: give another stream the same link, or take it out
