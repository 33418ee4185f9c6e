import htp
from htp import In, Out, f32
from htp_csp import Schedule, schedule
from htp_tile import Tensor, kernel, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = x[i, :]


@schedule(k)
def w(s: Schedule) -> None:
    s.chain("load", "store")

# options: --entry w
# kind: schedules of a pipeline; a schedule of a kernel
# expect: csp.no-pipeline 16
# text: `@schedule` takes a pipeline of this file, and `k` is none
