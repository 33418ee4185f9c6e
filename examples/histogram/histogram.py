"""How many numbers of a vector fall into each of 64 equal parts of [-4, 4); what lies beyond counts for the first or the last part."""

import htp
from htp import In, Out, f32, i32
from htp_tile import Tensor, cast, floor, kernel, maximum, minimum, scatter_add, tiles

N = htp.dim("N")
BINS = 64
LOW = -4.0
PER_UNIT = 8.0


@kernel
def histogram(x: In[Tensor[f32, N]], counts: Out[Tensor[i32, BINS]]) -> None:
    counts[:] = 0
    for i in tiles(N, 64):
        part = floor((x[i] - LOW) * PER_UNIT)
        scatter_add(counts, 1, cast(minimum(maximum(part, 0), BINS - 1), i32))
