import htp
from htp import In, Out, f32
from htp_tile import Tensor, buffer, copy_async, kernel, wait, whole

N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
    y[:] = x[:]
    first = copy_async(y, x[:], whole)
    for p in range(N):
        wait(first)
        h = buffer(f32, N)
        first = copy_async(h, x[:], whole)
    wait(first)

# kind: copy_async; a buffer of an iteration
# expect: tile.unwaited 15
# text: nothing waits for this copy to `h`
