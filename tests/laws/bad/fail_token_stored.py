import htp
from htp import In, Out, f32
from htp_tile import Tensor, copy_async, kernel, wait, whole

N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
    coming = copy_async(y, x[:], whole)
    y[:] = coming
    wait(coming)

# kind: store; a token
# expect: tile.not-a-tile 11
# text: the argument `value` of `tile.store` is not a tile: `coming`
