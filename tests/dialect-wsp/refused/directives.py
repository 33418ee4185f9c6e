#: combination that calls itself
@workload
def w(x: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        for j in P(N):
            acc = zeros(f32, i, j)
            for k in seq(K):
                acc = matmul(x[i, k], b[k, j], acc)
            y[i, j] = acc


def again(s: Schedule, loop: str) -> None:
    again(s, loop)


@schedule(w)
def s(s: Schedule) -> None:
    again(s, "i")
#> 17:5 error wsp.endless-combination: `again` calls itself, or calls others too deep
#>   hint: take the call of itself out

#: combination with too few values
@workload
def w(x: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        for j in P(N):
            acc = zeros(f32, i, j)
            for k in seq(K):
                acc = matmul(x[i, k], b[k, j], acc)
            y[i, j] = acc


def blocks(s: Schedule, loop: str, size: int) -> None:
    s.tile(loop, size)


@schedule(w)
def s(s: Schedule) -> None:
    blocks(s, "i")
#> 17:5 error wsp.bad-arguments: `blocks` takes `s`, `loop`, `size`
#>   11:1 defined here
#>   hint: give it the schedule first, then a value for each of its parameters

#: combination with a value of no parameter
@workload
def w(x: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        for j in P(N):
            acc = zeros(f32, i, j)
            for k in seq(K):
                acc = matmul(x[i, k], b[k, j], acc)
            y[i, j] = acc


def blocks(s: Schedule, loop: str, size: int = 8) -> None:
    s.tile(loop, size)


@schedule(w)
def s(s: Schedule) -> None:
    blocks(s, "i", depth=3)
#> 17:5 error wsp.bad-arguments: `blocks` takes `s`, `loop`, `size`
#>   11:1 defined here
#>   hint: give it the schedule first, then a value for each of its parameters

#: combination that is not straight
@workload
def w(x: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        for j in P(N):
            acc = zeros(f32, i, j)
            for k in seq(K):
                acc = matmul(x[i, k], b[k, j], acc)
            y[i, j] = acc


def blocks(s: Schedule, loop: str) -> None:
    if loop:
        s.tile(loop, 8)


@schedule(w)
def s(s: Schedule) -> None:
    blocks(s, "i")
#> 12:5 error wsp.not-a-directive: a schedule is straight-line directives, and `if loop:` is none
#>   18:5 called here
#>   hint: write calls of the schedule's parameter only, such as `s.tile("i", 64)`

#: mistake in a combination
@workload
def w(x: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        for j in P(N):
            acc = zeros(f32, i, j)
            for k in seq(K):
                acc = matmul(x[i, k], b[k, j], acc)
            y[i, j] = acc


def blocks(s: Schedule, loop: str, size: int) -> None:
    s.tile(loop, size)


@schedule(w)
def s(s: Schedule) -> None:
    blocks(s, "rows", 8)
#> 12:12 error wsp.unknown-loop: `w` has no loop `rows`
#>   17:5 called here
#>   hint: it has: `i`, `j`, `k`

#: combination with a size that is none
@workload
def w(x: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        for j in P(N):
            acc = zeros(f32, i, j)
            for k in seq(K):
                acc = matmul(x[i, k], b[k, j], acc)
            y[i, j] = acc


def blocks(s: Schedule, loop: str, size: int) -> None:
    s.tile(loop, size - 8)


@schedule(w)
def s(s: Schedule) -> None:
    blocks(s, "i", 8)
#> 12:18 error wsp.bad-size: a block size is a compile-time int of at least 1, not `8 - 8`
#>   17:5 called here
#>   hint: write an int of 1 or more, or a constant of the module

#: overrides nothing
@workload
def w(x: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        for j in P(N):
            acc = zeros(f32, i, j)
            for k in seq(K):
                acc = matmul(x[i, k], b[k, j], acc)
            y[i, j] = acc


@schedule(w)
def s(s: Schedule) -> None:
    s.tile("i", 8, override=True)
#> 13:5 error wsp.overrides-nothing: no `tile` of `i` stands before this one
#>   hint: leave `override=True` out, or name the loop that the earlier one names

#: overrides by a value
@workload
def w(x: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        for j in P(N):
            acc = zeros(f32, i, j)
            for k in seq(K):
                acc = matmul(x[i, k], b[k, j], acc)
            y[i, j] = acc


@schedule(w)
def s(s: Schedule) -> None:
    s.tile("i", 8)
    s.tile("i", 16, override=1)
#> 14:5 error wsp.bad-arguments: `tile` takes `override=True`
#>   hint: write it like `s.tile("i", 64, 16)`

#: split of an open loop
@workload
def w(x: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        for j in P(N):
            acc = zeros(f32, i, j)
            for k in seq(K):
                acc = matmul(x[i, k], b[k, j], acc)
            y[i, j] = acc


@schedule(w)
def s(s: Schedule) -> None:
    s.split("i", 8)
#> 13:13 error wsp.open-loop: the blocks of loop `i` have no size yet, and `split` needs one
#>   3:14 its size is open
#>   hint: give it one first: `s.tile("i", 64)`

#: split into larger blocks
@workload
def w(x: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        for j in P(N):
            acc = zeros(f32, i, j)
            for k in seq(K):
                acc = matmul(x[i, k], b[k, j], acc)
            y[i, j] = acc


@schedule(w)
def s(s: Schedule) -> None:
    s.tile("i", 8)
    s.split("i", 16)
#> 14:18 error wsp.growing-size: block sizes go from large to small, and 8 is followed by 16
#>   3:14 cut here
#>   hint: order the sizes from large to small

#: split with growing sizes
@workload
def w(x: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        for j in P(N):
            acc = zeros(f32, i, j)
            for k in seq(K):
                acc = matmul(x[i, k], b[k, j], acc)
            y[i, j] = acc


@schedule(w)
def s(s: Schedule) -> None:
    s.tile("i", 64)
    s.split("i", 8, 16)
#> 14:21 error wsp.growing-size: block sizes go from large to small, and 8 is followed by 16
#>   hint: order the sizes from large to small

#: split without a size
@workload
def w(x: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        for j in P(N):
            acc = zeros(f32, i, j)
            for k in seq(K):
                acc = matmul(x[i, k], b[k, j], acc)
            y[i, j] = acc


@schedule(w)
def s(s: Schedule) -> None:
    s.split("i")
#> 13:5 error wsp.bad-arguments: `split` takes a loop and one size or more
#>   hint: write it like `s.split("i", 16)`

#: split of no loop
@workload
def w(x: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        for j in P(N):
            acc = zeros(f32, i, j)
            for k in seq(K):
                acc = matmul(x[i, k], b[k, j], acc)
            y[i, j] = acc


@schedule(w)
def s(s: Schedule) -> None:
    s.split("m", 8)
#> 13:13 error wsp.unknown-loop: `w` has no loop `m`
#>   hint: did you mean `i`?

#: split under a name that is none
@workload
def w(x: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        for j in P(N):
            acc = zeros(f32, i, j)
            for k in seq(K):
                acc = matmul(x[i, k], b[k, j], acc)
            y[i, j] = acc


@schedule(w)
def s(s: Schedule) -> None:
    s.tile("i", 64)
    s.split("i", 8, outer="2 i")
#> 14:27 error wsp.bad-name: `2 i` cannot be the name of one loop
#>   hint: write a name, such as `outer="i_outer"`, and one size

#: split in three under one name
@workload
def w(x: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        for j in P(N):
            acc = zeros(f32, i, j)
            for k in seq(K):
                acc = matmul(x[i, k], b[k, j], acc)
            y[i, j] = acc


@schedule(w)
def s(s: Schedule) -> None:
    s.tile("i", 64)
    s.split("i", 16, 8, outer="ii")
#> 14:31 error wsp.bad-name: `ii` cannot be the name of one loop
#>   hint: write a name, such as `outer="i_outer"`, and one size

#: split under a taken name
@workload
def w(x: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        for j in P(N):
            acc = zeros(f32, i, j)
            for k in seq(K):
                acc = matmul(x[i, k], b[k, j], acc)
            y[i, j] = acc


@schedule(w)
def s(s: Schedule) -> None:
    s.tile("i", 64)
    s.split("i", 8, outer="acc")
#> 14:27 error wsp.taken-name: this makes a loop `acc`, and `w` has that name already
#>   5:13 bound here
#>   hint: rename the one in the workload

#: split under a number
@workload
def w(x: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        for j in P(N):
            acc = zeros(f32, i, j)
            for k in seq(K):
                acc = matmul(x[i, k], b[k, j], acc)
            y[i, j] = acc


@schedule(w)
def s(s: Schedule) -> None:
    s.tile("i", 64)
    s.split("i", 8, outer=3)
#> 14:5 error wsp.bad-arguments: `split` takes `outer=` as a string
#>   hint: write it like `s.split("i", 16)`

#: reorder of one loop
@workload
def w(x: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        for j in P(N):
            acc = zeros(f32, i, j)
            for k in seq(K):
                acc = matmul(x[i, k], b[k, j], acc)
            y[i, j] = acc


@schedule(w)
def s(s: Schedule) -> None:
    s.reorder("i")
#> 13:5 error wsp.bad-arguments: `reorder` takes a loop and another one or more
#>   hint: write it like `s.reorder("j", "i")`

#: reorder of a loop named twice
@workload
def w(x: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        for j in P(N):
            acc = zeros(f32, i, j)
            for k in seq(K):
                acc = matmul(x[i, k], b[k, j], acc)
            y[i, j] = acc


@schedule(w)
def s(s: Schedule) -> None:
    s.reorder("i", "j", "i")
#> 13:25 error wsp.named-twice: loop `i` is named twice
#>   hint: name each loop once

#: reorder of no loop
@workload
def w(x: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        for j in P(N):
            acc = zeros(f32, i, j)
            for k in seq(K):
                acc = matmul(x[i, k], b[k, j], acc)
            y[i, j] = acc


@schedule(w)
def s(s: Schedule) -> None:
    s.reorder("j", "m")
#> 13:20 error wsp.unknown-loop: `w` has no loop `m`
#>   hint: did you mean `i`?

#: reorder of loops with something between
@workload
def w(x: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        for j in P(N):
            acc = zeros(f32, i, j)
            for k in seq(K):
                acc = matmul(x[i, k], b[k, j], acc)
            y[i, j] = acc


@schedule(w)
def s(s: Schedule) -> None:
    s.reorder("k", "i")
#> 13:5 error wsp.not-nested: loop `k` does not stand alone in loop `j`
#>   6:13 this loop
#>   5:13 stands directly inside `j`
#>   hint: loops change places when nothing but the inner loop stands in the outer one

#: reorder of loops one behind the other
@workload
def w(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]], z: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        y[i, :] = exp(x[i, :])
    for j in P(M):
        z[j, :] = y[j, :] + 1.0


@schedule(w)
def s(s: Schedule) -> None:
    s.reorder("j", "i")
#> 11:5 error wsp.not-nested: loop `j` does not stand alone in loop `i`
#>   5:5 this loop
#>   4:9 stands directly inside `i`
#>   hint: loops change places when nothing but the inner loop stands in the outer one

#: reorder that puts a cut outside
@workload
def w(x: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        for j in P(N):
            acc = zeros(f32, i, j)
            for k in seq(K):
                acc = matmul(x[i, k], b[k, j], acc)
            y[i, j] = acc


@schedule(w)
def s(s: Schedule) -> None:
    s.tile("i", 64, 16)
    s.reorder("i", "i_0")
#> 14:5 error wsp.cut-inside: loop `i` cannot stand outside loop `i_0`, whose blocks it cuts
#>   3:14 cuts what `i_0` runs over
#>   hint: keep the loop that is cut outside

#: reorder that changes nothing, and a mistake
@workload
def w(x: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        for j in P(N):
            acc = zeros(f32, i, j)
            for k in seq(K):
                acc = matmul(x[i, k], b[k, j], acc)
            y[i, j] = acc


@schedule(w)
def s(s: Schedule) -> None:
    s.reorder("i", "j")
    s.tile("i", 0)
#> 13:5 warning wsp.changes-nothing: the loops stand as `reorder` says already
#>   hint: leave it out, or name the loops in the order they should have, outermost first
#> 14:17 error wsp.bad-size: a block size is a compile-time int of at least 1, not `0`
#>   hint: write an int of 1 or more, or a constant of the module

#: reorder of a sum
@workload
def w(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]]) -> None:
    for i in seq(M):
        for j in seq(N):
            y[0, 0] = y[0, 0] + x[i, j]


@schedule(w)
def s(s: Schedule) -> None:
    s.reorder("j", "i")
#> 10:5 error wsp.not-reordered: loops `i` and `j` cannot change places: their iterations depend on each other by `y`
#>   5:13 written here
#>   hint: reorder loops of which one is independent, such as one over `P`

#: reorder of loops that carry a name
@workload
def w(x: In[Tensor[f32, M, M]], y: Out[Tensor[f32, M, M]]) -> None:
    last = x[0, 0]
    for i in seq(M):
        for j in seq(M):
            last = last * 0.5 + x[i, j]
            y[i, j] = last


@schedule(w)
def s(s: Schedule) -> None:
    s.reorder("j", "i")
#> 12:5 error wsp.not-reordered: loops `i` and `j` cannot change places: their iterations depend on each other by `last`
#>   6:13 bound here
#>   6:20 read here, before this iteration binds it
#>   hint: reorder loops of which one is independent, such as one over `P`

#: fuse with itself
@workload
def w(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]], z: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        y[i, :] = exp(x[i, :])
    for j in P(M):
        z[j, :] = y[j, :] + 1.0


@schedule(w)
def s(s: Schedule) -> None:
    s.fuse("i", "i")
#> 11:17 error wsp.named-twice: loop `i` is named twice
#>   hint: name each loop once

#: fuse of three
@workload
def w(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]], z: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        y[i, :] = exp(x[i, :])
    for j in P(M):
        z[j, :] = y[j, :] + 1.0


@schedule(w)
def s(s: Schedule) -> None:
    s.fuse("i", "j", "i")
#> 11:5 error wsp.bad-arguments: `fuse` takes a loop and another loop
#>   hint: write it like `s.fuse("i", "j")`

#: fuse of no loop
@workload
def w(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]], z: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        y[i, :] = exp(x[i, :])
    for j in P(M):
        z[j, :] = y[j, :] + 1.0


@schedule(w)
def s(s: Schedule) -> None:
    s.fuse("i", "q")
#> 11:17 error wsp.unknown-loop: `w` has no loop `q`
#>   hint: did you mean `i`?

#: fuse of loops that are not adjacent
@workload
def w(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]], z: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        y[i, :] = exp(x[i, :])
    y[0, :] = zeros(f32, 1, N)
    for j in P(M):
        z[j, :] = y[j, :] + 1.0


@schedule(w)
def s(s: Schedule) -> None:
    s.fuse("i", "j")
#> 12:5 error wsp.not-adjacent: loops `i` and `j` do not stand one behind the other
#>   3:5 the first
#>   6:5 the second
#>   5:5 stands between them
#>   hint: move what stands between them, or fuse it first

#: fuse in the wrong order
@workload
def w(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]], z: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        y[i, :] = exp(x[i, :])
    for j in P(M):
        z[j, :] = y[j, :] + 1.0


@schedule(w)
def s(s: Schedule) -> None:
    s.fuse("j", "i")
#> 11:5 error wsp.not-adjacent: loops `j` and `i` do not stand one behind the other
#>   5:5 the first
#>   3:5 the second
#>   hint: move what stands between them, or fuse it first

#: fuse of nested loops
@workload
def w(x: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        for j in P(N):
            acc = zeros(f32, i, j)
            for k in seq(K):
                acc = matmul(x[i, k], b[k, j], acc)
            y[i, j] = acc


@schedule(w)
def s(s: Schedule) -> None:
    s.fuse("i", "j")
#> 13:5 error wsp.not-adjacent: loops `i` and `j` do not stand one behind the other
#>   3:5 the first
#>   4:9 the second
#>   hint: move what stands between them, or fuse it first

#: fuse of different sizes
@workload
def w(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]], z: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        y[i, :] = exp(x[i, :])
    for j in P(M):
        z[j, :] = y[j, :] + 1.0


@schedule(w)
def s(s: Schedule) -> None:
    s.tile("i", 8)
    s.tile("j", 16)
    s.fuse("i", "j")
#> 13:5 error wsp.different-ranges: loops `i` and `j` do not run over the same blocks
#>   3:14 one range
#>   5:14 the other
#>   hint: loops that become one run over the same extent, in blocks of the same size, and in the same way; `compute_at` puts a loop into one with other blocks

#: fuse of different extents
@workload
def w(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]], z: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        y[i, :] = exp(x[i, :])
    for j in P(N):
        z[:, j] = y[:, j] + 1.0


@schedule(w)
def s(s: Schedule) -> None:
    s.fuse("i", "j")
#> 11:5 error wsp.different-ranges: loops `i` and `j` do not run over the same blocks
#>   3:14 one range
#>   5:14 the other
#>   hint: loops that become one run over the same extent, in blocks of the same size, and in the same way; `compute_at` puts a loop into one with other blocks

#: fuse of a parallel loop with one that is not
@workload
def w(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]], z: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        y[i, :] = exp(x[i, :])
    for j in P(M):
        z[j, :] = y[j, :] + 1.0


@schedule(w)
def s(s: Schedule) -> None:
    s.parallel("i")
    s.fuse("i", "j")
#> 12:5 error wsp.different-ranges: loops `i` and `j` do not run over the same blocks
#>   3:14 one range
#>   5:14 the other
#>   hint: loops that become one run over the same extent, in blocks of the same size, and in the same way; `compute_at` puts a loop into one with other blocks

#: fuse of an ordered loop
@workload
def w(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]], z: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        y[i, :] = exp(x[i, :])
    for j in seq(M):
        z[j, :] = y[j, :] + 1.0


@schedule(w)
def s(s: Schedule) -> None:
    s.fuse("i", "j")
#> 11:5 error wsp.different-ranges: loops `i` and `j` do not run over the same blocks
#>   3:14 one range
#>   5:14 the other
#>   hint: loops that become one run over the same extent, in blocks of the same size, and in the same way; `compute_at` puts a loop into one with other blocks

#: fuse where the second reads ahead
@workload
def w(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]], z: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        y[i, :] = exp(x[i, :])
    for j in P(M):
        z[j, :] = y[0, :] + 1.0


@schedule(w)
def s(s: Schedule) -> None:
    s.fuse("i", "j")
#> 11:5 error wsp.not-fused: loops `i` and `j` cannot become one: they depend on each other by `y`
#>   4:9 written here
#>   6:19 read here
#>   hint: what one writes and the other touches must be indexed by the loops' own blocks, in the same dimension

#: fuse where the second reads across
@workload
def w(x: In[Tensor[f32, M, M]], y: InOut[Tensor[f32, M, M]], z: Out[Tensor[f32, M, M]]) -> None:
    for i in P(M):
        y[i, :] = exp(x[i, :])
    for j in P(M):
        z[:, j] = y[:, j] + 1.0


@schedule(w)
def s(s: Schedule) -> None:
    s.fuse("i", "j")
#> 11:5 error wsp.not-fused: loops `i` and `j` cannot become one: they depend on each other by `y`
#>   4:9 written here
#>   6:19 read here
#>   hint: what one writes and the other touches must be indexed by the loops' own blocks, in the same dimension

#: fuse where the second writes what the first reads
@workload
def w(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]], z: InOut[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        z[i, :] = y[0, :]
    for j in P(M):
        y[j, :] = x[j, :]


@schedule(w)
def s(s: Schedule) -> None:
    s.fuse("i", "j")
#> 11:5 error wsp.not-fused: loops `i` and `j` cannot become one: they depend on each other by `y`
#>   4:19 read here
#>   6:9 written here
#>   hint: what one writes and the other touches must be indexed by the loops' own blocks, in the same dimension

#: fuse where the second needs the sum
@workload
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    total = zeros(f32, 1, N)
    for i in seq(M):
        total = total + reduce_sum(x[i, :], axis=0)
    for j in seq(M):
        y[j, :] = x[j, :] / total


@schedule(w)
def s(s: Schedule) -> None:
    s.fuse("i", "j")
#> 12:5 error wsp.not-fused: loops `i` and `j` cannot become one: they depend on each other by `total`
#>   5:9 written here
#>   7:29 read here
#>   hint: what one writes and the other touches must be indexed by the loops' own blocks, in the same dimension

#: unroll of an open loop
@workload
def w(x: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        for j in P(N):
            acc = zeros(f32, i, j)
            for k in seq(K):
                acc = matmul(x[i, k], b[k, j], acc)
            y[i, j] = acc


@schedule(w)
def s(s: Schedule) -> None:
    s.unroll("i")
#> 13:14 error wsp.not-counted: loop `i` cannot be unrolled: it has as many iterations as its extent gives
#>   3:14 what it runs over
#>   hint: cut it first, and unroll the inner loop: `s.tile("i", 64, 16)`

#: unroll of a loop over a dim
@workload
def w(x: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        for j in P(N):
            acc = zeros(f32, i, j)
            for k in seq(K):
                acc = matmul(x[i, k], b[k, j], acc)
            y[i, j] = acc


@schedule(w)
def s(s: Schedule) -> None:
    s.tile("i", 8)
    s.unroll("i")
#> 14:14 error wsp.not-counted: loop `i` cannot be unrolled: it has as many iterations as its extent gives
#>   3:14 what it runs over
#>   hint: cut it first, and unroll the inner loop: `s.tile("i", 64, 16)`

#: unroll of too many
@workload
def w(x: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        for j in P(N):
            acc = zeros(f32, i, j)
            for k in seq(K):
                acc = matmul(x[i, k], b[k, j], acc)
            y[i, j] = acc


@schedule(w)
def s(s: Schedule) -> None:
    s.tile("i", 1024, 8)
    s.unroll("i")
#> 14:14 error wsp.not-counted: loop `i` cannot be unrolled: it has 128 iterations
#>   3:14 what it runs over
#>   hint: cut it first, and unroll the inner loop: `s.tile("i", 64, 16)`

#: unroll twice
@workload
def w(x: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        for j in P(N):
            acc = zeros(f32, i, j)
            for k in seq(K):
                acc = matmul(x[i, k], b[k, j], acc)
            y[i, j] = acc


@schedule(w)
def s(s: Schedule) -> None:
    s.tile("i", 64, 16)
    s.unroll("i")
    s.unroll("i")
#> 15:5 error wsp.bound-twice: how loop `i` runs is said twice: `unroll`
#>   3:5 here already
#>   hint: take one of them out

#: unroll of no loop
@workload
def w(x: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        for j in P(N):
            acc = zeros(f32, i, j)
            for k in seq(K):
                acc = matmul(x[i, k], b[k, j], acc)
            y[i, j] = acc


@schedule(w)
def s(s: Schedule) -> None:
    s.unroll("q")
#> 13:14 error wsp.unknown-loop: `w` has no loop `q`
#>   hint: did you mean `i`?

#: vectorize along a column
@workload
def w(x: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        for j in P(N):
            acc = zeros(f32, i, j)
            for k in seq(K):
                acc = matmul(x[i, k], b[k, j], acc)
            y[i, j] = acc


@schedule(w)
def s(s: Schedule) -> None:
    s.vectorize("i")
#> 13:17 error wsp.not-consecutive: loop `i` does not run along the elements of `x` that lie side by side
#>   7:32 dimension 0 of 2
#>   hint: vectorize the loop whose block is the last index

#: vectorize of an ordered loop
@workload
def w(x: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        for j in P(N):
            acc = zeros(f32, i, j)
            for k in seq(K):
                acc = matmul(x[i, k], b[k, j], acc)
            y[i, j] = acc


@schedule(w)
def s(s: Schedule) -> None:
    s.vectorize("k")
#> 13:17 error wsp.ordered-loop: loop `k` is ordered, and `vectorize` needs iterations that are independent
#>   6:22 `seq`: one after the other
#>   7:17 bound here
#>   7:48 read here, before this iteration binds it
#>   hint: make another loop parallel: this one's iterations depend on each other

#: vectorize of a width that does not divide
@workload
def w(x: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        for j in P(N):
            acc = zeros(f32, i, j)
            for k in seq(K):
                acc = matmul(x[i, k], b[k, j], acc)
            y[i, j] = acc


@schedule(w)
def s(s: Schedule) -> None:
    s.tile("j", 24)
    s.vectorize("j")
#> 14:17 error wsp.vector-width: the blocks of loop `j` are of 24, which the vectors of 16 lanes do not divide
#>   4:18 its size
#>   hint: give it a multiple of 16

#: vectorize of a dtype without vectors
from htp import f64


@workload
def w(x: In[Tensor[f64, M, N]], y: Out[Tensor[f64, M, N]]) -> None:
    for i in P(M):
        for j in P(N):
            y[i, j] = x[i, j]


@schedule(w)
def s(s: Schedule) -> None:
    s.vectorize("j")
#> 13:17 error wsp.no-vectors: the target `test` has no vectors for loop `j`
#>   7:9 what it indexes has no vectors there
#>   hint: leave the directive out for this target, or index a tensor of f32 or f64 with the loop's block

#: vectorize twice
@workload
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        for j in P(N):
            y[i, j] = x[i, j]


@schedule(w)
def s(s: Schedule) -> None:
    s.vectorize("j")
    s.vectorize("j")
#> 11:5 error wsp.bound-twice: how loop `j` runs is said twice: `vectorize`
#>   4:9 here already
#>   hint: take one of them out

#: vectorize with a value
@workload
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        for j in P(N):
            y[i, j] = x[i, j]


@schedule(w)
def s(s: Schedule) -> None:
    s.vectorize("j", 16)
#> 10:5 error wsp.bad-arguments: `vectorize` takes a loop
#>   hint: write it like `s.vectorize("j")`

#: pipeline without a depth
@workload
def w(x: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        for j in P(N):
            acc = zeros(f32, i, j)
            for k in seq(K):
                acc = matmul(x[i, k], b[k, j], acc)
            y[i, j] = acc


@schedule(w)
def s(s: Schedule) -> None:
    s.pipeline("k")
#> 13:5 error wsp.bad-arguments: `pipeline` takes a loop and `depth=`
#>   hint: write it like `s.pipeline("k", depth=2)`

#: pipeline of depth 1
@workload
def w(x: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        for j in P(N):
            acc = zeros(f32, i, j)
            for k in seq(K):
                acc = matmul(x[i, k], b[k, j], acc)
            y[i, j] = acc


@schedule(w)
def s(s: Schedule) -> None:
    s.pipeline("k", depth=1)
#> 13:27 error wsp.bad-number: `depth` is a compile-time int of at least 2, not `1`
#>   hint: write an int of 2 or more, or a constant of the module

#: pipeline of a depth that is no constant
@workload
def w(x: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        for j in P(N):
            acc = zeros(f32, i, j)
            for k in seq(K):
                acc = matmul(x[i, k], b[k, j], acc)
            y[i, j] = acc


@schedule(w)
def s(s: Schedule) -> None:
    s.pipeline("k", depth=M)
#> 13:27 error wsp.bad-number: `depth` is a compile-time int of at least 2, not `M`
#>   hint: write an int of 2 or more, or a constant of the module

#: pipeline twice
@workload
def w(x: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        for j in P(N):
            acc = zeros(f32, i, j)
            for k in seq(K):
                acc = matmul(x[i, k], b[k, j], acc)
            y[i, j] = acc


@schedule(w)
def s(s: Schedule) -> None:
    s.pipeline("k", depth=2)
    s.pipeline("k", depth=2)
#> 14:5 error wsp.bound-twice: how loop `k` runs is said twice: `pipeline`
#>   6:13 here already
#>   hint: take one of them out

#: pipeline of a loop that reads what it writes
@workload
def w(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]]) -> None:
    for i in seq(M):
        y[i, :] = x[i, :] + y[0, :]


@schedule(w)
def s(s: Schedule) -> None:
    s.pipeline("i", depth=2)
#> 9:16 error wsp.not-pipelined: iterations of loop `i` cannot overlap: one may read what another writes to `y`
#>   4:9 written here
#>   4:29 read here
#>   hint: pipeline a loop that reads and writes different tensors

#: parallel of a fused loop with a sum behind
@workload
def w(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]], z: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        y[i, :] = exp(x[i, :])
    for j in P(M):
        z[j, :] = y[j, :] + 1.0


@schedule(w)
def s(s: Schedule) -> None:
    s.fuse("i", "j")
    s.parallel("j")
#> 12:16 error wsp.unknown-loop: `w` has no loop `j`
#>   hint: did you mean `i`?

#: bind of a loop that is parallel
@workload
def w(x: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        for j in P(N):
            acc = zeros(f32, i, j)
            for k in seq(K):
                acc = matmul(x[i, k], b[k, j], acc)
            y[i, j] = acc


@schedule(w)
def s(s: Schedule) -> None:
    s.bind("i", level="core")
    s.bind("i", level="core")
#> 14:5 error wsp.bound-twice: how loop `i` runs is said twice: `bind`
#>   3:5 here already
#>   hint: take one of them out
