import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor, tiles

B = htp.dim("B")
M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, B, M, N]], y: Out[Tensor[f32, B, M, N]]) -> None:
    for b in range(B):
        for i in tiles(M, 8):
            y[b, i, 0] = x[b, i, 0]

# kind: Out; one of three dimensions
# expect: tile.unwritten-output 11
# text: `y` is an output, and is not written at [0, 0, 1] when B = 1, M = 1 and N = 2
