import htp
from htp import In, Out, f32, i32
from htp_tile import kernel, Tensor, tiles, where

N = htp.dim("N")


@kernel
def k(n: In[Tensor[i32, N]], x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
    for i in tiles(N, 64):
        y[i] = where(n[i], x[i], 1.0)

# kind: where; i32 as the condition
# expect: tile.wrong-dtype 11
# text: `tile.where` takes bool_, not i32
