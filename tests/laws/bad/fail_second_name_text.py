import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    level = "core"
    y[:, :] = x[:, :]

# kind: an assignment; a string
# expect: tile.no-second-name 11
# text: a string gets no second name
