import htp
htp.stage(number=5, after='cpu.loops', holds=['Codegen.Ready(target=cpu)'], then=['cpu.drop_redundant_stores', 'cpu.pack_panels', 'cpu.unroll_and_jam', 'cpu.stream_rows'], entry='f', target='cpu')
from htp import In, Out, f32, i32
from htp_csp import pipeline, process
from htp_tile import Tensor, kernel
import htp_csp as csp
import htp_cpu as cpu

A = 4


@pipeline
@kernel
def f(x: In[Tensor[f32, A]], y: Out[Tensor[f32, A]]) -> None:

#: two processes
    rows: csp.Channel[f32, A] = cpu.channel(f32, A, capacity=1)
    @process
    def one() -> None:
        s: Tensor[f32, A] = cpu.claim(rows, A)
        cpu.put(s, 1.0, 0)
        cpu.publish(rows)

    @process
    def other() -> None:
        t: Tensor[f32, A] = cpu.front(rows, A)
        v: f32 = cpu.get(t, 0)
        cpu.put(y, v, 0)
        cpu.release(rows)
#> compiles

#: a function that is no process
    def one() -> None:
        pass
#> 1:5 error cpu.not-process: the function `one` is not a process of the entry
#>   note: this stage says `Codegen.Ready(target=cpu)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: mark it `@csp.process`, or write its statements where it is called

#: a process in a process
    rows: csp.Channel[f32, A] = cpu.channel(f32, A, capacity=1)
    @process
    def one() -> None:
        @process
        def inner() -> None:
            pass

    @process
    def other() -> None:
        t: Tensor[f32, A] = cpu.front(rows, A)
        v: f32 = cpu.get(t, 0)
        cpu.put(y, v, 0)
        cpu.release(rows)
#> 5:9 error cpu.not-process: the function `inner` is not a process of the entry
#>   note: this stage says `Codegen.Ready(target=cpu)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: mark it `@csp.process`, or write its statements where it is called

#: a grid and no parameter
    rows: csp.Channel[f32, A] = cpu.channel(f32, A, capacity=1)
    @process(grid=(2,))
    def one() -> None:
        s: Tensor[f32, A] = cpu.claim(rows, A)
        cpu.put(s, 1.0, 0)
        cpu.publish(rows)

    @process
    def other() -> None:
        t: Tensor[f32, A] = cpu.front(rows, A)
        v: f32 = cpu.get(t, 0)
        cpu.put(y, v, 0)
        cpu.release(rows)
#> 3:5 error cpu.grid: the grid of `one` has 1 dimensions, and its function 0 parameters
#>   note: this stage says `Codegen.Ready(target=cpu)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: give it a parameter for each dimension of the grid

#: a grid of 0
    rows: csp.Channel[f32, A] = cpu.channel(f32, A, capacity=1)
    @process(grid=(0,))
    def one(p: int) -> None:
        s: Tensor[f32, A] = cpu.claim(rows, A)
        cpu.put(s, 1.0, 0)
        cpu.publish(rows)

    @process
    def other() -> None:
        t: Tensor[f32, A] = cpu.front(rows, A)
        v: f32 = cpu.get(t, 0)
        cpu.put(y, v, 0)
        cpu.release(rows)
#> 2:20 error cpu.grid-extent: `0` is not a number of 1 or more that is known when compiling
#>   note: this stage says `Codegen.Ready(target=cpu)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write a number, or a constant of the module

#: a grid and its parameter
    rows: csp.Channel[f32, A] = cpu.channel(f32, A, capacity=1)
    @process(grid=(1,))
    def one(p: int) -> None:
        s: Tensor[f32, A] = cpu.claim(rows, A)
        cpu.put(s, 1.0, 0)
        cpu.publish(rows)

    @process
    def other() -> None:
        t: Tensor[f32, A] = cpu.front(rows, A)
        v: f32 = cpu.get(t, 0)
        cpu.put(y, v, 0)
        cpu.release(rows)
#> compiles

#: a channel of a dtype that the CPU does not have
    rows: csp.Channel[f32, A] = cpu.channel(htp.i4, A, capacity=1)
    @process
    def one() -> None:
        s: Tensor[f32, A] = cpu.claim(rows, A)
        cpu.put(s, 1.0, 0)
        cpu.publish(rows)

    @process
    def other() -> None:
        t: Tensor[f32, A] = cpu.front(rows, A)
        v: f32 = cpu.get(t, 0)
        cpu.put(y, v, 0)
        cpu.release(rows)
