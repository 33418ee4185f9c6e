import htp
from htp import In, Out, f32
from htp_tile import Tensor, barrier, kernel

N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
    barrier()
    y[:] = x[:]

# kind: barrier; no copy before it
# expect: tile.idle-barrier 10
# text: no copy is on its way at this barrier
