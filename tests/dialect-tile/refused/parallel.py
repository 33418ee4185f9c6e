#: carried
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    acc = zeros(f32, 1, N)
    for i in htp.parallel(tiles(M, 8)):
        acc = acc + reduce_sum(x[i, :], axis=0)
        y[i, :] = x[i, :] + acc
#> 4:5 error tile.carried: iterations of the parallel loop `i` depend on each other: `acc` is carried from one to the next
#>   5:15 read here, before this iteration binds it
#>   hint: bind it inside the loop, or leave `htp.parallel` out

#: read behind the loop
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    last = zeros(f32, 1, N)
    for i in htp.parallel(tiles(M, 8)):
        last = reduce_sum(x[i, :], axis=0)
        y[i, :] = x[i, :]
    y[0, :] = last
#> 4:5 error tile.escapes: iterations of the parallel loop `i` all bind `last`, and it is read behind the loop
#>   7:15 read here
#>   hint: store it, or leave `htp.parallel` out

#: same place
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        for j in htp.parallel(tiles(N, 8)):
            y[i, :] = x[i, :]
#> 4:9 error tile.same-element: two iterations of the parallel loop `j` write the same element of `y`, as the blocks from 0 and from 8 meet at `y[0, 0]` when M = 1, N = 9, i = 0
#>   5:13 written here
#>   hint: index it with `j`, or leave `htp.parallel` out

#: reads what others write
@kernel
def k(y: InOut[Tensor[f32, M, N]]) -> None:
    for i in htp.parallel(range(M)):
        y[i, :] = y[0, :]
#> 3:5 error tile.reads-written: an iteration of the parallel loop `i` reads what another one writes to `y`, as `i = 0` and `i = 1` meet at `y[0, 0]` when M = 2, N = 1
#>   4:9 written here
#>   4:19 read here
#>   hint: read it where `i` writes it, or leave `htp.parallel` out

#: unknown level
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in htp.parallel(tiles(M, 8), level="warp"):
        y[i, :] = x[i, :]
#> 3:46 error tile.unknown-level: the target `test` has no level `warp`
#>   hint: it has: `core`, `lane`

#: an inner index that only goes as far as the loop's own
@kernel
def k(x: In[Tensor[f32, N]], y: InOut[Tensor[f32, N]]) -> None:
    for i in htp.parallel(range(N)):
        for k in range(i):
            y[k] = x[k]
#> 3:5 error tile.same-element: two iterations of the parallel loop `i` write the same element of `y`, as `i = 1` and `i = 2` meet at `y[0]` when N = 3
#>   5:13 written here
#>   hint: index it with `i`, or leave `htp.parallel` out

#: an inner index as long as the loop's own block
@kernel
def k(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]]) -> None:
    for i in htp.parallel(tiles(M, 8)):
        for k in range(len(i)):
            y[k, :] = x[k, :]
#> 3:5 error tile.same-element: two iterations of the parallel loop `i` write the same element of `y`, as the blocks from 0 and from 8 meet at `y[0, 0]` when M = 9, N = 1
#>   5:13 written here
#>   hint: index it with `i`, or leave `htp.parallel` out

#: one name for a block of the loop's own and for another
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in htp.parallel(tiles(M, 8)):
        for k in tiles(i, 4):
            y[k, :] = x[k, :]
        for k in tiles(M, 4):
            y[k, :] = x[k, :]
#> 3:5 error tile.same-element: two iterations of the parallel loop `i` write the same element of `y`, as the blocks from 0 and from 8 meet at `y[0, 0]` when M = 9, N = 1
#>   5:13 written here
#>   7:13 and here
#>   hint: index it with `i`, or leave `htp.parallel` out

#: beneath another loop form
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in htp.unrolled(htp.parallel(tiles(M, 8))):
        y[:, :] = x[:, :]
#> 3:5 error tile.same-element: two iterations of the parallel loop `i` write the same element of `y`, as the blocks from 0 and from 8 meet at `y[0, 0]` when M = 9, N = 1
#>   4:9 written here
#>   hint: index it with `i`, or leave `htp.parallel` out

#: the variable of an int loop is bound again
@kernel
def k(x: In[Tensor[f32, N]], y: InOut[Tensor[f32, N]]) -> None:
    for n in range(N):
        y[n] = x[n]
        n = n + 1
