"""A gated layer, silu(x·w) * (x·v), of functions that could serve other kernels as well."""

import htp
from htp import Block, In, Out, f32
from htp_tile import Tensor, kernel, matmul, sigmoid, tiles, zeros

M = htp.dim("M")
K = htp.dim("K")
N = htp.dim("N")
STEP = 32


def silu(x: f32) -> f32:
    """x times its sigmoid."""
    return x * sigmoid(x)


def product(a: Tensor[f32, M, K], b: Tensor[f32, K, N], i: Block, j: Block) -> f32:
    """A block of a·b, summed over K in steps."""
    total = zeros(f32, i, j)
    for k in tiles(K, STEP):
        total = matmul(a[i, k], b[k, j], total)
    return total


@kernel
def gated_mlp(x: In[Tensor[f32, M, K]], w: In[Tensor[f32, K, N]], v: In[Tensor[f32, K, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 16):
        for j in tiles(N, 64):
            y[i, j] = silu(product(x, w, i, j)) * product(x, v, i, j)
