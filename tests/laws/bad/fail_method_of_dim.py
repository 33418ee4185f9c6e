import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    y[:, :] = M.size()

# kind: a call; a method of a dim
# expect: tile.unknown-call 11
# text: `M.size` is not an intrinsic
