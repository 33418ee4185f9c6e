import htp
from htp import In, Out, f32
from htp_tile import Tensor, barrier, buffer, copy_async, kernel, whole

N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
    h = buffer(f32, 4, 1)
    for p in range(N):
        copy_async(h, x[p], p % 4, whole)
    barrier()
    y[:] = h[0, 0]

# kind: copy_async; slots that iterations share
# expect: tile.in-flight 12
# text: `h` is written while a copy to it is on its way
