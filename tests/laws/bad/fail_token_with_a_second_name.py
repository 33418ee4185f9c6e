import htp
from htp import In, Out, f32
from htp_tile import Tensor, copy_async, kernel, wait, whole

N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
    coming = copy_async(y, x[:], whole)
    other = coming
    wait(other)

# kind: assignment; a token
# expect: tile.no-second-name 11
# text: the token of a copy gets no second name
