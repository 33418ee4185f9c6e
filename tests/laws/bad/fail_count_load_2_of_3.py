import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor, tiles

B = htp.dim("B")
M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, B, M, N]], y: Out[Tensor[f32, B, M, N]]) -> None:
    for b in tiles(B, 2):
        y[b, :, :] = x[b, :]

# kind: load; 2 indices of 3 dimensions
# expect: tile.index-count 13
# text: `x` has 3 dimensions and is indexed with 2
