import htp
htp.stage(number=9, after='simt.insert_barriers', holds=['Simt.Folded', 'Simt.Mapped', 'Simt.Ready', 'Simt.Staged'], then=[], entry='f', target='opencl')
from htp import In, InOut, Out, f32, i32
from htp_tile import Tensor, kernel
import htp_cpu as cpu
import htp_simt as simt

M = htp.dim("M")
N = htp.dim("N")


#: a copy
@kernel
def f(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in htp.parallel(range(M), level='group'):
        for lane in htp.parallel(range(64), level='lane'):
            for q in range(lane, N, 64):
                v: f32 = cpu.get(x, i, q)
                cpu.put(y, v, i, q)
#> compiles

#: lanes that go over the same elements
@kernel
def f(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in htp.parallel(range(M), level='group'):
        for lane in htp.parallel(range(64), level='lane'):
            for q in range(N):
                v: f32 = cpu.get(x, i, q)
                cpu.put(y, v, i, q)
#> 7:17 error simt.lanes-meet: iterations of a loop over lanes meet at `y`
#>   7:17 and here
#>   note: `lane = 0` and `lane = 1` meet at `y[0, 0]` when M = 1, N = 1, i = 0
#>   note: this stage says `Simt.Mapped` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: give each of them elements of its own

#: work-groups that write to one row
@kernel
def f(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in htp.parallel(range(M), level='group'):
        for lane in htp.parallel(range(64), level='lane'):
            for q in range(lane, N, 64):
                v: f32 = cpu.get(x, i, q)
                cpu.put(y, v, 0, q)
#> 7:17 error simt.lanes-meet: iterations of a loop over groups meet at `y`
#>   7:17 and here
#>   note: `i = 0` and `i = 1` meet at `y[0, 0]` when M = 2, N = 1
#>   note: this stage says `Simt.Mapped` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: give each of them elements of its own

#: what a lane wrote another reads, and nobody waits
@kernel
def f(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in htp.parallel(range(M), level='group'):
        s: htp.Tensor[f32, 64, htp.space('shared')] = cpu.alloc(f32, 64)
        for lane in htp.parallel(range(64), level='lane'):
            cpu.put(s, 1.0, lane)
        for lane_1 in htp.parallel(range(64), level='lane'):
            w: f32 = cpu.get(s, 63 - lane_1)
            for q in range(lane_1, N, 64):
                cpu.put(y, w, i, q)
#> 8:13 error simt.no-barrier: `s` is accessed by other lanes, with no barrier between
#>   note: this stage says `Simt.Ready` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: put `simt.barrier()` before it, between loops over lanes

#: the same with a wait
@kernel
def f(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in htp.parallel(range(M), level='group'):
        s: htp.Tensor[f32, 64, htp.space('shared')] = cpu.alloc(f32, 64)
        for lane in htp.parallel(range(64), level='lane'):
            cpu.put(s, 1.0, lane)
        simt.barrier()
        for lane_1 in htp.parallel(range(64), level='lane'):
            w: f32 = cpu.get(s, 63 - lane_1)
            for q in range(lane_1, N, 64):
                cpu.put(y, w, i, q)
#> compiles

#: a loop that begins again before all have read
@kernel
def f(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in htp.parallel(range(M), level='group'):
        s: htp.Tensor[f32, 64, htp.space('shared')] = cpu.alloc(f32, 64)
        for k in range(4):
            for lane in htp.parallel(range(64), level='lane'):
                cpu.put(s, 1.0, lane)
            simt.barrier()
            for lane_1 in htp.parallel(range(64), level='lane'):
                w: f32 = cpu.get(s, 63 - lane_1)
                for q in range(lane_1, N, 64):
                    cpu.put(y, w, i, q)
#> 7:17 error simt.no-barrier: `s` is accessed by other lanes, with no barrier between
#>   note: this stage says `Simt.Ready` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: put `simt.barrier()` before it, between loops over lanes

#: a barrier among lanes
@kernel
def f(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in htp.parallel(range(M), level='group'):
        for lane in htp.parallel(range(64), level='lane'):
            for q in range(lane, N, 64):
                v: f32 = cpu.get(x, i, q)
                cpu.put(y, v, i, q)
            simt.barrier()
#> 8:13 error simt.barrier-place: a barrier that not all lanes of a work-group come to
#>   note: this stage says `Simt.Mapped` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: move it between loops over lanes

#: all lanes write
@kernel
def f(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in htp.parallel(range(M), level='group'):
        cpu.put(y, 1.0, i, 0)
#> 4:9 error simt.uniform-put: `y` is written to by all lanes of a work-group
#>   note: this stage says `Simt.Mapped` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: put it into a loop over lanes: `for lane in htp.parallel(range(1), level="lane"):`

#: an input that is written to
@kernel
def f(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in htp.parallel(range(M), level='group'):
        for lane in htp.parallel(range(64), level='lane'):
            for q in range(lane, N, 64):
                cpu.put(x, 1.0, i, q)
#> 6:17 error simt.input-written: `x` is an input, and written to
#>   note: this stage says `Simt.Mapped` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: make the parameter `InOut`, or write to another one

#: more lanes than a work-group has
@kernel
def f(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in htp.parallel(range(M), level='group'):
        for lane in htp.parallel(range(512), level='lane'):
            for q in range(lane, N, 64):
                v: f32 = cpu.get(x, i, q)
                cpu.put(y, v, i, q)
#> 4:9 error simt.lane-limit: 512 lanes, and a work-group has 256 at most
#>   note: this stage says `Simt.Mapped` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: compile with fewer lanes: the option `lanes` of `simt.map_lanes`

#: lanes whose number is not known
@kernel
def f(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in htp.parallel(range(M), level='group'):
        for lane in htp.parallel(range(N), level='lane'):
            for q in range(lane, N, 64):
                v: f32 = cpu.get(x, i, q)
                cpu.put(y, v, i, q)
#> 4:21 error simt.lane-count: `htp.parallel(range(N), level='lane')` is no number of lanes
#>   note: this stage says `Simt.Mapped` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write a number: `range(256)`

#: lanes outside of a work-group
@kernel
def f(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for lane in htp.parallel(range(64), level='lane'):
        for q in range(lane, N, 64):
            cpu.put(y, 1.0, 0, q)
#> 3:5 error simt.lane-place: a loop over lanes outside of a work-group
#>   note: this stage says `Simt.Mapped` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: put it into a loop `htp.parallel(…, level="group")`

#: work-groups among lanes
@kernel
def f(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in htp.parallel(range(M), level='group'):
        for lane in htp.parallel(range(64), level='lane'):
            for k in htp.parallel(range(4), level='group'):
                pass
#> 5:13 error simt.group-place: a loop over work-groups that no grid can have
#>   note: this stage says `Simt.Mapped` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write loops over work-groups around one another, of sizes that the host knows

#: a grid that the host cannot count
@kernel
def f(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in htp.parallel(range(M), level='group'):
        for j in htp.parallel(range(i), level='group'):
            for lane in htp.parallel(range(64), level='lane'):
                for q in range(lane, N, 64):
                    pass
#> 4:9 error simt.group-place: a loop over work-groups that no grid can have
#>   note: this stage says `Simt.Mapped` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write loops over work-groups around one another, of sizes that the host knows

#: more memory than a work-group has
@kernel
def f(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in htp.parallel(range(M), level='group'):
        s: htp.Tensor[f32, 16384, htp.space('shared')] = cpu.alloc(f32, 16384)
        for lane in htp.parallel(range(64), level='lane'):
            cpu.put(s, 1.0, lane)
#> 3:5 error simt.shared-memory: 65536 bytes of memory for a work-group, and there are 32768
#>   note: this stage says `Simt.Mapped` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: make the buffers smaller, or put one into the space "global"

#: memory of a size that is not known
@kernel
def f(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in htp.parallel(range(M), level='group'):
        s: htp.Tensor[f32, N, htp.space('shared')] = cpu.alloc(f32, N)
        for lane in htp.parallel(range(64), level='lane'):
            cpu.put(s, 1.0, lane)
#> 4:69 error simt.buffer-size: the size of `s` is `N`, which is known only when it runs
#>   note: this stage says `Simt.Mapped` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: give it a number, or put it into the space "global"

#: memory that lanes share, among them
@kernel
def f(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in htp.parallel(range(M), level='group'):
        for lane in htp.parallel(range(64), level='lane'):
            s: htp.Tensor[f32, 64, htp.space('shared')] = cpu.alloc(f32, 64)
            cpu.put(s, 1.0, lane)
#> 5:13 error simt.buffer-place: `s` is a buffer in the space "shared" where there is none
#>   note: this stage says `Simt.Mapped` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: move it, or name another space

#: a scalar that lanes leave
@kernel
def f(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in htp.parallel(range(M), level='group'):
        for lane in htp.parallel(range(64), level='lane'):
            v: f32 = cpu.get(x, i, 0)
        w: f32 = cpu.neg(v)
        for lane_1 in htp.parallel(range(64), level='lane'):
            for q in range(lane_1, N, 64):
                cpu.put(y, w, i, q)
#> 6:26 error simt.lane-value: `v` is each lane's own, and is read behind the loop over lanes
#>   note: this stage says `Simt.Mapped` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: put it into memory that lanes share, and read it from there behind a barrier

#: an element that decides how many grids there are
@kernel
def f(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    v: f32 = cpu.get(x, 0, 0)
    for i in htp.parallel(range(M), level='group'):
        for lane in htp.parallel(range(64), level='lane'):
            for q in range(lane, N, 64):
                u: f32 = cpu.get(x, i, q)
                cpu.put(y, v, i, q)
#> 3:5 error simt.host-element: the host would need the value of `cpu.get(x, 0, 0)`
#>   note: this stage says `Simt.Mapped` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: read it in a work-group

#: an int that there is not
@kernel
def f(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in htp.parallel(range(M), level='group'):
        for lane in htp.parallel(range(64), level='lane'):
            for q in range(lane, N, 64):
                v: f32 = cpu.get(x, i, q + b)
                cpu.put(y, v, i, q)
#> 6:44 error simt.unknown-int: `b` is no int that is known here
#>   note: this stage says `Simt.Mapped` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: bind it before, in the same work-group

#: an index that is no int expression
@kernel
def f(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in htp.parallel(range(M), level='group'):
        for lane in htp.parallel(range(64), level='lane'):
            for q in range(lane, N, 64):
                v: f32 = cpu.get(x, i, q / 2)
                cpu.put(y, v, i, q)
#> 6:40 error simt.no-int: `q / 2` is no int expression
#>   note: this stage says `Simt.Mapped` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write it by `+`, `-`, `*`, `//`, `%`, `min` and `max` over ints

#: an index too many
@kernel
def f(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in htp.parallel(range(M), level='group'):
        for lane in htp.parallel(range(64), level='lane'):
            for q in range(lane, N, 64):
                v: f32 = cpu.get(x, i, q, 0)
                cpu.put(y, v, i, q)
#> 6:26 error simt.index-count: `cpu.get(x, i, q, 0)` has 3 indices, and `x` has 2 dimensions
#>   note: this stage says `Simt.Mapped` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: give an int for each dimension

#: a dtype that is another
@kernel
def f(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in htp.parallel(range(M), level='group'):
        for lane in htp.parallel(range(64), level='lane'):
            for q in range(lane, N, 64):
                v: i32 = cpu.get(x, i, q)
                cpu.put(y, v, i, q)
#> 6:26 error simt.dtype-mismatch: `x` is of f32, expected i32
#>   note: this stage says `Simt.Mapped` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: cast one of them: `cpu.cast(v, f32)`

#: a scalar without a dtype
@kernel
def f(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in htp.parallel(range(M), level='group'):
        for lane in htp.parallel(range(64), level='lane'):
            for q in range(lane, N, 64):
                v = cpu.get(x, i, q)
                cpu.put(y, v, i, q)
#> 6:21 error simt.untyped-scalar: `v` is bound without its dtype
#>   note: this stage says `Simt.Mapped` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: annotate its first binding: `v: f32 = …`

#: what is no operation on scalars
@kernel
def f(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in htp.parallel(range(M), level='group'):
        for lane in htp.parallel(range(64), level='lane'):
            for q in range(lane, N, 64):
                v: f32 = cpu.get(x, i, q)
                u: f32 = cpu.transpose(v)
                cpu.put(y, v, i, q)
#> 7:26 error simt.no-operation: `cpu.transpose` is no operation of the backend
#>   note: this stage says `Simt.Mapped` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: compute with scalars, element by element

#: a statement of another kind
@kernel
def f(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in htp.parallel(range(M), level='group'):
        for lane in htp.parallel(range(64), level='lane'):
            for q in range(lane, N, 64):
                v: f32 = cpu.get(x, i, q)
                cpu.put(y, v, i, q)
        del x
#> 8:9 error simt.statement: `del x` is no statement of a grid of work-groups
#>   note: this stage says `Simt.Mapped` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: write it as loops, ints and elements, or begin from an earlier stage

#: a cast of an integer that rounds down to a float
@kernel
def f(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in htp.parallel(range(M), level='group'):
        for lane in htp.parallel(range(64), level='lane'):
            for q in range(lane, N, 64):
                v: f32 = cpu.get(x, i, q)
                k: i32 = cpu.cast(v, i32)
                h: htp.f16 = cpu.cast(k, htp.f16, rounding='down')
                cpu.put(y, v, i, q)
#> 8:17 error simt.cast: i32 rounded down has no form for f16
#>   hint: cast to f64 first, and that to the float

#: a collective that is left
@kernel
def f(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in htp.parallel(range(M), level='group'):
        s: htp.Tensor[f32, 64, htp.space('shared')] = cpu.alloc(f32, 64)
        for lane in htp.parallel(range(64), level='lane'):
            cpu.put(s, 1.0, lane)
        simt.barrier()
        t: f32 = simt.reduce_sum(s)
#> 8:18 error simt.not-folded: `simt.reduce_sum(s)` is left
#>   note: this stage says `Simt.Folded` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: begin from the stage before `simt.fold_collectives`

#: a parameter of no type
@kernel
def f(x: In[Tensor[f32, M, N]], y: list) -> None:
    pass
#> 2:33 error simt.parameter: the parameter `y` is `list`, which the backend has no form for
#>   note: this stage says `Simt.Mapped` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: give it a type such as `In[Tensor[f32, M, N]]`, `f32` or `int`

#: a parameter in blocks
@kernel
def f(x: In[Tensor[f32, 8, 8, htp.layouts.packed((8, 8), (4, 4), (0, 1), (0, 1))]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in htp.parallel(range(M), level='group'):
        for lane in htp.parallel(range(64), level='lane'):
            for q in range(lane, N, 64):
                v: f32 = cpu.get(x, i, q)
                cpu.put(y, v, i, q)
#> 2:31 error simt.parameter-layout: `x` lies as `htp.layouts.packed((8, 8), (4, 4), (0, 1), (0, 1))`, which no steps describe: dimension 0 has no one stride: it is cut into blocks
#>   note: this stage says `Simt.Mapped` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: give it a layout of strides, `htp.layouts.strided((8, 64), (72, 1))`, or none

#: registers of another lane
@kernel
def f(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in htp.parallel(range(M), level='group'):
        s: htp.Tensor[f32, 64, 4, htp.space('private')] = cpu.alloc(f32, 64, 4)
        for lane in htp.parallel(range(64), level='lane'):
            cpu.put(s, 1.0, 63 - lane, 0)
#> 6:13 error simt.other-lane: `s` is each lane's own, and `cpu.put(s, 1.0, 63 - lane, 0)` does not begin with the lane
#>   note: this stage says `Simt.Mapped` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: let the loop's variable be the first index

#: registers that a lane keeps
@kernel
def f(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in htp.parallel(range(M), level='group'):
        s: htp.Tensor[f32, 64, 4, htp.space('private')] = cpu.alloc(f32, 64, 4)
        for lane in htp.parallel(range(64), level='lane'):
            cpu.put(s, 1.0, lane, 0)
        for lane_1 in htp.parallel(range(64), level='lane'):
            v: f32 = cpu.get(s, lane_1, 0)
            for q in range(lane_1, N, 64):
                cpu.put(y, v, i, q)
#> compiles
