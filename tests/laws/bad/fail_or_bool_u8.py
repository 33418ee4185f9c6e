import htp
from htp import In, Out, bool_, u8
from htp_tile import kernel, Tensor, tiles

N = htp.dim("N")


@kernel
def k(a: In[Tensor[bool_, N]], b: In[Tensor[u8, N]], y: Out[Tensor[bool_, N]]) -> None:
    for i in tiles(N, 64):
        y[i] = a[i] | b[i]

# kind: |; bool_ with u8
# expect: tile.dtype-mismatch 11
# text: `tile.bit_or` expects bool_, got u8
