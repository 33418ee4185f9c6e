import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in htp.pipelined(tiles(M, 8)):
        y[i, :] = x[i, :]

# kind: htp.pipelined; no depth
# expect: tile.missing-argument 11
# text: `htp.pipelined` needs the argument `depth`
