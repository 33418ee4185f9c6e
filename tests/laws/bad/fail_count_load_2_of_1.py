import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor

N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
    y[:] = x[:, 0]

# kind: load; 2 indices of 1 dimension
# expect: tile.index-count 10
# text: `x` has 1 dimensions and is indexed with 2
