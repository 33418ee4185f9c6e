import htp
from htp import In, Out, f32
from htp_tile import Tensor, barrier, copy_async, kernel, wait, whole

N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
    coming = copy_async(y, x[:], whole)
    if N > 4:
        barrier()
    wait(coming)

# kind: barrier; in one branch
# expect: tile.one-way 12
# text: `coming` is waited for here, and not on each way
