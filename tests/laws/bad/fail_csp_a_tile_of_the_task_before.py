import htp
from htp import In, InOut, Out, f32
from htp_csp import pipeline, process
from htp_tile import Tensor, tiles, zeros
from htp_wsp import P, workload

M = htp.dim("M")
N = htp.dim("N")


@pipeline
def inner(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]]) -> None:
    @process
    def run() -> None:
        for i in tiles(M, 8):
            y[i, :] = x[i, :]


@workload
def w(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]], z: Out[Tensor[f32, M, N]]) -> None:
    total = zeros(f32, 1, N)
    inner(x, y)
    for i in P(M):
        z[i, :] = y[i, :] + total

# options: --entry w
# kind: tasks; a tile of the task before
# expect: csp.task-value 24
# text: `total` is a value of another task
