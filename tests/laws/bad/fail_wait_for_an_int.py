import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel, wait

N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
    y[:] = x[:]
    wait(N)

# kind: wait; a dim
# expect: tile.not-a-token 11
# text: `wait` takes the token of a copy, not `N`, which is a dim
