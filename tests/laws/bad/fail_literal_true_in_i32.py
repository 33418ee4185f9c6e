import htp
from htp import In, Out, i32
from htp_tile import kernel, Tensor, tiles

N = htp.dim("N")


@kernel
def k(x: In[Tensor[i32, N]], y: Out[Tensor[i32, N]]) -> None:
    for i in tiles(N, 64):
        y[i] = x[i] + True

# kind: +; True beside i32
# expect: tile.literal-dtype 11
# text: the literal True is not a value of i32
