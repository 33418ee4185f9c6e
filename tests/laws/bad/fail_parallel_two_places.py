import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor, tiles

M = htp.dim("M")


@kernel
def k(x: In[Tensor[f32, M, M]], y: Out[Tensor[f32, M, M]]) -> None:
    for i in htp.parallel(tiles(M, 8)):
        y[i, :] = x[i, :]
        y[:, i] = x[:, i]

# kind: htp.parallel; two stores apart by different dimensions
# expect: tile.same-element 10
# text: two iterations of the parallel loop `i` write the same element of `y`, as the blocks from 0 and from 8 meet at `y[0, 8]` when M = 9
