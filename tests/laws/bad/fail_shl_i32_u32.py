import htp
from htp import In, Out, i32, u32
from htp_tile import kernel, Tensor, tiles

N = htp.dim("N")


@kernel
def k(a: In[Tensor[i32, N]], b: In[Tensor[u32, N]], y: Out[Tensor[i32, N]]) -> None:
    for i in tiles(N, 64):
        y[i] = a[i] << b[i]

# kind: <<; i32 by u32
# expect: tile.dtype-mismatch 11
# text: `tile.shl` expects i32, got u32
