import htp
from htp_tile import *
from htp import In, Out, f32
from htp_tile import Tensor, kernel

N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
    y[:] = exp(x[:])

# kind: an import; everything, beside the kernel
# expect: tile.star-import 2
# text: `from htp_tile import *` hides which names a kernel uses
