import htp
from htp import In, Out, i64, u64
from htp_tile import kernel, Tensor, tiles

N = htp.dim("N")


@kernel
def k(a: In[Tensor[u64, N]], b: In[Tensor[i64, N]], y: Out[Tensor[u64, N]]) -> None:
    for i in tiles(N, 64):
        y[i] = a[i] >> b[i]

# kind: >>; u64 by i64
# expect: tile.dtype-mismatch 11
# text: `tile.shr` expects u64, got i64
