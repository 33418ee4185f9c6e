import htp
from htp import In, Out, f32
from htp_csp import channel, pipeline, process
from htp_tile import Tensor, maximum

M = 8
N = 16


@pipeline
def resample(x: In[Tensor[f32, M, 2, N]], y: Out[Tensor[f32, M, 2, N]]) -> None:
    twos = channel(f32, 1, 1, N, capacity=2)
    threes = channel(f32, 1, 1, N, capacity=3)
    again = channel(f32, 1, 1, N, capacity=2)

    @process
    def rectify() -> None:
        for m in range(M):
            for k in range(2):
                twos.put(maximum(x[m, k, :], 0.0))

    @process
    def up() -> None:
        for _m in range(M):
            first = twos.get()
            second = twos.get()
            threes.put(first)
            threes.put((first + second) * 0.5)
            threes.put(second)

    @process
    def down() -> None:
        for _m in range(M):
            a = threes.get()
            b = threes.get()
            again.put(a * 0.75 + b * 0.25)
            c = threes.get()
            again.put(b * 0.25 + c * 0.75)

    @process
    def scale() -> None:
        for m in range(M):
            for k in range(2):
                y[m, k, :] = again.get() * 0.5

#: a channel with too little room
#! stage: aie.elide_copies
#! old: 'up', 'down', 3)
#! new: 'up', 'down', 1)
#> 13:1 error aie.deadlock-full: `rectify` is deadlocked: it waits for a free block of `twos`, which holds 2
#>   note: `up` is deadlocked: it waits for a free block of `threes`, which holds 1; `down` is deadlocked: it waits for a block of `threes`, which is empty; `scale` is deadlocked: it waits for a block of `again`, which is empty
#>   note: this stage says `Aie.Elided` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: increase the capacity of the channels: `capacity=4`

#: a channel to another core
#! stage: aie.elide_copies
#! old: 'up', 'down', 3)
#! new: 'up', 'scale', 3)
#> 53:17 error aie.acquire-stream: `a = aie.acquire(threes, core)` does not acquire from a stream of this core
#>   note: this stage says `Aie.Elided` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: name a stream of this core, and its parameter: `aie.acquire(x_in, core)`

#: a fifo from a core without a name
#! old: 'rectify', 'up', 2
#! new: 3, 'up', 2
#> 15:42 error aie.core-name: `3` is not the name of a core
#>   note: this stage says `Codegen.Ready(target=aie)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write the core's name as a string

#: a fifo to the core that it comes from
#! old: 'rectify', 'up', 2
#! new: 'rectify', 'rectify', 2
#> 15:53 error aie.other-core: `'rectify'` is not the name of another core
#>   note: this stage says `Codegen.Ready(target=aie)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write another core's name as a string

#: a feed to several cores, one without a name
#! old: 0, 'rectify', 2, start=0, column=0
#! new: 0, ('rectify', 3), 2, start=0, column=0
#> 19:80 error aie.core-name: `3` is not the name of a core
#>   note: this stage says `Codegen.Ready(target=aie)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write the core's name as a string
