import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel


@kernel
def k(x: In[Tensor[f32, 8, 64, htp.layouts.strided((8, 64), (-64, 1))]], y: Out[Tensor[f32, 8, 64]]) -> None:
    y[:, :] = x[:, :]

# kind: a parameter's layout; elements before the beginning
# expect: tile.bad-layout 7
# text: `htp.layouts.strided((8, 64), (-64, 1))` is no layout: some of its elements lie before the beginning
