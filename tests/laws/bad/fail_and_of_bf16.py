import htp
from htp import In, Out, bf16
from htp_tile import kernel, Tensor, tiles

N = htp.dim("N")


@kernel
def k(x: In[Tensor[bf16, N]], y: Out[Tensor[bf16, N]]) -> None:
    for i in tiles(N, 64):
        y[i] = x[i] & x[i]

# kind: &; bf16 for bits
# expect: tile.wrong-dtype 11
# text: `tile.bit_and` takes an integer dtype or bool_, not bf16
