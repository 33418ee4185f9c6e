import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel

N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
    y[:] = x[0.5:]

# kind: load; a slice by a float
# expect: tile.int-expected 10
# text: `0.5` is not an int
