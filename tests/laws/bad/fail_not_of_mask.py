import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor, where

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    t = x[:, :]
    y[:, :] = where(not (t > 0.0), 0.0, t)

# kind: not; a mask
# expect: tile.boolean-operator 12
# text: `not` on tiles would ask for one truth value of many elements
