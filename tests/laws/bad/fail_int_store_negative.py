import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    y[:, :] = x[:, :]
    y[-3, :] = x[0, :]

# kind: store; -3
# expect: tile.index-range 12
# text: index -3 is outside dimension 0 of `y`, which is M
