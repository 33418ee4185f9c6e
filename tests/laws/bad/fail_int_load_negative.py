import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, 4, N]], y: Out[Tensor[f32, M, N]]) -> None:
    y[:, :] = x[-5, :]

# kind: load; -5 of 4
# expect: tile.index-range 11
# text: index -5 is outside dimension 0 of `x`, which is 4
