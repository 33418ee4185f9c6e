import htp
from htp import In, Out, f32
from htp_tile import Tensor, buffer, copy_async, kernel, wait, whole

N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
    h = buffer(f32, 2, 4)
    for p in range(2):
        h[p, :] = 0.0
    for p in range(N):
        coming = copy_async(h, 0.0, (p + 2) % 2, whole)
        y[p] = h[p % 2, 0]
        wait(coming)

# kind: copy_async; a slot that is read by another index for the same
# expect: tile.in-flight 15
# text: `h` is read while a copy to it is on its way
