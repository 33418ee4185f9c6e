#: carried
@workload
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    acc = zeros(f32, 1, N)
    for i in P(M):
        acc = acc + x[i, :]
        y[i, :] = acc
#> 4:5 error wsp.carried: iterations of loop `i` depend on each other: `acc` is carried from one to the next
#>   5:9 bound here
#>   5:15 read here, before this iteration binds it
#>   hint: use `seq` for this loop, or bind the name inside it before it is read

#: carried by an augmented assignment
@workload
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    acc = zeros(f32, 1, N)
    for i in P(M):
        acc += x[i, :]
        y[i, :] = acc
#> 4:5 error wsp.carried: iterations of loop `i` depend on each other: `acc` is carried from one to the next
#>   5:9 bound here
#>   5:9 read here, before this iteration binds it
#>   hint: use `seq` for this loop, or bind the name inside it before it is read

#: carried through an inner loop
@workload
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    acc = zeros(f32, 1, 1)
    for i in P(M):
        for j in seq(N):
            acc = acc + x[i, j]
        y[i, :] = acc
#> 4:5 error wsp.carried: iterations of loop `i` depend on each other: `acc` is carried from one to the next
#>   6:13 bound here
#>   6:19 read here, before this iteration binds it
#>   hint: use `seq` for this loop, or bind the name inside it before it is read

#: carried when a branch is not taken
@workload
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    v = zeros(f32, 1, N)
    for i in P(M):
        if M > 4:
            v = x[i, :]
        y[i, :] = v
#> 4:5 error wsp.carried: iterations of loop `i` depend on each other: `v` is carried from one to the next
#>   6:13 bound here
#>   7:19 read here, before this iteration binds it
#>   hint: use `seq` for this loop, or bind the name inside it before it is read

#: read behind the loop
@workload
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    last = zeros(f32, 1, N)
    for i in P(M):
        last = x[i, :]
        y[i, :] = last
    y[0, :] = last
#> 4:5 error wsp.escapes: iterations of loop `i` all bind `last`, and it is read behind the loop
#>   5:9 bound here
#>   7:15 read here, behind the loop
#>   hint: store it inside the loop, or use `seq`

#: read in the next turn of an outer loop
@workload
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    last = zeros(f32, 1, N)
    for k in seq(M):
        y[k, :] = last
        for i in P(M):
            last = x[0, :]
#> 6:9 error wsp.escapes: iterations of loop `i` all bind `last`, and it is read behind the loop
#>   7:13 bound here
#>   5:19 read here, behind the loop
#>   hint: store it inside the loop, or use `seq`

#: same place
@workload
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        for j in P(N):
            y[i, :] = x[i, :]
#> 4:9 error wsp.same-element: iterations of loop `j` may write the same element of `y`
#>   5:13 written here
#>   hint: index what is stored with the loop's block, or use `seq`

#: same place by a call
@workload
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        store(y, x[i, :], 0, slice)
#> 3:5 error wsp.same-element: iterations of loop `i` may write the same element of `y`
#>   4:9 written here
#>   hint: index what is stored with the loop's block, or use `seq`

#: two stores apart by different dimensions
@workload
def w(x: In[Tensor[f32, M, M]], y: Out[Tensor[f32, M, M]]) -> None:
    for i in P(M):
        y[i, :] = x[i, :]
        y[:, i] = x[:, i]
#> 3:5 error wsp.same-element: iterations of loop `i` may write the same element of `y`
#>   4:9 written here
#>   5:9 and here
#>   hint: index what is stored with the loop's block, or use `seq`

