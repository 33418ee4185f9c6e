import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in htp.parallel(tiles(M, 8), lanes=4):
        y[i, :] = x[i, :]

# kind: htp.parallel; a keyword lanes
# expect: tile.unknown-keyword 11
# text: `htp.parallel` has no parameter `lanes`
