import htp
from htp import In, Out, f32
from htp_tile import Tensor, buffer, copy_async, kernel, wait, whole

N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
    y[:] = x[:]
    h = buffer(f32, N)
    coming = copy_async(h, x[:], whole)
    for p in htp.parallel(range(N)):
        wait(coming)
        y[p] = h[p]
        coming = copy_async(h, x[:], whole)
    wait(coming)

# kind: parallel loop; a token
# expect: tile.carried 13
# text: iterations of the parallel loop `p` depend on each other: `coming` is carried from one to the next
# expect: tile.same-element 13
# text: two iterations of the parallel loop `p` write the same element of `h`, as `p = 0` and `p = 1` meet at `h[0]` when N = 2
