import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    t = x[:, :]
    for v in t:
        pass
    y[:, :] = t

# kind: for; over a tile
# expect: tile.bad-loop 12
# text: a `for` of the tile language runs over `tiles` or `range`, not `t`
