import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel


@kernel
def k(x: In[Tensor[f32, 64, htp.layouts.swizzle(htp.layouts.ordered((64,), (0,)), 2, 0, 2)]], y: Out[Tensor[f32, 64]]) -> None:
    y[:] = x[:]

# kind: a parameter's layout; a vector in no steps
# expect: tile.unsupported-layout 7
# text: `x` lies as `htp.layout(((4, 16, "m"), (16, (1, 2, 5, 10), "m")))`, and cpu takes parameters with one step along each dimension
