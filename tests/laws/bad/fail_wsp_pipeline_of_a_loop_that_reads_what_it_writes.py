import htp
from htp import In, InOut, f32
from htp_tile import Tensor
from htp_wsp import Schedule, schedule, seq, workload

M = htp.dim("M")
N = htp.dim("N")


@workload
def w(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]]) -> None:
    for i in seq(M):
        y[i, :] = x[i, :] + y[0, :]


@schedule(w)
def s(s: Schedule) -> None:
    s.pipeline("i", depth=2)

# kind: pipeline; pipeline of a loop that reads what it writes
# expect: wsp.not-pipelined 18
# text: iterations of loop `i` cannot overlap: one may read what another writes to `y`
