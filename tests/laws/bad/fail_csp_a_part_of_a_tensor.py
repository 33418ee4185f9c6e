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
def w(x: In[Tensor[f32, 2, M, N]], y: InOut[Tensor[f32, M, N]]) -> None:
    inner(x[0, :, :], y)

# options: --entry w
# kind: nesting; a part of a tensor
# expect: csp.call-tensor 20
# text: `inner` takes a tensor for `x`, and `x[0, :, :]` is none
