import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor

M = htp.dim("M")
N = htp.dim("N")

SIZE = 8


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    y[:, :] = SIZE[0]

# kind: load; from a constant
# expect: tile.not-indexable 13
# text: `SIZE` is not a tensor in memory
