import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles():
        y[:, :] = x[:, :]

# kind: tiles; nothing
# expect: tile.missing-argument 11
# text: `tiles` needs the argument `extent`
