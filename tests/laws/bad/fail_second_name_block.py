import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        j = i
        y[j, :] = x[j, :]

# kind: an assignment; a block
# expect: tile.no-second-name 12
# text: the block of a loop gets no second name
