import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in htp.parallel(tiles(M, 8)):
        for j in tiles(i, 4):
            y[j, :] = x[j, :]
        for j in tiles(M, 4):
            y[j, :] = x[j, :]

# kind: htp.parallel; one name for two blocks
# expect: tile.same-element 11
# text: two iterations of the parallel loop `i` write the same element of `y`, as the blocks from 0 and from 8 meet at `y[0, 0]` when M = 9, N = 1
