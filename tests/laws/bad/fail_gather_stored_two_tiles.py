import htp
from htp import In, InOut, f32, i32
from htp_tile import kernel, Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], r: In[Tensor[i32, M]], c: In[Tensor[i32, N]], y: InOut[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        for j in tiles(N, 8):
            y[r[i], c[j]] = x[i, j]

# kind: store; two tiles of integers
# expect: tile.many-tiles 13
# text: `y` is indexed by more than one tile
