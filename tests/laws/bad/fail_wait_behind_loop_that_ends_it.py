import htp
from htp import In, Out, f32
from htp_tile import Tensor, copy_async, kernel, wait, whole

N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
    coming = copy_async(y, x[:], whole)
    wait(coming)
    for p in range(N):
        coming = copy_async(y, x[p], p)
    wait(coming)

# kind: wait; behind a loop that begins another
# expect: tile.one-way 11
# text: `coming` is waited for here, and not on each way
