import htp
from htp import In, Out, bf16, f16
from htp_tile import kernel, Tensor, tiles

N = htp.dim("N")


@kernel
def k(a: In[Tensor[bf16, N]], b: In[Tensor[f16, N]], y: Out[Tensor[bf16, N]]) -> None:
    for i in tiles(N, 64):
        y[i] = a[i] * b[i]

# kind: *; bf16 with f16
# expect: tile.dtype-mismatch 11
# text: `tile.mul` expects bf16, got f16
