import htp
from htp import In, Out, f32
from htp_tile import Tensor, copy_async, kernel, whole

N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
    coming = copy_async(y, x[:], whole)
    y[:] = x[:] + coming

# kind: +; a token
# expect: tile.mixed-operands 11
# text: `x[:] + coming` combines a tile with the token of a copy
