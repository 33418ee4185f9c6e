import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor, transpose

N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
    y[:] = transpose(x[:])

# kind: transpose; a vector
# expect: tile.rank-mismatch 10
# text: `tile.transpose` needs tiles of 2 dimensions, not `Tile[f32, N]`
