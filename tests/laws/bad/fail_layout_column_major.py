import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel


@kernel
def k(x: In[Tensor[f32, 8, 64, htp.layouts.strided((8, 64), (1, 8))]], y: Out[Tensor[f32, 8, 64]]) -> None:
    y[:, :] = x[:, :]

# kind: a parameter's layout; column by column
# expect: tile.unsupported-layout 7
# text: `x` lies as `htp.layout(((8, 1, "m"), (64, 8, "m")))`, and cpu takes parameters row-major
