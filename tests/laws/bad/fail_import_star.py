import htp
from htp import In, Out, f32
from htp_tile import *

N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
    y[:] = x[:]

# kind: an import; everything
# options: --entry k
# expect: pipeline.unknown-entry 0
# text: `k` is not an entry point of this program