#> 1:5 error cpu.channel-dtype: the channel `rows` has no dtype that the CPU has
#>   note: this stage says `Codegen.Ready(target=cpu)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: give a dtype: `cpu.channel(f32, 8, capacity=2)`; what holds nothing is `cpu.event()`

#: a capacity that is not known
    rows: csp.Channel[f32, A] = cpu.channel(f32, A, capacity=-1)
    @process
    def one() -> None:
        s: Tensor[f32, A] = cpu.claim(rows, A)
        cpu.put(s, 1.0, 0)
        cpu.publish(rows)

    @process
    def other() -> None:
        t: Tensor[f32, A] = cpu.front(rows, A)
        v: f32 = cpu.get(t, 0)
        cpu.put(y, v, 0)
        cpu.release(rows)
#> 1:53 error cpu.channel-number: `capacity` of a channel is a number that is known when compiling, and not `-1`
#>   note: this stage says `Codegen.Ready(target=cpu)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write `capacity=2`, `readers=1`

#: no reader
    rows: csp.Channel[f32, A] = cpu.channel(f32, A, capacity=1, readers=0)
    @process
    def one() -> None:
        s: Tensor[f32, A] = cpu.claim(rows, A)
        cpu.put(s, 1.0, 0)
        cpu.publish(rows)

    @process
    def other() -> None:
        t: Tensor[f32, A] = cpu.front(rows, A)
        v: f32 = cpu.get(t, 0)
        cpu.put(y, v, 0)
        cpu.release(rows)
#> 1:65 error cpu.channel-number: `readers` of a channel is a number that is known when compiling, and not `0`
#>   note: this stage says `Codegen.Ready(target=cpu)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write `capacity=2`, `readers=1`

#: a channel in a process
    rows: csp.Channel[f32, A] = cpu.channel(f32, A, capacity=1)
    @process
    def one() -> None:
        c: csp.Channel[f32, A] = cpu.channel(f32, A, capacity=1)

    @process
    def other() -> None:
        t: Tensor[f32, A] = cpu.front(rows, A)
        v: f32 = cpu.get(t, 0)
        cpu.put(y, v, 0)
        cpu.release(rows)
#> 4:9 error cpu.channel-in-process: the channel `c` is declared in a process
#>   note: this stage says `Codegen.Ready(target=cpu)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: declare it before the processes

#: a slot of no channel
    rows: csp.Channel[f32, A] = cpu.channel(f32, A, capacity=1)
    @process
    def one() -> None:
        s: Tensor[f32, A] = cpu.claim(lines, A)
        cpu.put(s, 1.0, 0)
        cpu.publish(lines)

    @process
    def other() -> None:
        t: Tensor[f32, A] = cpu.front(rows, A)
        v: f32 = cpu.get(t, 0)
        cpu.put(y, v, 0)
        cpu.release(rows)
#> 4:9 error cpu.not-channel: `cpu.claim(lines, A)` does not name a channel
#>   note: this stage says `Codegen.Ready(target=cpu)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: declare it; of an array choose one: `mine: csp.Channel[f32, 8] = cpu.lane(all, p)`

#: a slot outside the processes
    rows: csp.Channel[f32, A] = cpu.channel(f32, A, capacity=1)
    cpu.publish(rows)
#> 2:5 error cpu.outside-process: `cpu.publish(rows)` stands outside the processes
#>   note: this stage says `Codegen.Ready(target=cpu)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: put it into a function marked `@csp.process`

#: a slot of an array
    rows: csp.Channel[f32, A] = cpu.channels((2,), f32, A, capacity=1)
    @process
    def one() -> None:
        s: Tensor[f32, A] = cpu.claim(rows, A)
        cpu.put(s, 1.0, 0)
        cpu.publish(rows)

    @process
    def other() -> None:
        t: Tensor[f32, A] = cpu.front(rows, A)
        v: f32 = cpu.get(t, 0)
        cpu.put(y, v, 0)
        cpu.release(rows)
#> 4:9 error cpu.not-channel: `cpu.claim(rows, A)` does not name a channel
#>   note: this stage says `Codegen.Ready(target=cpu)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: declare it; of an array choose one: `mine: csp.Channel[f32, 8] = cpu.lane(all, p)`

