import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel, tiles

SIZE = 8
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
    for i in tiles(N, SIZE):
        y[i] = x[i]

# kind: --set; a block size of 0
# options: --set SIZE=0
# expect: tile.bad-size 11
# text: a block needs a positive size, not 0
