import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor, tiles

M = htp.dim("M")


@kernel
def k(x: In[Tensor[f32, M, 4]], w: In[Tensor[f32, 1, 5]], y: Out[Tensor[f32, M, 4]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = x[i, :] / w[0, :]

# kind: /; extents 4 and 5
# expect: tile.shape-mismatch 11
# text: extents `4` and `5` differ at dimension 1 of `tile.div`