#> 5:9 error tile.shadowed: `n` already stands for the variable of a loop
#>   3:9 bound here
#>   hint: use another name

#: and in a parallel loop
@kernel
def k(x: In[Tensor[f32, N]], y: InOut[Tensor[f32, N]]) -> None:
    for n in htp.parallel(range(N)):
        n = 0
        y[n] = x[n]
#> 4:9 error tile.shadowed: `n` already stands for the variable of a loop
#>   3:9 bound here
#>   hint: use another name

#: every second row, and those between
@kernel
def k(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, N, M]]) -> None:
    for p in htp.parallel(range(M)):
        y[2 * p, :] = 1.0
        y[p * 2 + 1, :] = y[2 * p + 3 - 2, :]
#> 4:11 note tile.maybe-outside: index `2 * p` may be outside dimension 0, as when M = 2, N = 1 and p = 1
#>   hint: it is checked when the program runs
#> 5:11 note tile.maybe-outside: index `p * 2 + 1` may be outside dimension 0, as when M = 1, N = 1 and p = 0
#>   hint: it is checked when the program runs
#> 5:29 note tile.maybe-outside: index `2 * p + 3 - 2` may be outside dimension 0, as when M = 1, N = 1 and p = 0
#>   hint: it is checked when the program runs

#: blocks that are spread, with others between
@kernel
def k(y: InOut[Tensor[f32, M, N]]) -> None:
    for i in htp.parallel(tiles(M, 8)):
        for j in tiles(i, 4):
            y[j * 3, :] = 1.0
            y[j * 3 + 1, :] = 2.0
#> 5:15 note tile.maybe-outside: index `j * 3` may be outside dimension 0, as when M = 2, N = 1, i = 0 and j = 0
#>   hint: it is checked when the program runs
#> 6:15 error tile.outside: index `j * 3 + 1` is outside dimension 0 at least once at every size that reaches it, as when M = 1, N = 1, i = 0 and j = 0
#>   hint: use an index from 0 to one less than the extent

#: spread by two and moved by two
@kernel
def k(y: InOut[Tensor[f32, M, N]]) -> None:
    for p in htp.parallel(range(1, M)):
        y[2 * p, :] = 1.0
        y[2 * p - 2, :] = 2.0
#> 3:5 error tile.same-element: two iterations of the parallel loop `p` write the same element of `y`, as `p = 1` and `p = 2` meet at `y[2, 0]` when M = 3, N = 1
#>   4:9 written here
#>   5:9 and here
#>   hint: index it with `p`, or leave `htp.parallel` out

#: spread by two and by three
@kernel
def k(y: InOut[Tensor[f32, M, N]]) -> None:
    for p in htp.parallel(range(M)):
        y[2 * p, :] = 1.0
        y[3 * p + 1, :] = 2.0
#> 3:5 error tile.same-element: two iterations of the parallel loop `p` write the same element of `y`, as `p = 1` and `p = 2` meet at `y[4, 0]` when M = 5, N = 1
#>   5:9 written here
#>   4:9 and here
#>   hint: index it with `p`, or leave `htp.parallel` out

#: moved, and its neighbour read
@kernel
def k(y: InOut[Tensor[f32, M, N]]) -> None:
    for p in htp.parallel(range(1, M)):
        y[p - 1, :] = y[p, :]
#> 3:5 error tile.reads-written: an iteration of the parallel loop `p` reads what another one writes to `y`, as `p = 1` and `p = 2` meet at `y[1, 0]` when M = 3, N = 1
#>   4:9 written here
#>   4:23 read here
#>   hint: read it where `p` writes it, or leave `htp.parallel` out

#: the row is not spread, but taken twice
@kernel
def k(y: InOut[Tensor[f32, M, N]]) -> None:
    for p in htp.parallel(range(M)):
        y[p - p, :] = 1.0
#> 3:5 error tile.same-element: two iterations of the parallel loop `p` write the same element of `y`, as `p = 0` and `p = 1` meet at `y[0, 0]` when M = 2, N = 1
#>   4:9 written here
#>   hint: index it with `p`, or leave `htp.parallel` out

