import htp
from htp import In, Out, f32
from htp_tile import Tensor, barrier, copy_async, kernel, wait, whole

N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
    coming = copy_async(y, x[:], whole)
    wait(coming)
    barrier()

# kind: barrier; a copy that was waited for
# expect: tile.idle-barrier 12
# text: no copy is on its way at this barrier
