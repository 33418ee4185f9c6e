import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    last = M
    y[:, :] = x[last, :]

# kind: load; an int of its own
# expect: tile.outside 12
# text: index `last` is outside dimension 0 at least once at every size that reaches it, as when M = 1 and N = 1
