import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor


@kernel
def k(x: In[Tensor[f32, 4]], y: Out[Tensor[f32, 4]]) -> None:
    y[:] = x[:]
    y[9] = x[0]

# kind: store; 9 of 4
# expect: tile.index-range 9
# text: index 9 is outside dimension 0 of `y`, which is 4