#: a lane of no channel
    rows: csp.Channel[f32, A] = cpu.channels((2,), f32, A, capacity=1)
    @process
    def one() -> None:
        mine: csp.Channel[f32, A] = cpu.lane(lines, 0)
        s: Tensor[f32, A] = cpu.claim(mine, A)
        cpu.put(s, 1.0, 0)
        cpu.publish(mine)

    @process
    def other() -> None:
        t: Tensor[f32, A] = cpu.front(rows, A)
        v: f32 = cpu.get(t, 0)
        cpu.put(y, v, 0)
        cpu.release(rows)
#> 4:9 error cpu.not-channel: `cpu.lane(lines, 0)` does not name a channel
#>   note: this stage says `Codegen.Ready(target=cpu)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: declare it; of an array choose one: `mine: csp.Channel[f32, 8] = cpu.lane(all, p)`

#: a lane by two indices
    rows: csp.Channel[f32, A] = cpu.channels((2,), f32, A, capacity=1)
    @process
    def one() -> None:
        mine: csp.Channel[f32, A] = cpu.lane(rows, 0, 0)
        s: Tensor[f32, A] = cpu.claim(mine, A)
        cpu.put(s, 1.0, 0)
        cpu.publish(mine)

    @process
    def other() -> None:
        t: Tensor[f32, A] = cpu.front(rows, A)
        v: f32 = cpu.get(t, 0)
        cpu.put(y, v, 0)
        cpu.release(rows)
#> 4:9 error cpu.arguments: `cpu.lane(rows, 0, 0)` does not have the arguments of its signature
#>   note: this stage says `Codegen.Ready(target=cpu)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: give it the arguments that its signature names

#: lanes that are chosen
    rows: csp.Channel[f32, A] = cpu.channels((2,), f32, A, capacity=1)
    @process(grid=(2,))
    def one(p: int) -> None:
        mine: csp.Channel[f32, A] = cpu.lane(rows, p)
        s: Tensor[f32, A] = cpu.claim(mine, A)
        cpu.put(s, 1.0, 0)
        cpu.publish(mine)

    @process(grid=(2,))
    def other(p: int) -> None:
        mine: csp.Channel[f32, A] = cpu.lane(rows, p)
        t: Tensor[f32, A] = cpu.front(mine, A)
        v: f32 = cpu.get(t, 0)
        cpu.put(y, v, 0)
        cpu.release(mine)
#> compiles

#: a slot of another dtype
    rows: csp.Channel[f32, A] = cpu.channel(f32, A, capacity=1)
    @process
    def one() -> None:
        s: Tensor[i32, A] = cpu.claim(rows, A)
        cpu.put(s, 1.0, 0)
        cpu.publish(rows)

    @process
    def other() -> None:
        t: Tensor[f32, A] = cpu.front(rows, A)
        v: f32 = cpu.get(t, 0)
        cpu.put(y, v, 0)
        cpu.release(rows)
#> 4:9 error cpu.dtype-mismatch: `s` is i32, and f32 is expected here
#>   note: this stage says `Codegen.Ready(target=cpu)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: `cpu.cast` it before, or annotate the name with its dtype

#: a signal of a channel of elements
    rows: csp.Channel[f32, A] = cpu.channel(f32, A, capacity=1)
    @process
    def one() -> None:
        cpu.signal(rows)

    @process
    def other() -> None:
        t: Tensor[f32, A] = cpu.front(rows, A)
        v: f32 = cpu.get(t, 0)
        cpu.put(y, v, 0)
        cpu.release(rows)
#> 4:9 error cpu.event: `cpu.signal(rows)` is about another kind of channel
#>   note: this stage says `Codegen.Ready(target=cpu)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: `cpu.claim` and `cpu.publish` send elements, `cpu.signal` an event

#: an event
    rows: csp.Channel[f32, A] = cpu.channel(f32, A, capacity=1)
    done: csp.Channel[None] = cpu.event()
    @process
    def one() -> None:
        s: Tensor[f32, A] = cpu.claim(rows, A)
        cpu.put(s, 1.0, 0)
        cpu.publish(rows)
        cpu.signal(done)

    @process
    def other() -> None:
        t: Tensor[f32, A] = cpu.front(rows, A)
        v: f32 = cpu.get(t, 0)
        cpu.put(y, v, 0)
        cpu.release(rows)
        cpu.meet(done)
