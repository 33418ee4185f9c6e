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

#: cache of no tensor
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
    s.cache("a", at="i")
#> 13:13 error wsp.unknown-tensor: `w` has no tensor `a`
#>   hint: did you mean `b`?

#: cache of a tile
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
    s.cache("acc", at="i")
#> 13:13 error wsp.unknown-tensor: `w` has no tensor `acc`
#>   hint: it has: `b`, `x`, `y`

#: cache in no loop
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
    s.cache("x", at="m")
#> 13:21 error wsp.unknown-loop: `w` has no loop `m`
#>   hint: did you mean `i`?

#: cache without a loop
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
    s.cache("x")
#> 13:5 error wsp.bad-arguments: `cache` takes a tensor and `at=`
#>   hint: write it like `s.cache("b", at="j")`

#: cache of what the loop does not read
@workload
def w(x: In[Tensor[f32, M, N]], z: Out[Tensor[f32, M, N]]) -> None:
    y = buffer(f32, M, N)
    for i in P(M):
        y[i, :] = exp(x[i, :])
    for j in P(M):
        z[j, :] = y[j, :] + 1.0


@schedule(w)
def s(s: Schedule) -> None:
    s.cache("x", at="j")
#> 12:13 error wsp.not-read: loop `j` does not read `x`
#>   6:5 this loop
#>   hint: name a loop that reads it

#: cache of what the loop writes
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
    s.cache("y", at="j")
#> 13:5 error wsp.copied-written: `y` cannot be read from a copy in loop `j`: the loop writes it
#>   8:13 written here
#>   hint: copy what the loop only reads

#: cache of what the loop reads and writes
@workload
def w(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]], z: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        y[i, :] = exp(x[i, :])
    for j in P(M):
        z[j, :] = y[j, :] + 1.0


@schedule(w)
def s(s: Schedule) -> None:
    s.fuse("i", "j")
    s.cache("y", at="i")
#> 12:5 error wsp.copied-written: `y` cannot be read from a copy in loop `i`: the loop writes it
#>   4:9 written here
#>   hint: copy what the loop only reads

#: cache in a space that is none
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
    s.cache("x", at="i", space="ub")
#> 13:32 error wsp.unknown-space: the target `test` has no memory space `ub`
#>   hint: it has: `memory`, `stack`

#: cache of a size that is not known
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
    s.tile("i", 16)
    s.cache("x", at="i", space="stack")
#> 14:5 error wsp.unknown-footprint: `x_local` takes 16 x K x 4 bytes, which is not known to fit into `stack` of 65536 bytes
#>   hint: tile the loops whose blocks it holds, and hold one block of each dimension

#: cache that is too large
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
    s.tile("i", 256)
    s.tile("k", 128)
    s.cache("x", at="k", space="stack")
#> 15:5 error wsp.over-capacity: `x_local` takes 256 x 128 x 4 bytes = 131072 bytes, and `stack` holds 65536
#>   hint: make the blocks smaller, or use another space

#: caches that are too large together
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
    s.tile("j", 224)
    s.tile("k", 64)
    s.cache("x", at="k", space="stack")
    s.cache("b", at="k", space="stack")
#> 17:5 error wsp.over-capacity: `b_local` takes 64 x 224 x 4 bytes = 57344 bytes, and `stack` holds 65536
#>   note: other buffers in `stack` take 16384 bytes
#>   hint: make the blocks smaller, or use another space

#: pack of a vector
@workload
def w(x: In[Tensor[f32, M]], y: Out[Tensor[f32, M]]) -> None:
    for i in P(M):
        y[i] = x[i]


@schedule(w)
def s(s: Schedule) -> None:
    s.pack("x", at="i")
#> 9:12 error wsp.nothing-to-turn: `x` cannot be packed
#>   hint: `cache` holds it as it is

