#: carried
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    acc = zeros(f32, 1, N)
    for i in htp.parallel(tiles(M, 8)):
        acc = acc + reduce_sum(x[i, :], axis=0)
        y[i, :] = x[i, :] + acc

#: read behind the loop
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    last = zeros(f32, 1, N)
    for i in htp.parallel(tiles(M, 8)):
        last = reduce_sum(x[i, :], axis=0)
        y[i, :] = x[i, :]
    y[0, :] = last

#: same place
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        for j in htp.parallel(tiles(N, 8)):
            y[i, :] = x[i, :]

#: reads what others write
@kernel
def k(y: InOut[Tensor[f32, M, N]]) -> None:
    for i in htp.parallel(range(M)):
        y[i, :] = y[0, :]

#: unknown level
@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in htp.parallel(tiles(M, 8), level="warp"):
        y[i, :] = x[i, :]
