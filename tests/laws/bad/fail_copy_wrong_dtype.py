import htp
from htp import In, Out, f16, f32
from htp_tile import Tensor, cast, copy_async, kernel, wait, whole

N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
    coming = copy_async(y, cast(x[:], f16), whole)
    wait(coming)

# kind: copy_async; another dtype
# expect: tile.dtype-mismatch 10
# text: `tile.copy_async` expects f32, got f16