#> compiles

#: extents of another length
    rows: csp.Channel[f32, A] = cpu.channel(f32, A, capacity=1)
    @process
    def one() -> None:
        s: Tensor[f32, 2] = cpu.claim(rows, 2)
        cpu.put(s, 1.0, 0)
        cpu.publish(rows)

    @process
    def other() -> None:
        t: Tensor[f32, A] = cpu.front(rows, A)
        v: f32 = cpu.get(t, 0)
        cpu.put(y, v, 0)
        cpu.release(rows)
#> 4:9 error cpu.slot-extents: `s` and the channel `rows` have different extents
#>   note: this stage says `Codegen.Ready(target=cpu)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: give `cpu.claim` and `cpu.front` the extents of the `cpu.channel`

#: a slot kept
    rows: csp.Channel[f32, A] = cpu.channel(f32, A, capacity=1)
    @process
    def one() -> None:
        s: Tensor[f32, A] = cpu.claim(rows, A)
        cpu.put(s, 1.0, 0)

    @process
    def other() -> None:
        t: Tensor[f32, A] = cpu.front(rows, A)
        v: f32 = cpu.get(t, 0)
        cpu.put(y, v, 0)
        cpu.release(rows)
#> 4:9 error cpu.slot-kept: a slot of `rows` is not given back on every path
#>   note: this stage says `Codegen.Ready(target=cpu)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: `cpu.publish` ends a `cpu.claim`, and `cpu.release` a `cpu.front`

#: a slot held already
    rows: csp.Channel[f32, A] = cpu.channel(f32, A, capacity=1)
    @process
    def one() -> None:
        s: Tensor[f32, A] = cpu.claim(rows, A)
        cpu.put(s, 1.0, 0)
        cpu.publish(rows)
        w: Tensor[f32, A] = cpu.claim(rows, A)
        cpu.put(w, 1.0, 0)
        u: Tensor[f32, A] = cpu.claim(rows, A)

    @process
    def other() -> None:
        t: Tensor[f32, A] = cpu.front(rows, A)
        v: f32 = cpu.get(t, 0)
        cpu.put(y, v, 0)
        cpu.release(rows)
#> 9:9 error cpu.slot-held: a slot of `rows` is held already
#>   note: this stage says `Codegen.Ready(target=cpu)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: give the slot back first: `cpu.publish`, `cpu.release`

#: a slot not held
    rows: csp.Channel[f32, A] = cpu.channel(f32, A, capacity=1)
    @process
    def one() -> None:
        s: Tensor[f32, A] = cpu.claim(rows, A)
        cpu.put(s, 1.0, 0)
        cpu.publish(rows)
        cpu.publish(rows)

    @process
    def other() -> None:
        t: Tensor[f32, A] = cpu.front(rows, A)
        v: f32 = cpu.get(t, 0)
        cpu.put(y, v, 0)
        cpu.release(rows)
#> 7:9 error cpu.slot-not-held: no slot of `rows` is held here
#>   note: this stage says `Codegen.Ready(target=cpu)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: use the slot between the call that gives it and the one that gives it back

#: a channel that there is not
    rows: csp.Channel[f32, A] = cpu.channels((2,), f32, A, capacity=1)
    @process
    def one() -> None:
        mine: csp.Channel[f32, A] = cpu.lane(rows, 2)
        s: Tensor[f32, A] = cpu.claim(mine, A)
        cpu.put(s, 1.0, 0)
        cpu.publish(mine)

    @process
    def other() -> None:
        t: Tensor[f32, A] = cpu.front(rows, A)
        v: f32 = cpu.get(t, 0)
        cpu.put(y, v, 0)
        cpu.release(rows)
#> 11:9 error cpu.not-channel: `cpu.front(rows, A)` does not name a channel
#>   note: this stage says `Codegen.Ready(target=cpu)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: declare it; of an array choose one: `mine: csp.Channel[f32, 8] = cpu.lane(all, p)`

#: two writers
    rows: csp.Channel[f32, A] = cpu.channel(f32, A, capacity=1)
    @process
    def one() -> None:
        s: Tensor[f32, A] = cpu.claim(rows, A)
        cpu.put(s, 1.0, 0)
        cpu.publish(rows)

    @process
    def other() -> None:
        s: Tensor[f32, A] = cpu.claim(rows, A)
        cpu.put(s, 1.0, 0)
        cpu.publish(rows)
