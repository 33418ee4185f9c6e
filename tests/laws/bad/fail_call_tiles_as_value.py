import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = tiles(M, 8)

# kind: tiles; outside a loop
# expect: tile.outside-loop 12
# text: `tiles` stands only in the head of a loop
