import htp
from htp import In, Out, f32
from htp_tile import kernel, scan_sum, Tensor

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    y[:, :] = scan_sum(x[:, :], axis=-3)

# kind: scan_sum; axis -3 of two dimensions
# expect: tile.bad-axis 11
# text: `Tile[f32, M, N]` has no axis -3
