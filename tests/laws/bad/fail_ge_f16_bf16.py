import htp
from htp import In, Out, bf16, bool_, f16
from htp_tile import kernel, Tensor, tiles

N = htp.dim("N")


@kernel
def k(a: In[Tensor[f16, N]], b: In[Tensor[bf16, N]], y: Out[Tensor[bool_, N]]) -> None:
    for i in tiles(N, 64):
        y[i] = a[i] >= b[i]

# kind: >=; f16 with bf16
# expect: tile.dtype-mismatch 11
# text: `tile.ge` expects f16, got bf16
