import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel

N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
    y[:] = x[:]

# kind: --set; a dim, which takes a size
# options: --set N=4.5
# expect: pipeline.bad-set 0
# text: `--set N=4.5`: the program has an int there
