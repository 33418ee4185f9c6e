import htp
from htp import In, Out, i32, i64
from htp_tile import kernel, maximum, Tensor, tiles

N = htp.dim("N")


@kernel
def k(a: In[Tensor[i64, N]], b: In[Tensor[i32, N]], y: Out[Tensor[i64, N]]) -> None:
    for i in tiles(N, 64):
        y[i] = maximum(a[i], b[i])

# kind: maximum; i64 with i32
# expect: tile.dtype-mismatch 11
# text: `tile.maximum` expects i64, got i32
