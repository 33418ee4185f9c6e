import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def work(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in htp.unrolled(htp.parallel(tiles(M, 8))):
        y[:, :] = x[:, :]

# expect: tile.dependent-iterations 11
