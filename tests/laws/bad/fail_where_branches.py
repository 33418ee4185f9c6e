import htp
from htp import In, Out, bool_, f16, f32
from htp_tile import kernel, Tensor, tiles, where

N = htp.dim("N")


@kernel
def k(c: In[Tensor[bool_, N]], a: In[Tensor[f32, N]], b: In[Tensor[f16, N]], y: Out[Tensor[f32, N]]) -> None:
    for i in tiles(N, 64):
        y[i] = where(c[i], a[i], b[i])

# kind: where; f32 or f16
# expect: tile.dtype-mismatch 11
# text: `tile.where` expects f32, got f16
