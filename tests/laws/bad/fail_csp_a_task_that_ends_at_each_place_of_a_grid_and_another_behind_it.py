import htp
from htp import In, InOut, Out, f32
from htp_csp import pipeline, process
from htp_tile import Tensor, tiles
from htp_wsp import P, workload

M = htp.dim("M")
N = htp.dim("N")


@pipeline
def inner(x: In[Tensor[f32, 2, M, N]], y: InOut[Tensor[f32, 2, M, N]]) -> None:
    @process(grid=2)
    def run(k: int) -> None:
        for i in tiles(M, 8):
            y[k, i, :] = x[k, i, :]


@workload
def w(x: In[Tensor[f32, 2, M, N]], y: InOut[Tensor[f32, 2, M, N]], z: Out[Tensor[f32, 2, M, N]]) -> None:
    inner(x, y)
    for i in P(M):
        z[:, i, :] = y[:, i, :]

# options: --entry w
# kind: tasks; a task that ends at each place of a grid, and another behind it
# expect: csp.grid-task 14
# text: `inner_run` has a grid, and `task_2` waits for its end
