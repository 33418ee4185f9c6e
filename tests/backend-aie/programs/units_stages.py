"""A product by the matrix units, and another process that goes by each element of it, with a row that counts for all rows."""

import htp
from htp import In, Out, bf16, f32
from htp_csp import channel, pipeline, process
from htp_tile import Tensor, cast, matmul, maximum, tiles, zeros

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


@pipeline
def units_stages(a: In[Tensor[bf16, M, K]], b: In[Tensor[bf16, K, N]], bias: In[Tensor[f32, N]], c: Out[Tensor[bf16, M, N]]) -> None:
    sums = channel(f32, tiles(M, 16), tiles(N, 32), capacity=2)

    @process
    def product() -> None:
        for i in tiles(M, 16):
            for j in tiles(N, 32):
                acc = zeros(f32, i, j)
                for k in tiles(K, 32):
                    acc = matmul(a[i, k], b[k, j], acc)
                sums.put(acc)

    @process
    def activated() -> None:
        for i in tiles(M, 16):
            for j in tiles(N, 32):
                c[i, j] = cast(maximum(sums.get() + bias[j], 0.0), bf16)
