import htp
from htp import In, Out, f32
from htp_csp import pipeline, process
from htp_tile import Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@pipeline
def inner(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    @process
    def run() -> None:
        for i in tiles(M, 8):
            y[i, :] = x[i, :]


@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    inner(x)
    inner(x, y, y)
    inner(x, y, z=y)

# options: --entry w
# kind: nesting; too few arguments, too many, and one that is not there
# expect: csp.call-missing 20
# text: `inner` is not given its parameter `y`
# expect: csp.call-count 21
# text: `inner` takes 2 arguments, 3 given
# expect: csp.call-keyword 22
# text: `inner` has no parameter `z`
