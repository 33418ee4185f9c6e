import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        x[i, :] = y[i, :]

# kind: store; to an In, from an Out
# expect: tile.never-written 10
# text: `y` is an output, and nothing is stored to it
# expect: tile.read-output 12
# text: `y` is an output and is read here
# expect: tile.written-input 12
# text: `x` is an input and is written here
