import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel, tiles

N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
    e = x[:]
    for i in htp.parallel(tiles(N, 8)):
        n = 0
        while n < 8:
            e = e * 0.5
            n += 1
        y[i] = x[i]

# kind: parallel loop; a name that a while within carries
# expect: tile.carried 11
# text: iterations of the parallel loop `i` depend on each other: `e` is carried from one to the next