#: pack of what a call reads
@workload
def w(x: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        for j in P(N):
            acc = zeros(f32, i, j)
            for k in seq(K):
                acc = matmul(load(x, i, k), b[k, j], acc)
            y[i, j] = acc


@schedule(w)
def s(s: Schedule) -> None:
    s.pack("x", at="i")
#> 13:12 error wsp.nothing-to-turn: `x` cannot be packed
#>   hint: read it by `x[…]`

#: pack of no tensor
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
    s.pack("z", at="i")
#> 13:12 error wsp.unknown-tensor: `w` has no tensor `z`
#>   hint: did you mean `b`?

#: prefetch in a loop that is pipelined
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
    s.prefetch("b", at="k")
#> 14:5 error wsp.bound-twice: how loop `k` runs is said twice: `prefetch`
#>   6:13 here already
#>   hint: take one of them out

#: prefetch of depth 1
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
    s.prefetch("b", at="k", depth=1)
#> 13:35 error wsp.bad-number: `depth` is a compile-time int of at least 2, not `1`
#>   hint: write an int of 2 or more, or a constant of the module

#: buffer of a parameter
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
    s.buffer("x", space="memory")
#> 13:14 error wsp.not-a-buffer: `x` is no buffer of the workload's own
#>   2:7 a parameter
#>   hint: make a copy of a parameter with `cache`, or write `h = buffer(f32, M, N)` in the workload

#: buffer in a space that is none
@workload
def w(x: In[Tensor[f32, M, N]], z: Out[Tensor[f32, M, N]]) -> None:
    y = buffer(f32, M, N)
    for i in P(M):
        y[i, :] = exp(x[i, :])
    for j in P(M):
        z[j, :] = y[j, :] + 1.0


@schedule(w)
def s(s: Schedule) -> None:
    s.buffer("y", space="l1")
#> 12:25 error wsp.unknown-space: the target `test` has no memory space `l1`
#>   hint: it has: `memory`, `stack`

#: buffer of a size that is not known
@workload
def w(x: In[Tensor[f32, M, N]], z: Out[Tensor[f32, M, N]]) -> None:
    y = buffer(f32, M, N)
    for i in P(M):
        y[i, :] = exp(x[i, :])
    for j in P(M):
        z[j, :] = y[j, :] + 1.0


@schedule(w)
def s(s: Schedule) -> None:
    s.buffer("y", space="stack")
#> 12:5 error wsp.unknown-footprint: `y` takes M x N x 4 bytes, which is not known to fit into `stack` of 65536 bytes
#>   hint: tile the loops whose blocks it holds, and hold one block of each dimension

#: buffer without a space
@workload
def w(x: In[Tensor[f32, M, N]], z: Out[Tensor[f32, M, N]]) -> None:
    y = buffer(f32, M, N)
    for i in P(M):
        y[i, :] = exp(x[i, :])
    for j in P(M):
        z[j, :] = y[j, :] + 1.0


@schedule(w)
def s(s: Schedule) -> None:
    s.buffer("y")
#> 12:5 error wsp.bad-arguments: `buffer` takes a tensor and `space=`
#>   hint: write it like `s.buffer("h", space="stack")`

#: compute_at in itself
@workload
def w(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]], z: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        y[i, :] = exp(x[i, :])
    for j in P(M):
        z[j, :] = y[j, :] + 1.0


@schedule(w)
def s(s: Schedule) -> None:
    s.compute_at("i", at="i")
#> 11:26 error wsp.named-twice: loop `i` is named twice
#>   hint: name each loop once

#: compute_at in a loop before
@workload
def w(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]], z: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        y[i, :] = exp(x[i, :])
    for j in P(M):
        z[j, :] = y[j, :] + 1.0


@schedule(w)
def s(s: Schedule) -> None:
    s.compute_at("j", at="i")
#> 11:5 error wsp.not-before: loop `j` does not stand before loop `i`, in the same block
#>   5:5 what is computed
#>   3:5 where it is needed
#>   hint: name the loop that computes first, and as `at=` the one that needs it; put what is outside in step by step

#: compute_at in a loop that is not beside
@workload
def w(x: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], c: Out[Tensor[f32, M, N]]) -> None:
    h = buffer(f32, M, K)
    for p in P(M):
        for q in P(K):
            t = exp(x[p, q])
            h[p, q] = t * 2.0
    for i in P(M):
        for j in P(N):
            acc = zeros(f32, i, j)
            for k in seq(K):
                acc = matmul(h[i, k], b[k, j], acc)
            c[i, j] = acc


