import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        for n in range(i.size):
            pass
        y[i, :] = x[i, :]

# kind: an attribute; of a block
# expect: tile.unknown-attribute 12
# text: `i` has no attribute `size`
