import htp
from htp import In, Out, u8
from htp_tile import kernel, sigmoid, Tensor, tiles

N = htp.dim("N")


@kernel
def k(x: In[Tensor[u8, N]], y: Out[Tensor[u8, N]]) -> None:
    for i in tiles(N, 64):
        y[i] = sigmoid(x[i])

# kind: sigmoid; u8
# expect: tile.wrong-dtype 11
# text: `tile.sigmoid` takes a floating-point dtype, not u8
