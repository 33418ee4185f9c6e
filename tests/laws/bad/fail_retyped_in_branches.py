import htp
from htp import In, Out, f16, f32
from htp_tile import cast, kernel, Tensor, tiles

N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, N]], h: In[Tensor[f16, N]], y: Out[Tensor[f32, N]]) -> None:
    for i in tiles(N, 8):
        if N > 8:
            t = x[i]
        else:
            t = h[i]
        y[i] = cast(t, f32)

# kind: if; two dtypes
# expect: tile.retyped 14
# text: `t` is `Tile[f16, i]` here and `Tile[f32, i]` where it was first bound
