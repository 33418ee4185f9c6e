import htp
from htp import In, Out, f32
from htp_tile import Tensor, buffer, copy_async, kernel, wait, whole

N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
    h = buffer(f32, N)
    a = copy_async(h, x[:], whole)
    b = copy_async(h, x[:] * 2.0, whole)
    wait(a)
    wait(b)
    y[:] = h[:]

# kind: copy_async; a buffer that another copy goes to
# expect: tile.in-flight 12
# text: `h` is written while a copy to it is on its way
