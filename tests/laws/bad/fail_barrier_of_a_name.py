import htp
from htp import In, Out, f32
from htp_tile import Tensor, barrier, copy_async, kernel, whole

N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
    coming = copy_async(y, x[:], whole)
    barrier(coming)

# kind: barrier; with a token
# expect: tile.too-many-arguments 11
# text: `tile.barrier` takes at most 0 positional arguments, not 1
