import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        for i in tiles(N, 8):
            y[:, i] = x[:, i]

# kind: for; over the name of an outer block
# expect: tile.shadowed 12
# text: `i` already stands for the block of a loop
