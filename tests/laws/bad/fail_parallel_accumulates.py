import htp
from htp import In, Out, f32
from htp_tile import kernel, reduce_sum, Tensor, tiles, zeros

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    acc = zeros(f32, 1, N)
    for i in htp.parallel(tiles(M, 8)):
        acc = acc + reduce_sum(x[i, :], axis=0)
    y[:, :] = acc

# kind: htp.parallel; a tile carried over
# expect: tile.carried 12
# text: iterations of the parallel loop `i` depend on each other: `acc` is carried from one to the next
