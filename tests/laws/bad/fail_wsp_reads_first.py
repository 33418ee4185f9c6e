import htp
from htp import In, InOut, f32
from htp_tile import Tensor
from htp_wsp import P, workload

M = htp.dim("M")
N = htp.dim("N")


@workload
def work(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        y[i, :] = x[i, :] + y[0, :]

# kind: P; a load of the first row, which others store
# expect: wsp.reads-written 12
# text: iterations of loop `i` may read what others write to `y`
