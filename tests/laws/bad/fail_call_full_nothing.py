import htp
from htp import In, Out, f32
from htp_tile import full, kernel, Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = full(f32)

# kind: full; no value
# expect: tile.missing-argument 12
# text: `tile.full` needs the argument `value`
