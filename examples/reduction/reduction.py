"""The sum of all elements: four processes add up the rows of a quarter each, and a fifth adds up what they made."""

import htp
from htp import In, Out, f32
from htp_csp import channels, pipeline, process
from htp_tile import Tensor, reduce_sum, zeros

PARTS = 4
M = htp.dim("M")
N = htp.dim("N")


@pipeline
def reduction(x: In[Tensor[f32, PARTS, M, N]], y: Out[Tensor[f32, 1, 1, 1]]) -> None:
    sums = channels(PARTS, f32, 1, 1, N, capacity=1)

    @process(grid=PARTS)
    def part(p: int) -> None:
        rows = zeros(f32, 1, 1, N)
        for m in range(M):
            rows = rows + x[p, m, :]
        sums[p].put(rows)

    @process
    def whole() -> None:
        total = zeros(f32, 1, 1, N)
        for p in range(PARTS):
            total = total + sums[p].get()
        y[:, :, :] = reduce_sum(total, axis=2)
