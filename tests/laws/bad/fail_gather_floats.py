import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for n in range(N):
        y[:, n] = x[0, x[0, n]]

# kind: load; a tile of floats
# expect: tile.wrong-dtype 12
# text: `tile.load` takes an index of an integer dtype, not f32
