#: blocks leave no element out
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for n in range(M // SIZE):
        y[n, :] = x[n, :]
#> 2:33 error tile.unwritten-output: `y` is an output, and is not written at [0, 0] when M = 1 and N = 1
#>   4:9 written here
#>   hint: write all of it, at every size: `y[:, …] = …` is all of a dimension, `tiles` its blocks

#: a branch that writes nothing
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, SIZE):
        if N > 64:
            y[i, :] = x[i, :]
#> 2:33 error tile.unwritten-output: `y` is an output, and is not written at [0, 0] when M = 1 and N = 1
#>   5:13 written here
#>   hint: write all of it, at every size: `y[:, …] = …` is all of a dimension, `tiles` its blocks

#: the last column
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, SIZE):
        for n in range(N - 1):
            y[i, n] = x[i, n + 1]
#> 2:33 error tile.unwritten-output: `y` is an output, and is not written at [0, 0] when M = 1 and N = 1
#>   5:13 written here
#>   hint: write all of it, at every size: `y[:, …] = …` is all of a dimension, `tiles` its blocks

#: every other row, and one of them twice
@kernel
def k(x: In[Tensor[f32, 6, N]], y: Out[Tensor[f32, 6, N]]) -> None:
    for n in range(0, 6, 2):
        y[n, :] = x[n, :]
    for n in range(3, 6, 2):
        y[n, :] = x[n, :]
#> 2:33 error tile.unwritten-output: `y` is an output, and is not written at [1, 0] when N = 1
#>   4:9 written here
#>   6:9 written here
#>   hint: write all of it, at every size: `y[:, …] = …` is all of a dimension, `tiles` its blocks

#: only one output
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]], z: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, SIZE):
        y[i, :] = x[i, :]
        z[i, 0] = reduce_sum(x[i, :], axis=1)
#> 2:60 error tile.unwritten-output: `z` is an output, and is not written at [0, 1] when M = 1 and N = 2
#>   5:9 written here
#>   hint: write all of it, at every size: `z[:, …] = …` is all of a dimension, `tiles` its blocks

#: a loop that does not run
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, 1]]) -> None:
    for i in tiles(M, SIZE):
        for j in tiles(N, SIZE):
            y[i, 0] = reduce_sum(x[i, j], axis=1)
#> 2:33 warning tile.unwritten-empty: some of `y`, an output, is not written when M = 1 and N = 0
#>   5:13 written here
#>   hint: store to it outside the loop that does not run then

#: a condition that is not affine
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for n in range(M):
        if n * n < M:
            y[n, :] = x[n, :]
        if n * n >= M:
            y[n, :] = 0.0
#> 2:33 warning tile.maybe-unwritten: that all of `y` is written was not shown
#>   4:12 not known for all sizes: whether this holds
#>   hint: `k.unwritten(…)` says under plain Python what a call leaves unwritten

#: an int that changes
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    at = 0
    for n in range(M):
        y[at, :] = x[n, :]
        at = at + 1
#> 2:33 warning tile.maybe-unwritten: that all of `y` is written was not shown
#>   5:11 not known for all sizes: which index this is
#>   hint: `k.unwritten(…)` says under plain Python what a call leaves unwritten
#> 5:11 note tile.not-affine: index `at` was not shown to be inside dimension 0: it is not affine in the sizes and loops
#>   hint: it is checked when the program runs

#: indices whose arithmetic takes too many steps to look at
@kernel
def k(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]]) -> None:
    for i in range(M):
        for j in range(N):
            y[i, j] = x[((i * 7 + j * 13) % 31 + (i * 11 + j * 3) % 29 + (i * 5 + j * 17) % 37) // 3, ((i * 23 + j * 2) % 43 + (i + j * 9) % 47 + (i * 2 + j) % 53) // 2]
#> 5:15 note tile.unproved-index: index `i` was not shown to be inside dimension 0: the arithmetic of this kernel's indices is too involved
#>   hint: it is checked when the program runs
#> 5:18 note tile.unproved-index: index `j` was not shown to be inside dimension 1: the arithmetic of this kernel's indices is too involved
#>   hint: it is checked when the program runs
#> 5:25 note tile.maybe-outside: index `((i * 7 + j * 13) % 31 + (i * 11 + j * 3) % 29 + (i * 5 + j * 17) % 37) // 3` may be outside dimension 0, as when M = 1, N = 2, i = 0 and j = 1
#>   hint: it is checked when the program runs
#> 5:103 note tile.maybe-outside: index `((i * 23 + j * 2) % 43 + (i + j * 9) % 47 + (i * 2 + j) % 53) // 2` may be outside dimension 1, as when M = 1, N = 2, i = 0 and j = 1
#>   hint: it is checked when the program runs

#: a loop over what is not known
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for n in range(M * M):
        if n < M:
            y[n, :] = x[n, :]
#> 2:33 warning tile.maybe-unwritten: that all of `y` is written was not shown
#>   3:14 not known for all sizes: where this loop runs
#>   hint: `k.unwritten(…)` says under plain Python what a call leaves unwritten

#: an InOut that is only read
@kernel
def k(x: InOut[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, SIZE):
        y[i, :] = x[i, :]
#> 2:7 error tile.never-written: `x` is an output, and nothing is stored to it
#>   hint: write it: `x[…] = …`, or declare it `In[…]`

#: one too far
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for n in range(M):
        y[n, :] = x[n + 1, :]
#> 4:21 error tile.outside: index `n + 1` is outside dimension 0 at least once at every size that reaches it, as when M = 1, N = 1 and n = 0
#>   hint: use an index from 0 to one less than the extent
#>   hint: or say what is there outside: `load(x, n + 1, whole, outside=0)`

#: one before
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for n in range(M):
        y[n, :] = x[n - 1, :]
#> 4:21 error tile.outside: index `n - 1` is outside dimension 0 at least once at every size that reaches it, as when M = 1, N = 1 and n = 0
#>   hint: use an index from 0 to one less than the extent
#>   hint: or say what is there outside: `load(x, n - 1, whole, outside=0)`

#: outside at every size
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    y[:, :] = x[:, N]
#> 3:20 error tile.outside: index `N` is outside dimension 1 at least once at every size that reaches it, as when M = 1 and N = 1
#>   hint: use an index from 0 to one less than the extent
#>   hint: or say what is there outside: `load(x, whole, N, outside=0)`

#: an index that some sizes have
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, SIZE):
        y[i, :] = x[i, 3]
#> 4:24 note tile.maybe-outside: index `3` may be outside dimension 1, as when M = 1 and N = 1
#>   hint: it is checked when the program runs

#: an index that is not affine
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for n in range(M):
        y[n, :] = x[n * n % M, :]
#> 4:21 note tile.not-affine: index `n * n % M` was not shown to be inside dimension 0: it is not affine in the sizes and loops
#>   hint: it is checked when the program runs

#: a moved block that goes too far
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, SIZE):
        y[i, :] = x[i + 1, :]
