import htp
from htp import In, Out, i32, i64
from htp_tile import kernel, Tensor, tiles

N = htp.dim("N")


@kernel
def k(a: In[Tensor[i32, N]], b: In[Tensor[i64, N]], y: Out[Tensor[i32, N]]) -> None:
    for i in tiles(N, 64):
        y[i] = a[i] & b[i]

# kind: &; i32 with i64
# expect: tile.dtype-mismatch 11
# text: `tile.bit_and` expects i32, got i64
