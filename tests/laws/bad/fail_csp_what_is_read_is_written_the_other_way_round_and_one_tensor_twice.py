import htp
from htp import In, InOut, Out, f32
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
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]], z: InOut[Tensor[f32, M, N]]) -> None:
    inner(z, x)
    inner(y, z)
    inner(z, z)

# options: --entry w
# kind: nesting; what is read is written, the other way round, and one tensor twice
# expect: csp.call-writes 20
# text: `inner` writes its parameter `y`, and `x` is only read
# expect: csp.call-reads 21
# text: `inner` reads its parameter `x`, and `y` is only written
# expect: csp.call-alias 22
# text: `inner` is given `z` for `x` and for `y`, and writes one of them
