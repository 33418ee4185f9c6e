import htp
from htp import In, Out, f32
from htp_tile import kernel, reduce_sum, Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, 0] = reduce_sum(x[i, :], axis=1)

# kind: Out; all columns but one
# expect: tile.unwritten-output 10
# text: `y` is an output, and is not written at [0, 1] when M = 1 and N = 2
