import htp
from htp import In, Out, bool_, u32, u64
from htp_tile import kernel, Tensor, tiles

N = htp.dim("N")


@kernel
def k(a: In[Tensor[u32, N]], b: In[Tensor[u64, N]], y: Out[Tensor[bool_, N]]) -> None:
    for i in tiles(N, 64):
        y[i] = a[i] != b[i]

# kind: !=; u32 with u64
# expect: tile.dtype-mismatch 11
# text: `tile.ne` expects u32, got u64
