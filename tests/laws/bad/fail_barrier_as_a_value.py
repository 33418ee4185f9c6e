import htp
from htp import In, Out, f32
from htp_tile import Tensor, barrier, copy_async, kernel, whole

N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
    copy_async(y, x[:], whole)
    done = barrier()

# kind: barrier; bound to a name
# expect: tile.no-result 11
# text: `tile.barrier` has no result
