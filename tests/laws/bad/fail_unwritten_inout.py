import htp
from htp import InOut, Out, f32
from htp_tile import kernel, Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: InOut[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = x[i, :]

# kind: InOut; InOut that is only read
# expect: tile.never-written 10
# text: `x` is an output, and nothing is stored to it
