import htp
from htp import In, Out, i8
from htp_tile import kernel, Tensor, tiles

N = htp.dim("N")


@kernel
def k(x: In[Tensor[i8, N]], y: Out[Tensor[i8, N]]) -> None:
    for i in tiles(N, 64):
        y[i] = x[i] - -129

# kind: -; -129 beside i8
# expect: tile.literal-dtype 11
# text: the literal -129 is not a value of i8
