import htp
from htp import In, InOut, f32, i32
from htp_csp import pipeline, process
from htp_tile import Tensor, index

M = htp.dim("M")
N = htp.dim("N")


@pipeline
def inner(k: int, x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]]) -> None:
    @process
    def run() -> None:
        y[k, :] += x[k, :]


@pipeline
def w(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]], n: In[Tensor[i32, 1]]) -> None:
    @process
    def run() -> None:
        k = index(n[0])
        inner(k, x, y)

# options: --entry w
# kind: nesting; at a place that a process computes
# expect: csp.value-of-process 22
# text: the call of `inner` uses `k`, a value of the process `run`
