import htp
from htp import In, Out, f32, i32
from htp_tile import kernel, Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], r: In[Tensor[i32, M]], c: In[Tensor[i32, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        for j in tiles(N, 8):
            y[i, j] = x[r[i], c[j]]

# kind: load; two tiles of integers
# expect: tile.many-tiles 13
# text: `x` is indexed by more than one tile
