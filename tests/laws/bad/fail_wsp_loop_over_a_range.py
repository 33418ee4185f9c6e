import htp
from htp import In, InOut, f32
from htp_tile import Tensor
from htp_wsp import P, workload

N = htp.dim("N")


@workload
def w(x: In[Tensor[f32, N]], y: InOut[Tensor[f32, N]], n: int) -> None:
    for i in P(1, n):
        y[i] = x[i] * 2.0

# kind: P; a range up to an int that a call gives
# expect: wsp.bad-size 11
# text: a block size is a compile-time int of at least 1, not `n`
