import htp
from htp import In, Out, f32
from htp_tile import cast, kernel, Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = cast(x[i, :], float)

# kind: cast; the builtin float for a dtype
# expect: tile.undefined-name 12
# text: `float` is not defined
