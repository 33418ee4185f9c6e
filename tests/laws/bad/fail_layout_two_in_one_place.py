import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel


@kernel
def k(x: In[Tensor[f32, 8, 64, htp.layouts.strided((8, 64), (8, 1))]], y: Out[Tensor[f32, 8, 64]]) -> None:
    y[:, :] = x[:, :]

# kind: a parameter's layout; two elements in one place
# expect: tile.bad-layout 7
# text: `htp.layouts.strided((8, 64), (8, 1))` is no layout: two of its elements have one position
