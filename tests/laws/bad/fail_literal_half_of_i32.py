import htp
from htp import In, Out, i32
from htp_tile import kernel, Tensor, tiles

N = htp.dim("N")


@kernel
def k(x: In[Tensor[i32, N]], y: Out[Tensor[i32, N]]) -> None:
    for i in tiles(N, 64):
        y[i] = x[i] * 0.5

# kind: *; a float beside i32
# expect: tile.literal-dtype 11
# text: the literal 0.5 is not a value of i32
