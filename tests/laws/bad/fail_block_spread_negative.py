import htp
from htp import In, InOut, f32
from htp_tile import kernel, Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i * -1, :] = x[i, :]

# kind: store; a block times -1
# expect: tile.bad-spread 12
# text: a block is spread by 1 or more, not by -1
