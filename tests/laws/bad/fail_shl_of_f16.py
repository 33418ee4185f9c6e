import htp
from htp import In, Out, f16
from htp_tile import kernel, Tensor, tiles

N = htp.dim("N")


@kernel
def k(x: In[Tensor[f16, N]], y: Out[Tensor[f16, N]]) -> None:
    for i in tiles(N, 64):
        y[i] = x[i] << 1

# kind: <<; f16 for bits
# expect: tile.wrong-dtype 11
# text: `tile.shl` takes an integer dtype, not f16
