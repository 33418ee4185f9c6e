import htp
from htp import In, Out, f32
from htp_csp import pipeline, process
from htp_tile import Tensor, kernel, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def twice(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        y[i, :] = x[i, :] * 2.0


@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    @process
    def run() -> None:
        twice(x, y)

# options: --entry w
# kind: nesting; a kernel in a process
# expect: tile.local-call 20
# text: `twice` is called from outside, not by a kernel
