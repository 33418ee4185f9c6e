import htp
from htp import In, Out, f32
from htp_tile import Tensor
from htp_wsp import P, Schedule, schedule, workload

M = htp.dim("M")
N = htp.dim("N")


@workload
def scale(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        for j in P(N):
            y[i, j] = x[i, j] * 2.0


@schedule(scale)
def plan(s: Schedule) -> None:
    s.bind("i", level="lane")

# kind: bind; a level of another kind
# expect: wsp.no-iterations 19
# text: level `lane` of `cpu` runs no iterations: its kind is `vector`
