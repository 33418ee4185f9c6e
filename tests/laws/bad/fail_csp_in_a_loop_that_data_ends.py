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
    @process
    def run() -> None:
        n = 0
        while n < 3:
            inner(x, y)
            n += 1

# options: --entry w
# kind: nesting; in a loop that data ends
# expect: csp.called-in-while 24
# text: `inner` is called in a loop whose trip count is not known when compiling
