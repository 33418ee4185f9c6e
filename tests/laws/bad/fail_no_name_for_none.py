import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    t = None
    y[:, :] = x[:, :]

# kind: an assignment; None
# expect: tile.no-result 11
# text: `None` has no result
