import htp
from htp import In, Out, f32
from htp_csp import pipeline, process
from htp_tile import Tensor, tiles
from htp_wsp import workload

M = htp.dim("M")
N = htp.dim("N")


@pipeline
def inner(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    @process
    def run() -> None:
        for i in tiles(M, 8):
            y[i, :] = x[i, :]


@workload
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    inner(x, y)

# options: --entry w
# kind: nesting; a workload that runs a pipeline
# expect: tile.unwritten-output 20
# text: `y` is an output and is never written
# expect: tile.local-call 21
# text: `inner` is called from outside, not by a kernel
