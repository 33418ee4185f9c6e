import htp
from htp import In, Out, bool_, f32
from htp_tile import kernel, Tensor

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(flag: bool_, x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    y[:, :] = x[:, :]
    if flag:
        y[:, :] = 0.0

# kind: if; a scalar parameter
# expect: tile.runtime-if 12
# text: `if` on a tile: `flag` holds a value for each element
