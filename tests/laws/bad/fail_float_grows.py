import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    scale = 1.0
    for i in tiles(M, 8):
        scale += 0.5
        y[i, :] = x[i, :] * scale

# kind: +=; a float
# expect: tile.changing-float 11
# text: `scale` is a float that changes
