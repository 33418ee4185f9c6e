import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel

SIZE = 8
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
    y[:] = x[:]

# kind: --set; an int of more than 64 bits
# options: --set SIZE=9999999999999999999999
# expect: pipeline.bad-set 0
# text: `--set SIZE=9999999999999999999999`: the program has an int of 64 bits there
