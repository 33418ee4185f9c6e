import htp
from htp import In, Out, i64
from htp_tile import kernel, Tensor, tiles

N = htp.dim("N")


@kernel
def k(x: In[Tensor[i64, N]], y: Out[Tensor[i64, N]]) -> None:
    for i in tiles(N, 64):
        t = x[i]
        t += 0.1
        y[i] = t

# kind: +=; a float beside i64
# expect: tile.literal-dtype 12
# text: the literal 0.1 is not a value of i64
