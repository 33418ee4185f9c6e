import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    t = sum(v for v in range(3))
    y[:, :] = x[:, :]

# kind: a generator; in a kernel
# expect: tile.unknown-call 11
# text: `sum` is not an intrinsic
# expect: tile.unsupported 11
# text: the tile language has no comprehensions
