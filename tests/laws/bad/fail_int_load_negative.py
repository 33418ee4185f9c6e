import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    y[:, :] = x[-1, :]

# kind: load; -1
# expect: tile.index-range 11
# text: index -1 is outside dimension 0 of `x`, which is M
