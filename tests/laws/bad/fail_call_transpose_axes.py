import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor, tiles, transpose

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = transpose(x[i, :], 1, 0, 2)

# kind: transpose; axes by position
# expect: tile.too-many-arguments 12
# text: `tile.transpose` takes at most 2 positional arguments, not 4
