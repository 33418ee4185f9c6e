import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor, tiles

N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
    for i in tiles(N, 64):
        y[i] = x[i] * True

# kind: *; True beside f32
# expect: tile.literal-dtype 11
# text: the literal True is not a value of f32
