import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = x[i, :]
    y[i, :] = x[i, :]

# kind: load; a loop's block behind the loop
# expect: tile.maybe-unbound 13
# text: `i` is bound only inside a `for`
# expect: tile.maybe-unbound 13
# text: `i` is bound only inside a `for`
