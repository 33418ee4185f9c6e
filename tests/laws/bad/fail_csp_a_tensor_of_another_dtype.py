import htp
from htp import In, Out, f32, i32
from htp_csp import pipeline, process
from htp_tile import Tensor

M = htp.dim("M")
N = htp.dim("N")


@pipeline
def inner(x: In[Tensor[i32, M, N]]) -> None:
    @process
    def run() -> None:
        pass


@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    inner(x)

# options: --entry w
# kind: nesting; a tensor of another dtype
# expect: csp.call-dtype 19
# text: `inner` takes a tensor of i32 for `x`, and `x` is one of f32
