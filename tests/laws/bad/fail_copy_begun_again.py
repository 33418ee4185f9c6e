import htp
from htp import In, Out, f32
from htp_tile import Tensor, buffer, copy_async, kernel, wait, whole

N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
    coming = copy_async(y, x[:], whole)
    h = buffer(f32, N)
    coming = copy_async(h, x[:], whole)
    wait(coming)

# kind: copy_async; a token that is bound anew
# expect: tile.unwaited 10
# text: nothing waits for this copy to `y`
