#: carried
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    acc = zeros(f32, 1, N)
    for i in htp.parallel(tiles(M, 8)):
        acc = acc + reduce_sum(x[i, :], axis=0)
        y[i, :] = x[i, :] + acc
#> 4:5 error tile.dependent-iterations: iterations of the parallel loop `i` depend on each other: `acc` is carried from one to the next
#>   5:15 read here, before this iteration binds it

#: read behind the loop
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    last = zeros(f32, 1, N)
    for i in htp.parallel(tiles(M, 8)):
        last = reduce_sum(x[i, :], axis=0)
        y[i, :] = x[i, :]
    y[0, :] = last
#> 4:5 error tile.dependent-iterations: iterations of the parallel loop `i` depend on each other: all bind `last`, which is read behind the loop
#>   7:15 read here

#: same place
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        for j in htp.parallel(tiles(N, 8)):
            y[i, :] = x[i, :]
#> 4:9 error tile.dependent-iterations: iterations of the parallel loop `j` depend on each other: they may write the same place of `y`
#>   5:13 written here

#: reads what others write
@kernel
def k(y: InOut[Tensor[f32, M, N]]) -> None:
    for i in htp.parallel(range(M)):
        y[i, :] = y[0, :]
#> 3:5 error tile.dependent-iterations: iterations of the parallel loop `i` depend on each other: they may read what others write to `y`
#>   4:19 read here

#: unknown level
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in htp.parallel(tiles(M, 8), level="warp"):
        y[i, :] = x[i, :]
#> 3:46 error tile.unknown-level: the target `test` has no level `warp`
#>   hint: it has: `core`
