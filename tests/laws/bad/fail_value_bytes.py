import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    y[:, :] = x[:, :] * b"two"

# kind: a literal; bytes
# expect: tile.not-a-value 11
# text: `b'two'` is a literal of another type, not a value of the tile language
