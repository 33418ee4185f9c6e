import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel
from htp_wsp import Schedule, schedule

N = htp.dim("N")


@kernel
def work(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
    y[:] = x[:]


@schedule(work)
def plan(s: Schedule) -> None:
    s.tile("i", 64)

# kind: @schedule; a function that is no workload
# options: --entry plan
# expect: wsp.no-workload 14
# text: `@schedule` takes a workload of this file, and `work` is none
