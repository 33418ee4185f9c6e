import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor, where

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    t = x[:, :]
    y[:, :] = where(t == t == 0.0, t, 0.0)

# kind: a chained comparison; == twice
# expect: tile.chained-compare 12
# text: a chained comparison of tiles hides an `and`
