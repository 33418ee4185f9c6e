import htp
from htp import In, Out, f32
from htp_tile import Tensor, copy_async, kernel

N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
    for p in range(N):
        coming = copy_async(y, x[p], p)

# kind: copy_async; a token of an iteration
# expect: tile.unwaited 11
# text: nothing waits for this copy to `y`
