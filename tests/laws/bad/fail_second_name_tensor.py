import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    t = x
    y[:, :] = t[:, :]

# kind: an assignment; a tensor
# expect: tile.no-second-name 11
# text: a tensor gets no second name