@schedule(w)
def s(s: Schedule) -> None:
    s.compute_at("p", at="j")
#> 18:5 error wsp.not-before: loop `p` does not stand before loop `j`, in the same block
#>   4:5 what is computed
#>   9:9 where it is needed
#>   hint: name the loop that computes first, and as `at=` the one that needs it; put what is outside in step by step

#: compute_at in no loop
@workload
def w(x: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], c: Out[Tensor[f32, M, N]]) -> None:
    h = buffer(f32, M, K)
    for p in P(M):
        for q in P(K):
            t = exp(x[p, q])
            h[p, q] = t * 2.0
    for i in P(M):
        for j in P(N):
            acc = zeros(f32, i, j)
            for k in seq(K):
                acc = matmul(h[i, k], b[k, j], acc)
            c[i, j] = acc


@schedule(w)
def s(s: Schedule) -> None:
    s.compute_at("p", at="o")
#> 18:26 error wsp.unknown-loop: `w` has no loop `o`
#>   hint: did you mean `p`?

#: compute_at of an ordered loop
@workload
def w(x: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], c: Out[Tensor[f32, M, N]]) -> None:
    h = buffer(f32, M, K)
    for p in seq(M):
        for q in P(K):
            t = exp(x[p, q])
            h[p, q] = t * 2.0
    for i in P(M):
        for j in P(N):
            acc = zeros(f32, i, j)
            for k in seq(K):
                acc = matmul(h[i, k], b[k, j], acc)
            c[i, j] = acc


@schedule(w)
def s(s: Schedule) -> None:
    s.compute_at("p", at="i")
#> 18:18 error wsp.not-moved-form: loop `p` cannot be computed in another: it is ordered, or says how it runs
#>   4:14 so it is written here
#>   hint: say how it runs behind `compute_at`, or use `P` where iterations are independent

#: compute_at of a parallel loop
@workload
def w(x: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], c: Out[Tensor[f32, M, N]]) -> None:
    h = buffer(f32, M, K)
    for p in P(M):
        for q in P(K):
            t = exp(x[p, q])
            h[p, q] = t * 2.0
    for i in P(M):
        for j in P(N):
            acc = zeros(f32, i, j)
            for k in seq(K):
                acc = matmul(h[i, k], b[k, j], acc)
            c[i, j] = acc


@schedule(w)
def s(s: Schedule) -> None:
    s.parallel("p")
    s.compute_at("p", at="i")
#> 19:18 error wsp.not-moved-form: loop `p` cannot be computed in another: it is ordered, or says how it runs
#>   4:14 so it is written here
#>   hint: say how it runs behind `compute_at`, or use `P` where iterations are independent

#: compute_at of other blocks
@workload
def w(x: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], c: Out[Tensor[f32, M, N]]) -> None:
    h = buffer(f32, M, K)
    for p in P(M):
        for q in P(K):
            t = exp(x[p, q])
            h[p, q] = t * 2.0
    for i in P(M):
        for j in P(N):
            acc = zeros(f32, i, j)
            for k in seq(K):
                acc = matmul(h[i, k], b[k, j], acc)
            c[i, j] = acc


@schedule(w)
def s(s: Schedule) -> None:
    s.tile("p", 64)
    s.tile("i", 16)
    s.compute_at("p", at="i")
#> 20:5 error wsp.different-ranges: loops `p` and `i` do not run over the same blocks
#>   4:14 one range
#>   8:14 the other
#>   hint: what is computed runs over the same extent, in blocks that are not larger

#: compute_at of another extent
@workload
def w(x: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], c: Out[Tensor[f32, M, N]]) -> None:
    h = buffer(f32, M, K)
    for p in P(K):
        for q in P(M):
            t = exp(x[q, p])
            h[q, p] = t * 2.0
    for i in P(M):
        for j in P(N):
            acc = zeros(f32, i, j)
            for k in seq(K):
                acc = matmul(h[i, k], b[k, j], acc)
            c[i, j] = acc


@schedule(w)
def s(s: Schedule) -> None:
    s.compute_at("p", at="i")
