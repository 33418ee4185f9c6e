import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor, tiles

M = htp.dim("M")


@kernel
def k(x: In[Tensor[f32, M, M]], y: Out[Tensor[f32, M, M]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = x[i, :] @ x[:, :]

# kind: @; two tiles
# expect: tile.no-operator 11
# text: tiles have no operator `@`