#: reads what others write
@workload
def w(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        y[i, :] = y[0, :] + x[i, :]
#> 3:5 error wsp.reads-written: iterations of loop `i` may read what others write to `y`
#>   4:9 written here
#>   4:19 read here
#>   hint: read it at the loop's own block, or use `seq`

#: loop without an extent
@workload
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in P():
        y[i, :] = x[i, :]
#> 3:5 error wsp.bad-loop: a workload's loop is `for name in P(extent)` or `seq(extent)`, not `for i in P()`
#>   hint: write `for i in P(M):` or `for k in seq(K):`

#: two targets
@workload
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i, j in P(M):
        y[i, :] = x[i, :]
#> 3:5 error wsp.bad-loop: a workload's loop is `for name in P(extent)` or `seq(extent)`, not `for i, j in P(M)`
#>   hint: write `for i in P(M):` or `for k in seq(K):`

#: what the tile language has not
@workload
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        while True:
            pass
        y[i, :] = x[i, :]
#> 4:9 error tile.endless: this `while` may run for ever
#>   hint: count the iterations: `n = 0` before it, `while n < 100 and …`, and `n += 1` in each

#: a sum along its own blocks
@workload
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        row = x[i, :]
        y[i, :] = row - reduce_sum(row * 2.0, axis=0)
#> 5:25 error wsp.own-block: `reduce_sum` runs along the blocks of `i`, which have any size
#>   3:14 `P`: blocks of any size
#>   hint: take the whole dimension, `:`, or carry the result through a `seq` loop

#: the largest of each block
@workload
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        for j in seq(N):
            y[i, j] = x[i, j] - reduce_max(x[i, j], axis=1)
#> 5:23 error wsp.partial: the `reduce_max` of one block of `j` is used before the other blocks are combined with it
#>   5:33 made here
#>   5:13 this depends on it
#>   4:18 blocks of any size
#>   hint: carry it from block to block: `s = s + reduce_sum(…)`, `m = maximum(m, reduce_max(…))`, or take the whole dimension, `:`
#>   hint: or say the size in the workload, `seq(N, 64)`: then it is what the program means

#: how large a block is
@workload
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        for j in P(N):
            n = len(j)
            for t in range(n):
                y[i, j] = x[i, j]
#> 6:28 error wsp.size-iterations: this loop's trip count depends on how large the blocks of `j` are
#>   5:17 it does here
#>   4:18 blocks of any size
#>   hint: carry it from block to block: `s = s + reduce_sum(…)`, `m = maximum(m, reduce_max(…))`, or take the whole dimension, `:`
#>   hint: or say the size in the workload, `P(N, 64)`: then it is what the program means

#: how many blocks there are
@workload
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, 1]]) -> None:
    for i in P(M):
        n = zeros(f32, i, 1)
        for j in seq(N):
            n = n * 0.5 + reduce_sum(x[i, j], axis=1)
        y[i, :] = n
#> 6:17 error wsp.pending: `n` is used before it holds all blocks of `j`
#>   6:13 this depends on it
#>   5:18 blocks of any size
#>   hint: carry it from block to block: `s = s + reduce_sum(…)`, `m = maximum(m, reduce_max(…))`, or take the whole dimension, `:`
#>   hint: or say the size in the workload, `seq(N, 64)`: then it is what the program means

#: what is known after some blocks
@workload
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        s = zeros(f32, i, 1)
        for j in seq(N):
            s = s + reduce_sum(x[i, j], axis=1)
            y[i, j] = x[i, j] + s
#> 7:23 error wsp.pending: `s` is used before it holds all blocks of `j`
#>   7:13 this depends on it
#>   5:18 blocks of any size
#>   hint: carry it from block to block: `s = s + reduce_sum(…)`, `m = maximum(m, reduce_max(…))`, or take the whole dimension, `:`
#>   hint: or say the size in the workload, `seq(N, 64)`: then it is what the program means

#: a running sum and the sum of something else
@workload
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        s = zeros(f32, i, 1)
        for j in seq(N):
            y[i, j] = scan_sum(x[i, j], axis=1) + s
            s = s + reduce_sum(x[i, j] * 2.0, axis=1)
#> 7:13 error wsp.size-carried: the value of `s` behind a block depends on how large the blocks of `j` are
#>   5:18 blocks of any size
#>   hint: carry it from block to block: `s = s + reduce_sum(…)`, `m = maximum(m, reduce_max(…))`, or take the whole dimension, `:`
#>   hint: or say the size in the workload, `seq(N, 64)`: then it is what the program means

