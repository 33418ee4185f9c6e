import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel

N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
    y[:] = x[:]

# kind: --entry; a name that is not there
# options: --entry kopy
# expect: pipeline.unknown-entry 0
# text: `kopy` is not an entry point of this program