#> 10:9 error cpu.several-writers: `rows` has more than one writer
#>   note: this stage says `Codegen.Ready(target=cpu)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: give each writer a channel of its own: `cpu.channels`

#: no reader at all
    rows: csp.Channel[f32, A] = cpu.channel(f32, A, capacity=1)
    @process
    def one() -> None:
        s: Tensor[f32, A] = cpu.claim(rows, A)
        cpu.put(s, 1.0, 0)
        cpu.publish(rows)

    @process
    def other() -> None:
        pass
#> 1:5 error cpu.channel-ends: `rows` has writers: 1, readers: 0; 1 and 1 are needed
#>   note: this stage says `Codegen.Ready(target=cpu)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: let one process write to it, and give `readers` the number that read it

#: the end of a channel that has none
    rows: csp.Channel[f32, A] = cpu.channel(f32, A, capacity=1)
    @process
    def one() -> None:
        s: Tensor[f32, A] = cpu.claim(rows, A)
        cpu.put(s, 1.0, 0)
        cpu.publish(rows)
        cpu.close(rows)

    @process
    def other() -> None:
        t: Tensor[f32, A] = cpu.front(rows, A)
        v: f32 = cpu.get(t, 0)
        cpu.put(y, v, 0)
        cpu.release(rows)
#> 7:9 error cpu.channel-unchecked: `rows` is not checked, and has no end
#>   note: this stage says `Codegen.Ready(target=cpu)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: declare it with `checked=True`

#: more of a channel that has no end
    rows: csp.Channel[f32, A] = cpu.channel(f32, A, capacity=1)
    @process
    def one() -> None:
        s: Tensor[f32, A] = cpu.claim(rows, A)
        cpu.put(s, 1.0, 0)
        cpu.publish(rows)

    @process
    def other() -> None:
        some = cpu.more(rows)
        if some:
            cpu.drop(rows)
#> 10:9 error cpu.channel-unchecked: `rows` is not checked, and has no end
#>   note: this stage says `Codegen.Ready(target=cpu)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: declare it with `checked=True`

#: a channel that ends
    rows: csp.Channel[f32, A] = cpu.channel(f32, A, capacity=1, checked=True)
    @process
    def one() -> None:
        s: Tensor[f32, A] = cpu.claim(rows, A)
        cpu.put(s, 1.0, 0)
        cpu.publish(rows)
        cpu.close(rows)

    @process
    def other() -> None:
        while True:
            some = cpu.more(rows)
            if not some:
                break
            t: Tensor[f32, A] = cpu.front(rows, A)
            v: f32 = cpu.get(t, 0)
            cpu.put(y, v, 0)
            cpu.release(rows)
#> compiles

#: a channel whose writer does not end it
    rows: csp.Channel[f32, A] = cpu.channel(f32, A, capacity=1, checked=True)
    @process
    def one() -> None:
        s: Tensor[f32, A] = cpu.claim(rows, A)
        cpu.put(s, 1.0, 0)
        cpu.publish(rows)

    @process
    def other() -> None:
        cpu.drop(rows)
#> 3:5 error cpu.channel-end: `rows` is not closed by its writer
#>   note: this stage says `Codegen.Ready(target=cpu)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: let `cpu.close` of the channel be the last that its writer does with it

#: a channel that is ended in a loop
    rows: csp.Channel[f32, A] = cpu.channel(f32, A, capacity=1, checked=True)
    @process
    def one() -> None:
        for n in range(A):
            cpu.close(rows)

    @process
    def other() -> None:
        some = cpu.more(rows)
#> 5:13 error cpu.channel-end: `rows` is closed in a loop or a branch
#>   note: this stage says `Codegen.Ready(target=cpu)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: let `cpu.close` of the channel be the last that its writer does with it

#: a claim behind the end
    rows: csp.Channel[f32, A] = cpu.channel(f32, A, capacity=1, checked=True)
    @process
    def one() -> None:
        cpu.close(rows)
        s: Tensor[f32, A] = cpu.claim(rows, A)
        cpu.put(s, 1.0, 0)
        cpu.publish(rows)

    @process
    def other() -> None:
        cpu.drop(rows)
#> 5:9 error cpu.channel-end: `rows` is used behind its end
#>   note: this stage says `Codegen.Ready(target=cpu)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: let `cpu.close` of the channel be the last that its writer does with it