#: what is kept of a block, beside the others
@workload
def w(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        for j in seq(N):
            y[i, j] = y[i, j] + y[i, 0]
#> 5:13 error wsp.size-matters: what is stored to `y` depends on how large the blocks of `j` are
#>   5:33 it does here
#>   4:18 blocks of any size
#>   hint: carry it from block to block: `s = s + reduce_sum(…)`, `m = maximum(m, reduce_max(…))`, or take the whole dimension, `:`
#>   hint: or say the size in the workload, `seq(N, 64)`: then it is what the program means

#: two stores to each other's places
@workload
def w(x: In[Tensor[f32, M, N]], h: InOut[Tensor[f32, M, 600]]) -> None:
    for i in P(M):
        for j in seq(N):
            h[i, j] = x[i, j]
            h[i, j + 1] = x[i, j] * 2.0
#> 5:13 error wsp.size-matters: what is stored to `h` depends on how large the blocks of `j` are
#>   4:18 blocks of any size
#>   hint: carry it from block to block: `s = s + reduce_sum(…)`, `m = maximum(m, reduce_max(…))`, or take the whole dimension, `:`
#>   hint: or say the size in the workload, `seq(N, 64)`: then it is what the program means
#> 6:13 error wsp.size-matters: what is stored to `h` depends on how large the blocks of `j` are
#>   4:18 blocks of any size
#>   hint: carry it from block to block: `s = s + reduce_sum(…)`, `m = maximum(m, reduce_max(…))`, or take the whole dimension, `:`
#>   hint: or say the size in the workload, `seq(N, 64)`: then it is what the program means

#: sums relative to an extreme that moves
@workload
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, 1]]) -> None:
    for i in P(M):
        m = full(f32, -1.0, i, 1)
        s = zeros(f32, i, 1)
        for j in seq(N):
            now = maximum(m, reduce_max(x[i, j], axis=1))
            s = s + reduce_sum(exp(x[i, j] - now), axis=1)
            m = now
        y[i, :] = s
#> 8:13 error wsp.size-carried: the value of `s` behind a block depends on how large the blocks of `j` are
#>   6:18 blocks of any size
#>   hint: carry it from block to block: `s = s + reduce_sum(…)`, `m = maximum(m, reduce_max(…))`, or take the whole dimension, `:`
#>   hint: or say the size in the workload, `seq(N, 64)`: then it is what the program means

#: sums relative to another extreme than the one that is kept
@workload
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, 1]]) -> None:
    for i in P(M):
        m = full(f32, -1.0, i, 1)
        s = zeros(f32, i, 1)
        for j in seq(N):
            now = maximum(m, reduce_max(x[i, j], axis=1))
            s = s * exp(m - now) + reduce_sum(exp(x[i, j] - now), axis=1)
            m = maximum(now, reduce_max(x[i, j] * 2.0, axis=1))
        y[i, :] = s
#> 8:13 error wsp.size-carried: the value of `s` behind a block depends on how large the blocks of `j` are
#>   6:18 blocks of any size
#>   hint: carry it from block to block: `s = s + reduce_sum(…)`, `m = maximum(m, reduce_max(…))`, or take the whole dimension, `:`
#>   hint: or say the size in the workload, `seq(N, 64)`: then it is what the program means

#: the blocks that the workload means are cut
@workload
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        for j in seq(N, 64):
            y[i, j] = x[i, j] - reduce_max(x[i, j], axis=1)
@schedule(w)
def s(s: Schedule) -> None:
    s.split("j", 16)
#> 8:5 error wsp.size-meant: this changes the blocks of loop `j`, and what is computed depends on their size
#>   4:25 the size that the program means
#>   hint: leave its blocks as they are, or make the result independent of their size

#: a sum along both of its own blocks
@workload
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        for j in seq(N):
            y[i, j] = x[i, j] - reduce_sum(x[i, j], axis=(-1, 0))
#> 5:33 error wsp.own-block: `reduce_sum` runs along the blocks of `i`, which have any size
#>   3:14 `P`: blocks of any size
#>   hint: take the whole dimension, `:`, or carry the result through a `seq` loop

#: a sum along blocks of which one is carried
@workload
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in seq(M):
        for j in seq(N):
            y[i, j] = x[i, j] - reduce_sum(x[i, j], axis=(0, 1))
#> 5:23 error wsp.partial: the `reduce_sum` of one block of `j` is used before the other blocks are combined with it
#>   5:33 made here
#>   5:13 this depends on it
#>   4:18 blocks of any size
#>   hint: carry it from block to block: `s = s + reduce_sum(…)`, `m = maximum(m, reduce_max(…))`, or take the whole dimension, `:`
#>   hint: or say the size in the workload, `seq(N, 64)`: then it is what the program means

#: an axis that is a constant of the module
@workload
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        y[i, :] = x[i, :] - reduce_sum(x[i, :], axis=1 - 1)
#> 4:29 error wsp.own-block: `reduce_sum` runs along the blocks of `i`, which have any size
#>   3:14 `P`: blocks of any size
#>   hint: take the whole dimension, `:`, or carry the result through a `seq` loop

