import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor, tiles, where

N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
    for i in tiles(N, 64):
        y[i] = where(x[i], x[i], 0.0)

# kind: where; f32 as the condition
# expect: tile.wrong-dtype 11
# text: `tile.where` takes bool_, not f32
