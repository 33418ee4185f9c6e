import htp
from htp import In, InOut, f32
from htp_csp import pipeline, process
from htp_tile import Tensor, tiles
from htp_wsp import Schedule, schedule, workload

M = htp.dim("M")
N = htp.dim("N")


@pipeline
def inner(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]]) -> None:
    @process
    def run() -> None:
        for i in tiles(M, 8):
            y[i, :] = x[i, :]


@workload
def w(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]]) -> None:
    inner(x, y)


@schedule(w)
def s(s: Schedule) -> None:
    s.tile("i", 8)

# options: --entry w
# kind: tasks; a schedule of a workload that runs pipelines
# expect: csp.scheduled-tasks 25
# text: `s` is a schedule of `w`, which runs pipelines
# expect: wsp.unknown-loop 26
# text: `w` has no loop `i`
