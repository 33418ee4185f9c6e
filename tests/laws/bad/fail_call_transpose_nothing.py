import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor, tiles, transpose

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = transpose()

# kind: transpose; no operand
# expect: tile.missing-argument 12
# text: `tile.transpose` needs the argument `x`
