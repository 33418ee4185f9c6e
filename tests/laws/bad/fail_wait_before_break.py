import htp
from htp import In, Out, f32
from htp_tile import Tensor, copy_async, kernel, wait, whole

N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
    coming = copy_async(y, x[:], whole)
    n = 0
    while n < N:
        n += 1
        if n == 3:
            wait(coming)
            break
    wait(coming)

# kind: wait; before a break
# expect: tile.one-way 15
# text: `coming` is waited for here, and not on each way
