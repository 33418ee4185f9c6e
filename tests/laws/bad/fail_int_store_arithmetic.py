import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, 4, N]], y: Out[Tensor[f32, 4, N]]) -> None:
    y[:, :] = x[:, :]
    y[2 - 8, :] = x[0, :]

# kind: store; 2 - 8 of 4
# expect: tile.index-range 12
# text: index -6 is outside dimension 0 of `y`, which is 4
