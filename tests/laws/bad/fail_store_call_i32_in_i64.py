import htp
from htp import In, Out, i32, i64
from htp_tile import kernel, store, Tensor, tiles

N = htp.dim("N")


@kernel
def k(x: In[Tensor[i32, N]], y: Out[Tensor[i64, N]]) -> None:
    for i in tiles(N, 64):
        store(y, x[i], i)

# kind: store called; i32 to i64
# expect: tile.dtype-mismatch 11
# text: `tile.store` expects i64, got i32