#> 4:21 error tile.outside: index `i + 1` is outside dimension 0 at least once at every size that reaches it, as when M = 1, N = 1 and i = 0
#>   hint: use an index from 0 to one less than the extent
#>   hint: or say what is there outside: `load(x, i + 1, whole, outside=0)`

#: a spread block that goes too far for some sizes
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, SIZE):
        y[i, :] = x[i * 2, :]
#> 4:21 note tile.maybe-outside: index `i * 2` may be outside dimension 0, as when M = 2, N = 1 and i = 0
#>   hint: it is checked when the program runs

#: a spread block leaves gaps
@kernel
def k(x: In[Tensor[f32, 8, N]], y: Out[Tensor[f32, 16, N]]) -> None:
    for i in tiles(8, 4):
        y[i * 2, :] = x[i, :]
        y[i * 2 + 8, :] = x[i, :]
#> 2:33 error tile.unwritten-output: `y` is an output, and is not written at [1, 0] when N = 1
#>   4:9 written here
#>   5:9 written here
#>   hint: write all of it, at every size: `y[:, …] = …` is all of a dimension, `tiles` its blocks
#> 5:11 error tile.outside: index `i * 2 + 8` is outside dimension 0 at least once at every size that reaches it, as when N = 1 and i = 4
#>   hint: use an index from 0 to one less than the extent

#: blocks cut at two levels, and the branches leave one element
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 7):
        for p in tiles(i, 3):
            for j in tiles(N, 12):
                for q in tiles(j, 5):
                    if M != 9:
                        y[p, q] = x[p, q]
                    else:
                        for n in range(1, N):
                            y[p, n] = x[p, n]
#> 2:33 error tile.unwritten-output: `y` is an output, and is not written at [0, 0] when M = 9 and N = 1
#>   8:25 written here
#>   11:29 written here
#>   hint: write all of it, at every size: `y[:, …] = …` is all of a dimension, `tiles` its blocks

#: a row for each block of another dim
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, SIZE):
        for n in range(len(i)):
            y[n, :] = x[n, :]
#> 2:33 error tile.unwritten-output: `y` is an output, and is not written at [8, 0] when M = 9 and N = 1
#>   5:13 written here
#>   hint: write all of it, at every size: `y[:, …] = …` is all of a dimension, `tiles` its blocks

#: stores that nothing reads, over loops and branches
@kernel
def k(n: int, x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]], z: Out[Tensor[f32, M, N]]) -> None:
    y[:, :] = 0.0
    z[:, :] = 0.0
    for i in tiles(M, 16):
        h = buffer(f32, i, N)
        h[i, :] = 1.0
        h[i, :] = x[i, :]
        if n > 3:
            y[i, :] = h[i, :]
            z[i, :] = h[i, :]
        else:
            y[i, :] = x[i, :]
        h[i, :] = 2.0
#> 3:5 warning tile.dead-store: nothing reads what is stored to `y` here
#>   hint: leave it out, or read it before
#> 7:9 warning tile.dead-store: nothing reads what is stored to `h` here
#>   hint: leave it out, or read it before
#> 14:9 warning tile.dead-store: nothing reads what is stored to `h` here
#>   hint: leave it out, or read it before

#: stores in a while that the next round reads
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    h = buffer(f32, 2, N)
    h[:, :] = 1.0
    g = buffer(f32, 2, N)
    n = 0
    while n < 10:
        g[n % 2, :] = h[n % 2, :]
        h[(n + 1) % 2, :] = h[n % 2, :] * 0.5
        n = n + 1
    y[:, :] = x[:, :]
#> 8:9 warning tile.dead-store: nothing reads what is stored to `g` here
#>   hint: leave it out, or read it before

#: an index where the number of iterations is not affine
@kernel
def k(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]]) -> None:
    for n in range(M * N):
        y[n + 1, :] = x[0, :]
#> 4:11 note tile.unknown-use: index `n + 1` was not shown to be inside dimension 0: when it is used is not known for all sizes
#>   3:14 not known for all sizes
#>   hint: it is checked when the program runs
