import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel


@kernel
def k(x: In[Tensor[f32, 8, 64, htp.layouts.packed((8, 64), (8, 8), (0, 1), (0, 1))]], y: Out[Tensor[f32, 8, 64]]) -> None:
    y[:, :] = x[:, :]

# kind: a parameter's layout; in blocks
# expect: tile.unsupported-layout 7
# text: `x` lies as `htp.layout(((8, 8, "m"), (8, 64, "m"), (8, 1, "m")))`, and cpu takes parameters with one step along each dimension
