import htp
from htp import In, InOut, f32
from htp_csp import pipeline, process
from htp_tile import Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


STEP = 8


@pipeline
def inner(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]]) -> None:
    @process
    def run() -> None:
        for i in tiles(M, STEP):
            y[i, :] += x[i, :]


@pipeline
def w(STEP: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]]) -> None:
    inner(STEP, y)

# options: --entry w
# kind: nesting; a name of the module that is a parameter here
# expect: csp.module-name 23
# text: `inner` uses `STEP` of the module, and `w` has a parameter or a channel of that name
