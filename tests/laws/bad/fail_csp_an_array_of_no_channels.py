import htp
from htp import In, Out, f32
from htp_csp import channels, pipeline
from htp_tile import Tensor

M = htp.dim("M")
N = htp.dim("N")


@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channels((2, 0), f32, 8, N, capacity=2)

# kind: declarations of a pipeline; an array of no channels
# expect: csp.bad-number 12
# text: an extent is a compile-time int of at least 1, not `0`
