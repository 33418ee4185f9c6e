import htp
from htp import In, Out, f32, i32
from htp_tile import gather, kernel, Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], places: In[Tensor[i32, M]], y: Out[Tensor[f32, M, 1]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = gather(x[i, :], places[i], axis=1)

# kind: gather's index; a vector for a matrix
# expect: tile.rank-mismatch 12
# text: `tile.gather` needs tiles of 2 dimensions, not `Tile[i32, i]`