#> 18:5 error wsp.different-ranges: loops `p` and `i` do not run over the same blocks
#>   4:14 one range
#>   8:14 the other
#>   hint: what is computed runs over the same extent, in blocks that are not larger

#: compute_at of what is needed whole
@workload
def w(x: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], c: Out[Tensor[f32, M, N]]) -> None:
    h = buffer(f32, M, K)
    for p in P(M):
        for q in P(K):
            t = exp(x[p, q])
            h[p, q] = t * 2.0
    for i in seq(M):
        for j in P(N):
            acc = zeros(f32, M, j)
            for k in seq(K):
                acc = matmul(h[:, k], b[k, j], acc)
            c[:, j] = acc


@schedule(w)
def s(s: Schedule) -> None:
    s.compute_at("p", at="i")
#> 18:5 error wsp.not-moved: loop `p` cannot be computed in loop `i`: they depend on each other by `h`
#>   7:13 written here
#>   12:30 read here
#>   hint: what one writes and the other touches must be indexed by the loops' own blocks, in the same dimension

#: compute_at past what reads it
@workload
def w(x: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], c: InOut[Tensor[f32, M, N]]) -> None:
    h = buffer(f32, M, K)
    for p in P(M):
        for q in P(K):
            t = exp(x[p, q])
            h[p, q] = t * 2.0
    c[:, 0] = h[:, 0]
    for i in P(M):
        for j in P(N):
            acc = zeros(f32, i, j)
            for k in seq(K):
                acc = matmul(h[i, k], b[k, j], acc)
            c[i, j] = acc


@schedule(w)
def s(s: Schedule) -> None:
    s.compute_at("p", at="i")
#> 19:5 error wsp.not-moved: loop `p` cannot be computed in loop `i`: they depend on each other by `h`
#>   7:13 written here
#>   8:15 read here
#>   hint: what one writes and the other touches must be indexed by the loops' own blocks, in the same dimension

#: inline of a parameter
@workload
def w(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]], z: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        y[i, :] = exp(x[i, :])
    for j in P(M):
        z[j, :] = y[j, :] + 1.0


@schedule(w)
def s(s: Schedule) -> None:
    s.inline("y")
#> 11:14 error wsp.not-a-buffer: `y` is no buffer of the workload's own
#>   2:33 a parameter
#>   hint: make a copy of a parameter with `cache`, or write `h = buffer(f32, M, N)` in the workload

#: inline of no tensor
@workload
def w(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]], z: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        y[i, :] = exp(x[i, :])
    for j in P(M):
        z[j, :] = y[j, :] + 1.0


@schedule(w)
def s(s: Schedule) -> None:
    s.inline("t")
#> 11:14 error wsp.unknown-tensor: `w` has no tensor `t`
#>   hint: did you mean `x`?

#: inline of what is stored twice
@workload
def w(x: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], c: Out[Tensor[f32, M, N]]) -> None:
    h = buffer(f32, M, K)
    for p in P(M):
        for q in P(K):
            t = exp(x[p, q])
            h[p, q] = t * 2.0
    h[0, :] = x[0, :]
    for i in P(M):
        for j in P(N):
            acc = zeros(f32, i, j)
            for k in seq(K):
                acc = matmul(h[i, k], b[k, j], acc)
            c[i, j] = acc


@schedule(w)
def s(s: Schedule) -> None:
    s.inline("h")
#> 19:5 error wsp.not-inlined: `h` cannot be computed where it is read: it is stored to in several places
#>   8:5 and here
#>   hint: `compute_at` moves the loop as it is

#: inline of what is never stored
@workload
def w(x: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], c: InOut[Tensor[f32, M, N]]) -> None:
    h = buffer(f32, M, K)
    for p in P(M):
        for q in seq(K):
            t = exp(x[p, q])
            c[p, 0] = reduce_sum(t, axis=1)
    for i in P(M):
        for j in P(N):
            acc = zeros(f32, i, j)
            for k in seq(K):
                acc = matmul(h[i, k], b[k, j], acc)
            c[i, j] = acc


@schedule(w)
def s(s: Schedule) -> None:
    s.inline("h")
