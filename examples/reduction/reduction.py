"""The sum of all elements: four processes add up a quarter of the rows each, and a fifth adds up what they made."""

import htp
from htp import In, Out, f32
from htp_csp import channels, pipeline, process
from htp_tile import Tensor, reduce_sum, tiles, zeros

PARTS = 4
M = htp.dim("M")
N = htp.dim("N")


@pipeline
def reduction(x: In[Tensor[f32, PARTS, M, N]], y: Out[Tensor[f32, 1, 1, 1]]) -> None:
    sums = channels(PARTS, f32, 1, 1, 1, capacity=1)

    @process(grid=PARTS)
    def part(p: int) -> None:
        total = zeros(f32, 1, 1, 1)
        for m in range(M):
            total = total + reduce_sum(x[p, m, :], axis=2)
        sums[p].put(total)

    @process
    def whole() -> None:
        total = zeros(f32, 1, 1, 1)
        for p in range(PARTS):
            total = total + sums[p].get()
        y[:, :, :] = total
