import htp
from htp import In, Out, f31
from htp_tile import Tensor, kernel

N = htp.dim("N")


@kernel
def k(x: In[Tensor[f31, N]], y: Out[Tensor[f31, N]]) -> None:
    y[:] = x[:]

# kind: an import; a dtype that htp has not
# expect: tile.unknown-dtype 9
# text: `f31` is not a dtype
# expect: tile.unknown-dtype 9
# text: `f31` is not a dtype
