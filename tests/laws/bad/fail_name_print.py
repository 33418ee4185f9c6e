import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        print(i)
        y[i, :] = x[i, :]

# kind: a call; the builtin print
# expect: tile.unknown-call 12
# text: `print` is not an intrinsic
