import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel, tiles

N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
    for i in tiles(N, 8)
        y[i] = x[i]

# kind: for; no colon
# expect: parse.syntax 10
# text: not Python: expected ':'
