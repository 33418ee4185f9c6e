import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    m = x[:, :] > 0.0
    if not m:
        pass
    y[:, :] = x[:, :]

# kind: if; not of a mask
# expect: tile.runtime-if 12
# text: `if` on a tile: `m` holds a value for each element
