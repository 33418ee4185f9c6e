import htp
from htp import In, Out, f32
from htp_tile import Tensor, copy_async, kernel, whole

N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
    copy_async(y, x[:], whole)

# kind: copy_async; a statement of its own
# expect: tile.unwaited 10
# text: nothing waits for this copy to `y`
