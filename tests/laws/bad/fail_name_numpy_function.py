import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = softplus(x[i, :])

# kind: a call; a name that nothing imports
# expect: tile.unknown-call 12
# text: `softplus` is not an intrinsic
