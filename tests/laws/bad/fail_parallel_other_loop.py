import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        for j in htp.parallel(tiles(N, 8)):
            y[i, :] = x[i, :]

# kind: htp.parallel; another loop's block
# expect: tile.same-element 12
# text: two iterations of the parallel loop `j` write the same element of `y`, as the blocks from 0 and from 8 meet at `y[0, 0]` when M = 1, N = 9, i = 0
