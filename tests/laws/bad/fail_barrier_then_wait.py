import htp
from htp import In, Out, f32
from htp_tile import Tensor, barrier, copy_async, kernel, wait, whole

N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
    coming = copy_async(y, x[:], whole)
    barrier()
    wait(coming)

# kind: wait; behind a barrier
# expect: tile.waited 12
# text: `coming` has been waited for
