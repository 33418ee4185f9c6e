import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, 0] = x[i, 0]
        for n in range(1, min(N, 8)):
            y[i, n] = x[i, n]

# kind: Out; the first row of each block
# expect: tile.unwritten-output 10
# text: `y` is an output, and is not written at [0, 8] when M = 1 and N = 9
