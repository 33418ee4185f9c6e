import htp
from htp import In, Out, f32
from htp_csp import pipeline, process
from htp_tile import Tensor

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


@pipeline
def inner(x: In[Tensor[f32, K, K]]) -> None:
    @process
    def run() -> None:
        pass


@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    inner(x)

# options: --entry w
# kind: nesting; tensors whose dims do not fit
# expect: csp.call-extents 20
# text: `inner` takes a tensor of (M, M) for `x`, and `x` has (M, N)
