import htp
from htp import In, Out, f32
from htp_csp import pipeline, process
from htp_tile import Tensor
from htp_wsp import P, Schedule, schedule, workload

M = htp.dim("M")
N = htp.dim("N")


@workload
def twice(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        y[i, :] = x[i, :] * 2.0


@schedule(twice)
def blocked(s: Schedule) -> None:
    s.tile("i", 8)


@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    @process
    def run() -> None:
        blocked(x, y)

# options: --entry w
# kind: nesting; a process that runs a scheduled workload
# expect: tile.local-call 26
# text: `blocked` is called from outside, not by a kernel
