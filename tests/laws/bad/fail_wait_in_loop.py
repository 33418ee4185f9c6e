import htp
from htp import In, Out, f32
from htp_tile import Tensor, copy_async, kernel, wait, whole

N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
    coming = copy_async(y, x[:], whole)
    for p in range(N):
        wait(coming)

# kind: wait; in a loop that begins none
# expect: tile.one-way 12
# text: `coming` is waited for here, and not on each way
