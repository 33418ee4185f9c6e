import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        for n in range(1, 3):
            y[i, :] = x[i * n, :]

# kind: load; a block times a loop's int
# expect: tile.not-constant 13
# text: what a block is spread by must be a compile-time int, not `n`
