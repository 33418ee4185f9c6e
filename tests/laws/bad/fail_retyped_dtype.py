import htp
from htp import In, Out, f16, f32
from htp_tile import cast, kernel, Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f16, M, N]]) -> None:
    for i in tiles(M, 8):
        t = x[i, :]
        t = cast(t, f16)
        y[i, :] = t

# kind: assignment; another dtype
# expect: tile.retyped 13
# text: `t` is `Tile[f16, i, N]` here and `Tile[f32, i, N]` where it was first bound
# expect: tile.dtype-mismatch 14
# text: `tile.store` expects f16, got f32
