import htp
from htp import In, Out, f32
from htp_tile import Tensor, copy_async, kernel, whole

N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
    copy_async(y, x[:], whole)

# kind: copy_async; a statement of its own
# expect: tile.unused-result 10
# text: the result of `copy_async(y, x[:], whole)` is not used
