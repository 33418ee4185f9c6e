import htp
from htp import In, Out, f32
from htp_tile import add, kernel, Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = add(x[i, :], a=x[i, :])

# kind: add; a twice
# expect: tile.missing-argument 12
# text: `tile.add` needs the argument `b`
# expect: tile.repeated-argument 12
# text: `tile.add` got the argument `a` twice
