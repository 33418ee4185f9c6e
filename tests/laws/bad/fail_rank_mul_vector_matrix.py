import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(w: In[Tensor[f32, N]], x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, N]]) -> None:
    y[:] = w[:] * x[:, :]

# kind: *; 1 with 2 dimensions
# expect: tile.rank-mismatch 11
# text: `tile.store` needs tiles of 1 dimensions, not `Tile[f32, M, N]`
