"""What a core makes before it takes anything: of the next call it is there before that begins."""

import htp
from htp import In, Out, f32
from htp_csp import pipeline, process
from htp_tile import Tensor, full

M = htp.dim("M")
N = htp.dim("N")


@pipeline
def border(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M + 1, N]]) -> None:
    @process
    def below() -> None:
        y[0, :] = full(f32, 0.5, 1, N)
        for m in range(M):
            y[m + 1, :] = x[m, :] * 2.0
