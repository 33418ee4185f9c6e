import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel, tiles

M = htp.dim("M")
FLAG = True


@kernel
def k(x: In[Tensor[f32, M]], y: Out[Tensor[f32, M]]) -> None:
    for i in tiles(M, FLAG):
        y[i] = x[i]

# kind: tiles; a constant that is True
# expect: tile.not-constant 11
# text: the size of `tiles` must be a compile-time int, not `FLAG`
