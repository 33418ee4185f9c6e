import htp
from htp import In, Out, f32
from htp_tile import buffer, kernel, Tensor, tiles

M = htp.dim("M")


@kernel
def k(x: In[Tensor[f32, M]], y: Out[Tensor[f32, M]]) -> None:
    for i in tiles(M, 8):
        h = buffer(f32, i)
        h[i] = x[i]
        for j in tiles(M, 8):
            y[j] = h[j]

# kind: load; a buffer by another loop's block
# expect: tile.index-extent 14
# text: `j` runs over `M`, but dimension 0 of `h` is `i`
