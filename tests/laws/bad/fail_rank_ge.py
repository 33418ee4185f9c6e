import htp
from htp import In, Out, bool_, f32
from htp_tile import kernel, Tensor

B = htp.dim("B")
M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], w: In[Tensor[f32, B, M, N]], y: Out[Tensor[bool_, M, N]]) -> None:
    y[:, :] = x[:, :] >= w[:, :, :]

# kind: >=; 2 with 3 dimensions
# expect: tile.rank-mismatch 12
# text: `tile.store` needs tiles of 2 dimensions, not `Tile[bool_, B, M, N]`
