import htp
from htp import In, Out, f32
from htp_tile import full, kernel, Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = x[i, :] + full(f32, i, fill=1.0)

# kind: full; a keyword fill
# expect: tile.not-literal 12
# text: `value` of `tile.full` must be known when compiling, not `i`
# expect: tile.unknown-keyword 12
# text: `tile.full` has no parameter `fill`
