import htp
from htp import In, Out, bool_, i32
from htp_tile import kernel, Tensor, tiles

N = htp.dim("N")


@kernel
def k(a: In[Tensor[bool_, N]], b: In[Tensor[i32, N]], y: Out[Tensor[bool_, N]]) -> None:
    for i in tiles(N, 64):
        y[i] = a[i] == b[i]

# kind: ==; bool_ with i32
# expect: tile.dtype-mismatch 11
# text: `tile.eq` expects bool_, got i32