#> 18:5 error wsp.not-inlined: `h` cannot be computed where it is read: nothing is stored to it
#>   3:5 bound here
#>   hint: `compute_at` moves the loop as it is

#: inline of what is not in a loop
@workload
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    h = buffer(f32, M, N)
    h[:, :] = exp(x[:, :])
    for i in P(M):
        y[i, :] = h[i, :]


@schedule(w)
def s(s: Schedule) -> None:
    s.inline("h")
#> 11:5 error wsp.not-inlined: `h` cannot be computed where it is read: it is not stored to in a loop of its own
#>   4:5 stored here
#>   hint: `compute_at` moves the loop as it is

#: inline of what is computed in an ordered loop
@workload
def w(x: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], c: Out[Tensor[f32, M, N]]) -> None:
    h = buffer(f32, M, K)
    for p in seq(M):
        for q in P(K):
            t = exp(x[p, q])
            h[p, q] = t * 2.0
    for i in P(M):
        for j in P(N):
            acc = zeros(f32, i, j)
            for k in seq(K):
                acc = matmul(h[i, k], b[k, j], acc)
            c[i, j] = acc


@schedule(w)
def s(s: Schedule) -> None:
    s.inline("h")
#> 18:5 error wsp.not-inlined: `h` cannot be computed where it is read: a loop around is ordered
#>   4:14 this one
#>   hint: `compute_at` moves the loop as it is

#: inline of what is computed with a sum
@workload
def w(x: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], c: Out[Tensor[f32, M, N]]) -> None:
    h = buffer(f32, M, K)
    for p in P(M):
        for q in P(K):
            t = exp(x[p, q])
            for o in seq(K):
                t = t + x[p, o]
            h[p, q] = t * 2.0
    for i in P(M):
        for j in P(N):
            acc = zeros(f32, i, j)
            for k in seq(K):
                acc = matmul(h[i, k], b[k, j], acc)
            c[i, j] = acc


@schedule(w)
def s(s: Schedule) -> None:
    s.inline("h")
#> 20:5 error wsp.not-inlined: `h` cannot be computed where it is read: it is not computed by assignments alone
#>   7:13 this is none
#>   hint: `compute_at` moves the loop as it is

#: inline beside another store
@workload
def w(x: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], c: InOut[Tensor[f32, M, N]]) -> None:
    h = buffer(f32, M, K)
    for p in P(M):
        for q in P(K):
            t = exp(x[p, q])
            c[p, q] = t
            h[p, q] = t * 2.0
    for i in P(M):
        for j in P(N):
            acc = zeros(f32, i, j)
            for k in seq(K):
                acc = matmul(h[i, k], b[k, j], acc)
            c[i, j] = acc


@schedule(w)
def s(s: Schedule) -> None:
    s.inline("h")
#> 19:5 error wsp.not-inlined: `h` cannot be computed where it is read: something else is stored beside it
#>   7:13 stored here
#>   hint: `compute_at` moves the loop as it is

#: inline of a block read whole
@workload
def w(x: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], c: Out[Tensor[f32, M, N]]) -> None:
    h = buffer(f32, M, K)
    for p in P(M):
        for q in P(K):
            t = exp(x[p, q])
            h[p, q] = t * 2.0
    for i in P(M):
        for j in P(N):
            acc = zeros(f32, i, j)
            for k in seq(K):
                acc = matmul(h[i, :], b[:, j], acc)
            c[i, j] = acc


@schedule(w)
def s(s: Schedule) -> None:
    s.inline("h")
#> 18:5 error wsp.not-inlined: `h` cannot be computed where it is read: it is computed by blocks along dimension 1, and read in another way
#>   12:30 read here
#>   hint: `compute_at` moves the loop as it is

#: inline of a whole row read by blocks
@workload
def w(x: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], c: Out[Tensor[f32, M, N]]) -> None:
    h = buffer(f32, M, K)
    for p in P(M):
        h[p, :] = exp(x[p, :])
    for i in P(M):
        for j in P(N):
            acc = zeros(f32, i, j)
            for k in seq(K):
                acc = matmul(h[i, k], b[k, j], acc)
            c[i, j] = acc


