import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor, tiles

B = htp.dim("B")
K = htp.dim("K")
M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, B, M, N]], w: In[Tensor[f32, B, K, N]], y: Out[Tensor[f32, B, M, N]]) -> None:
    for b in tiles(B, 2):
        y[b, :, :] = x[b, :, :] + w[b, :, :]

# kind: +; the middle of three dims
# expect: tile.shape-mismatch 14
# text: extents `M` and `K` differ at dimension 1 of `tile.add`
