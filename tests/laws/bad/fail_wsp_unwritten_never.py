import htp
from htp import In, Out, f32
from htp_tile import exp, Tensor
from htp_wsp import P, workload

M = htp.dim("M")
N = htp.dim("N")


@workload
def work(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        t = exp(x[i, :])

# kind: a workload; an output never stored
# expect: tile.never-written 11
# text: `y` is an output, and nothing is stored to it