#: an index that is moved by what each iteration has another of
@kernel
def k(x: In[Tensor[f32, N]], y: InOut[Tensor[f32, N]], by: int) -> None:
    for i in htp.parallel(range(N)):
        y[i + by] = x[i] + 1.0
    n = 0
    for i in htp.parallel(range(N)):
        n = i * 2
        y[i - n] = x[i]
#> 4:11 note tile.maybe-outside: index `i + by` may be outside dimension 0, as when N = 1, by = -1 and i = 0
#>   hint: it is checked when the program runs
#> 6:5 warning tile.maybe-dependent-iterations: the parallel loop `i` runs in order: that no two iterations touch the same element of `y` was not shown
#>   8:9 written here
#>   8:15 not known for all sizes: what this stands for
#>   hint: `k.races(…)` says under plain Python which iterations of a call meet
#>   hint: index with `i`, or leave `htp.parallel` out
#> 8:11 note tile.not-affine: index `i - n` was not shown to be inside dimension 0: it is not affine in the sizes and loops
#>   hint: it is checked when the program runs

#: indices that are moved by different ints
@kernel
def k(x: In[Tensor[f32, N]], y: InOut[Tensor[f32, N]], by: int, to: int) -> None:
    for i in htp.parallel(range(N)):
        y[i + by] = x[i]
        y[i + to] = x[i]
#> 3:5 error tile.same-element: two iterations of the parallel loop `i` write the same element of `y`, as `i = 0` and `i = 1` meet at `y[0]` when N = 2, by = 0, to = -1
#>   4:9 written here
#>   5:9 and here
#>   hint: index it with `i`, or leave `htp.parallel` out

#: whether iterations meet is for data to say
@kernel
def k(x: In[Tensor[f32, M]], places: In[Tensor[i32, M]], y: InOut[Tensor[f32, N]]) -> None:
    for p in htp.parallel(range(M)):
        y[index(places[p])] = x[p]
#> 3:5 warning tile.maybe-dependent-iterations: the parallel loop `p` runs in order: that no two iterations touch the same element of `y` was not shown
#>   4:9 written here
#>   4:11 not known for all sizes: what this stands for
#>   hint: `k.races(…)` says under plain Python which iterations of a call meet
#>   hint: index with `p`, or leave `htp.parallel` out
#> 4:11 note tile.not-affine: index `index(places[p])` was not shown to be inside dimension 0: it is not affine in the sizes and loops
#>   hint: it is checked when the program runs

#: two slices that overlap in one element
@kernel
def k(y: InOut[Tensor[f32, 4 * M + 1]]) -> None:
    for p in htp.parallel(range(M)):
        y[4 * p : 4 * p + 5] = 1.0
#> 3:5 error tile.same-element: two iterations of the parallel loop `p` write the same element of `y`, as `p = 0` and `p = 1` meet at `y[4]` when M = 2
#>   4:9 written here
#>   hint: index it with `p`, or leave `htp.parallel` out

#: what the next iteration writes, under a guard that lets it
@kernel
def k(y: InOut[Tensor[f32, M + 1]]) -> None:
    for p in htp.parallel(range(M)):
        y[p] = 1.0
        if p < M - 1:
            y[p + 1] = 2.0
#> 3:5 error tile.same-element: two iterations of the parallel loop `p` write the same element of `y`, as `p = 0` and `p = 1` meet at `y[1]` when M = 2
#>   6:13 written here
#>   4:9 and here
#>   hint: index it with `p`, or leave `htp.parallel` out

#: an int times a size, which is not affine
@kernel
def k(y: InOut[Tensor[f32, K]], x: In[Tensor[f32, M, N]]) -> None:
    for p in htp.parallel(range(M)):
        y[p * N] = reduce_sum(x[p, :], axis=1)
#> 3:5 warning tile.maybe-dependent-iterations: the parallel loop `p` runs in order: that no two iterations touch the same element of `y` was not shown
#>   4:9 written here
#>   4:11 not known for all sizes: what this stands for
#>   hint: `k.races(…)` says under plain Python which iterations of a call meet
#>   hint: index with `p`, or leave `htp.parallel` out
#> 4:11 note tile.not-affine: index `p * N` was not shown to be inside dimension 0: it is not affine in the sizes and loops
#>   hint: it is checked when the program runs
