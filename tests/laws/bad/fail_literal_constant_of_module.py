import htp
from htp import In, Out, i32
from htp_tile import kernel, Tensor, tiles

N = htp.dim("N")

SCALE = 0.125


@kernel
def k(x: In[Tensor[i32, N]], y: Out[Tensor[i32, N]]) -> None:
    for i in tiles(N, 64):
        y[i] = x[i] * SCALE

# kind: *; a float constant beside i32
# expect: tile.literal-dtype 13
# text: the literal 0.125 is not a value of i32
