import htp
from htp import In, InOut, f32
from htp_tile import Tensor
from htp_wsp import P, workload

N = htp.dim("N")


@workload
def w(x: In[Tensor[f32, N]], y: InOut[Tensor[f32, N]]) -> None:
    for i in P(1, N - 1):
        y[i] = x[i] * 2.0

# kind: P; an int and a dim less 1
# expect: wsp.bad-size 11
# text: a block size is a compile-time int of at least 1, not `N - 1`