@schedule(w)
def s(s: Schedule) -> None:
    s.inline("h")
#> 16:5 error wsp.not-inlined: `h` cannot be computed where it is read: it is computed whole along dimension 1, and read in another way
#>   10:30 read here
#>   hint: `compute_at` moves the loop as it is

#: inline of what nothing reads
@workload
def w(x: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], c: Out[Tensor[f32, M, N]]) -> None:
    h = buffer(f32, M, K)
    for p in P(M):
        for q in P(K):
            t = exp(x[p, q])
            h[p, q] = t * 2.0
    for i in P(M):
        for j in P(N):
            acc = zeros(f32, i, j)
            for k in seq(K):
                acc = matmul(x[i, k], b[k, j], acc)
            c[i, j] = acc


@schedule(w)
def s(s: Schedule) -> None:
    s.inline("h")
#> 18:5 error wsp.not-inlined: `h` cannot be computed where it is read: nothing reads it
#>   3:5 bound here
#>   hint: `compute_at` moves the loop as it is

#: inline of what is computed from something that changes
@workload
def w(x: InOut[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], c: Out[Tensor[f32, M, N]]) -> None:
    h = buffer(f32, M, K)
    for p in P(M):
        for q in P(K):
            t = exp(x[p, q])
            h[p, q] = t * 2.0
    x[0, 0] = 1.0
    for i in P(M):
        for j in P(N):
            acc = zeros(f32, i, j)
            for k in seq(K):
                acc = matmul(h[i, k], b[k, j], acc)
            c[i, j] = acc


@schedule(w)
def s(s: Schedule) -> None:
    s.inline("h")
#> 19:5 error wsp.not-inlined: `h` cannot be computed where it is read: what it is computed from, `x`, is written
#>   8:5 written here
#>   hint: `compute_at` moves the loop as it is

#: inline of what is computed from a name
@workload
def w(x: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], c: Out[Tensor[f32, M, N]]) -> None:
    h = buffer(f32, M, K)
    one = zeros(f32, 1, 1) + 1.0
    for p in P(M):
        for q in P(K):
            t = exp(x[p, q])
            h[p, q] = t + one
    for i in P(M):
        for j in P(N):
            acc = zeros(f32, i, j)
            for k in seq(K):
                acc = matmul(h[i, k], b[k, j], acc)
            c[i, j] = acc


@schedule(w)
def s(s: Schedule) -> None:
    s.inline("h")
#> 19:5 error wsp.not-inlined: `h` cannot be computed where it is read: it is computed from `one`, which is bound outside
#>   8:27 read here
#>   hint: `compute_at` moves the loop as it is

#: inline twice
@workload
def w(x: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], c: Out[Tensor[f32, M, N]]) -> None:
    h = buffer(f32, M, K)
    for p in P(M):
        for q in P(K):
            t = exp(x[p, q])
            h[p, q] = t * 2.0
    for i in P(M):
        for j in P(N):
            acc = zeros(f32, i, j)
            for k in seq(K):
                acc = matmul(h[i, k], b[k, j], acc)
            c[i, j] = acc


@schedule(w)
def s(s: Schedule) -> None:
    s.inline("h")
    s.inline("h")
#> 19:14 error wsp.unknown-tensor: `w` has no tensor `h`
#>   hint: did you mean `b`?

#: inline of what stands beside others
@workload
def w(x: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], c: InOut[Tensor[f32, M, N]]) -> None:
    h = buffer(f32, M, K)
    for p in P(M):
        c[p, 0] = x[p, 0]
        for q in P(K):
            t = exp(x[p, q])
            h[p, q] = t * 2.0
    for i in P(M):
        for j in P(N):
            acc = zeros(f32, i, j)
            for k in seq(K):
                acc = matmul(h[i, k], b[k, j], acc)
            c[i, j] = acc


@schedule(w)
def s(s: Schedule) -> None:
    s.inline("h")
#> 19:5 error wsp.not-inlined: `h` cannot be computed where it is read: its loops hold other things as well
#>   5:9 this stands there too
#>   hint: `compute_at` moves the loop as it is
