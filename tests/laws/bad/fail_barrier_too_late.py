import htp
from htp import In, Out, f32
from htp_tile import Tensor, barrier, buffer, copy_async, kernel, whole

N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
    h = buffer(f32, N)
    copy_async(h, x[:], whole)
    y[:] = h[:]
    barrier()

# kind: barrier; behind the read
# expect: tile.in-flight 12
# text: `h` is read while a copy to it is on its way
