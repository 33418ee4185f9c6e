import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel, reduce_som, tiles

M = htp.dim("M")


@kernel
def bad(x: In[Tensor[f32, M]], y: Out[Tensor[f32, M]]) -> None:
    for i in tiles(M, 8):
        y[i] = x[i]

# expect: pipeline.unknown-import 3
