import htp
from htp import In, Out, f32, i32
from htp_tile import gather, kernel, Tensor

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], p: In[Tensor[i32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    y[:, :] = gather(x[:, :], p[:, :], axis=2)

# kind: gather; axis 2 of two dimensions
# expect: tile.bad-axis 11
# text: `Tile[f32, M, N]` has no axis 2
