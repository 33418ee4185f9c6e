import htp
from htp import In, Out, f32, i32
from htp_tile import argtopk, kernel, Tensor

M = htp.dim("M")


@kernel
def k(x: In[Tensor[f32, M, 4]], y: Out[Tensor[i32, M, 5]]) -> None:
    y[:, :] = argtopk(x[:, :], 5, axis=1)

# kind: argtopk; 5 of 4 elements
# expect: tile.bad-count 10
# text: `tile.argtopk` cannot take 5 of 4 elements
