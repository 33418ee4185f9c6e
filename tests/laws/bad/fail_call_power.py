import htp
from htp import In, Out, f32, i32
from htp_tile import kernel, Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], n: In[Tensor[i32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = x[i, :] ** n[i, :]

# kind: **; a float with an integer
# expect: tile.wrong-dtype 12
# text: `tile.pow` takes a floating-point dtype, not i32
