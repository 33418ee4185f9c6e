import htp
from htp import In, Out, bf16, f32
from htp_tile import Tensor, external, kernel, tiles

M = htp.dim("M")
N = htp.dim("N")


@external("int nothing;")
def scaled(x: bf16) -> bf16:
    return x * 2.0


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = scaled(x[i, :])

# kind: external; a parameter that is no tile
# expect: tile.external-parameter 10
# text: the parameter `x` of `scaled` is neither a tile nor an `i32` or `f32`
