import htp
from htp import In, Out, f32
from htp_tile import Tensor, copy_async, kernel, wait, whole

N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
    y[:] = x[:]
    coming = copy_async(x, 0.0, whole)
    wait(coming)

# kind: copy_async; to an input
# expect: tile.written-input 11
# text: `x` is an input and is written here
