import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 16):
        for p in tiles(i, 4):
            y[p, :] = x[0, p]

# kind: load; a cut block of another dim
# expect: tile.index-extent 13
# text: `p` runs over `M`, but dimension 1 of `x` is `N`
