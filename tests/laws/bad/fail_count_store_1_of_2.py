import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i] = x[i, :]

# kind: store; 1 index of 2 dimensions
# expect: tile.index-count 12
# text: `y` has 2 dimensions and is indexed with 1
