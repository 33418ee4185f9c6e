import htp
from htp import In, Out, f32
from htp_csp import channel, pipeline
from htp_tile import Tensor

M = htp.dim("M")
N = htp.dim("N")


@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    a, b = channel(f32, 8, N, capacity=2), channel(f32, 8, N, capacity=2)

# kind: declarations of a pipeline; two channels by one statement
# expect: csp.no-declaration 12
# text: a pipeline's body declares channels and processes, and this is neither
