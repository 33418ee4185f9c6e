import htp
from htp import In, Out, bool_, f32
from htp_tile import kernel, Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[bool_, M, N]]) -> None:
    for i in tiles(M, 16):
        for p in tiles(i, 4):
            y[p, :] = x[p, :] < x[i, :]

# kind: <; a block with a block cut from it
# expect: tile.shape-mismatch 13
# text: extents `p` and `i` differ at dimension 0 of `tile.lt`
