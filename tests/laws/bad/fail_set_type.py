import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel

SIZE = 8
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
    y[:] = x[:]

# kind: --set; a string for an int
# options: --set SIZE='a'
# expect: pipeline.bad-set 0
# text: `--set SIZE='a'`: the program has an int there
