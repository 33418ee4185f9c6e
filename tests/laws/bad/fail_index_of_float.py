import htp
from htp import In, Out, f32
from htp_tile import index, kernel, Tensor

M = htp.dim("M")


@kernel
def k(n: In[Tensor[f32, M]], x: In[Tensor[f32, M]], y: Out[Tensor[f32, M]]) -> None:
    y[:] = x[index(n[0])]

# kind: index; an f32
# expect: tile.wrong-dtype 10
# text: `tile.index` takes an integer dtype, not f32
