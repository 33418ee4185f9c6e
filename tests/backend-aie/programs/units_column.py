"""A product by the matrix units beside a column of two bytes a row, which lies as it does in rows: no memory tile makes blocks of it."""

import htp
from htp import In, Out, bf16, f32
from htp_csp import channel, pipeline, process
from htp_tile import Tensor, cast, matmul, tiles, zeros

M = htp.dim("M")


@pipeline
def units_column(a: In[Tensor[bf16, M, 32]], b: In[Tensor[bf16, 32, 16]], scale: In[Tensor[bf16, M, 1]], c: Out[Tensor[f32, M, 16]]) -> None:
    sums = channel(f32, tiles(M, 16), 16, capacity=2)

    @process
    def product() -> None:
        for i in tiles(M, 16):
            sums.put(matmul(a[i, :], b[:, :], zeros(f32, i, 16)))

    @process
    def scaled() -> None:
        for i in tiles(M, 16):
            c[i, :] = sums.get() * cast(scale[i, :], f32)
