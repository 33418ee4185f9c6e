import htp
from htp import In, InOut, f32
from htp_csp import pipeline, process
from htp_tile import Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@pipeline
def inner(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]]) -> None:
    @process
    def run() -> None:
        for i in tiles(M, 8):
            y[i, :] += x[i, :]


@pipeline
def w(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]]) -> None:
    inner(x, y)
    inner(x, y)

# options: --entry w
# kind: nesting; two processes that store one tensor, by two calls
# expect: csp.two-owners 15
# text: `inner_run` and `inner_2_run` both use `y`, which one of them stores
