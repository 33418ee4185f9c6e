import htp
from htp import In, Out, f32
from htp_tile import Tensor, barrier, buffer, copy_async, kernel, whole

N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
    for p in range(N):
        h = buffer(f32, N)
        copy_async(h, x[:], whole)
        y[p] = 0.0
    barrier()

# kind: barrier; behind the buffer's end
# expect: tile.unwaited 12
# text: nothing waits for this copy to `h`
