import htp
from htp import In, Out, f32
from htp_tile import Tensor, copy_async, kernel, whole

N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
    coming = copy_async(y, x[:], whole)

# kind: copy_async; an output
# expect: tile.unwaited 10
# text: nothing waits for this copy to `y`
