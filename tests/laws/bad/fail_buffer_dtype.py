import htp
from htp import In, Out, f32
from htp_tile import buffer, kernel, Tensor

M = htp.dim("M")


@kernel
def k(x: In[Tensor[f32, M]], y: Out[Tensor[f32, M]]) -> None:
    h = buffer(1.0, M)
    h[:] = x[:]
    y[:] = h[:]

# kind: buffer; a float for the dtype
# expect: tile.unknown-dtype 10
# text: `1.0` is not a dtype
