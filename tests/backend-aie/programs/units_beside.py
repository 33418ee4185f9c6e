"""A row that counts for sums in blocks and for a tile of fewer rows than a block has: all of them stay in rows."""

import htp
from htp import In, Out, bf16, f32
from htp_csp import channel, pipeline, process
from htp_tile import Tensor, matmul, zeros

N = htp.dim("N")


@pipeline
def units_beside(a: In[Tensor[bf16, 32, 16]], b: In[Tensor[bf16, 16, N]], bias: In[Tensor[f32, N]], c: Out[Tensor[f32, 32, N]], d: Out[Tensor[f32, 12, N]]) -> None:
    sums = channel(f32, 16, N, capacity=2)

    @process
    def product() -> None:
        for t in range(2):
            sums.put(matmul(a[16 * t : 16 * t + 16, :], b[:, :], zeros(f32, 16, N)))

    @process
    def added() -> None:
        row = bias[:]
        for t in range(2):
            c[16 * t : 16 * t + 16, :] = sums.get() + row
            d[6 * t : 6 * t + 6, :] = zeros(f32, 6, N) + row
