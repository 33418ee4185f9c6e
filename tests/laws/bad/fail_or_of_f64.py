import htp
from htp import In, Out, f64
from htp_tile import kernel, Tensor, tiles

N = htp.dim("N")


@kernel
def k(x: In[Tensor[f64, N]], y: Out[Tensor[f64, N]]) -> None:
    for i in tiles(N, 64):
        y[i] = x[i] | x[i]

# kind: |; f64 for bits
# expect: tile.wrong-dtype 11
# text: `tile.bit_or` takes an integer dtype or bool_, not f64