#: a part of a sum that is stored as it is
@workload
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, 1]], z: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        s = zeros(f32, i, 1)
        for j in seq(N):
            s = s + reduce_sum(x[i, j], axis=1)
            z[i, j] = s
        for k in seq(N):
            y[i, :] = reduce_sum(x[i, k], axis=1)
#> 7:13 error wsp.pending: `s` is used before it holds all blocks of `j`
#>   5:18 blocks of any size
#>   hint: carry it from block to block: `s = s + reduce_sum(…)`, `m = maximum(m, reduce_max(…))`, or take the whole dimension, `:`
#>   hint: or say the size in the workload, `seq(N, 64)`: then it is what the program means
#> 9:13 error wsp.partial: the `reduce_sum` of one block of `k` is used before the other blocks are combined with it
#>   9:23 made here
#>   8:18 blocks of any size
#>   hint: carry it from block to block: `s = s + reduce_sum(…)`, `m = maximum(m, reduce_max(…))`, or take the whole dimension, `:`
#>   hint: or say the size in the workload, `seq(N, 64)`: then it is what the program means

#: a part of a product that is used before the rest is added
@workload
def w(x: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        acc = zeros(f32, i, N)
        for k in seq(K):
            acc = acc + exp(matmul(x[i, k], b[k, :]))
        y[i, :] = acc
#> 6:25 error wsp.partial: the `matmul` of one block of `k` is used before the other blocks are combined with it
#>   6:29 made here
#>   6:13 this depends on it
#>   5:18 blocks of any size
#>   hint: carry it from block to block: `s = s + reduce_sum(…)`, `m = maximum(m, reduce_max(…))`, or take the whole dimension, `:`
#>   hint: or say the size in the workload, `seq(K, 64)`: then it is what the program means

#: a range up to an int that a call gives
@workload
def w(x: In[Tensor[f32, M]], y: InOut[Tensor[f32, M]], n: int) -> None:
    for i in P(1, n):
        y[i] = x[i]
#> 3:19 error wsp.bad-size: a block size is a compile-time int of at least 1, not `n`
#>   hint: `P(extent, size)` has blocks of a size; `P(low, high)` and `P(low, high, size)` run over a range, whose end is made of dims and ints

#: a range with something more
@workload
def w(x: In[Tensor[f32, M]], y: InOut[Tensor[f32, M]]) -> None:
    for i in P(1, M, 8, 2):
        y[i] = x[i]
#> 3:5 error wsp.bad-loop: a workload's loop is `for name in P(extent)` or `seq(extent)`, not `for i in P(1, M, 8, 2)`
#>   hint: write `for i in P(M):` or `for k in seq(K):`

#: a range in blocks of no size
@workload
def w(x: In[Tensor[f32, M]], y: InOut[Tensor[f32, M]]) -> None:
    for i in P(1, M, M):
        y[i] = x[i]
#> 3:22 error wsp.bad-size: a block size is a compile-time int of at least 1, not `M`
#>   hint: `P(extent, size)` has blocks of a size; `P(low, high)` and `P(low, high, size)` run over a range, whose end is made of dims and ints

#: a branch on the length of a block
@workload
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        for j in P(N):
            if len(j) > 4:
                y[i, j] = x[i, j]
            else:
                y[i, j] = x[i, j] * 2.0
#> 5:16 error wsp.size-branch: this condition depends on how large the blocks of `j` are
#>   5:16 it does here
#>   4:18 blocks of any size
#>   hint: carry it from block to block: `s = s + reduce_sum(…)`, `m = maximum(m, reduce_max(…))`, or take the whole dimension, `:`
#>   hint: or say the size in the workload, `P(N, 64)`: then it is what the program means

#: an index by the length of a block
@workload
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        for j in P(N):
            y[i, j] = x[i, j] + x[i, len(j) - 1]
#> 5:38 error wsp.size-index: this index depends on how large the blocks of `j` are
#>   5:38 it does here
#>   4:18 blocks of any size
#>   hint: carry it from block to block: `s = s + reduce_sum(…)`, `m = maximum(m, reduce_max(…))`, or take the whole dimension, `:`
#>   hint: or say the size in the workload, `P(N, 64)`: then it is what the program means
