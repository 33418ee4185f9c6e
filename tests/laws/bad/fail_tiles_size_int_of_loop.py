import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for n in range(1, 4):
        for i in tiles(M, n):
            y[i, :] = x[i, :]

# kind: tiles; a loop's int for the size
# expect: tile.not-constant 12
# text: the size of `tiles` must be a compile-time int, not `n`
