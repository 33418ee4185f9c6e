import htp
from htp import In, Out, f32
from htp_tile import kernel, reduce_sum, Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, 1]]) -> None:
    for i in tiles(M, 8):
        for j in tiles(N, 8):
            y[i, 0] = reduce_sum(x[i, j], axis=1)

# kind: Out; a loop that some size does not run
# expect: tile.unwritten-empty 10
# text: some of `y`, an output, is not written when M = 1 and N = 0
