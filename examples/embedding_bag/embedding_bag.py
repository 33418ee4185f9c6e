"""The sum of the rows of a table that each bag names. A bag's rows are on their way at the same time, and a barrier waits for all of them."""

import htp
from htp import In, Out, f32, i32
from htp_tile import Tensor, barrier, buffer, copy_async, index, kernel, reduce_sum, whole

B = htp.dim("B")
V = htp.dim("V")
D = htp.dim("D")
ROWS = 4


@kernel
def embedding_bag(table: In[Tensor[f32, V, D]], bags: In[Tensor[i32, B, ROWS]], y: Out[Tensor[f32, B, D]]) -> None:
    rows = buffer(f32, ROWS, D)
    for b in range(B):
        for r in range(ROWS):
            copy_async(rows, table[index(bags[b, r]), :], r, whole)
        barrier()
        y[b, :] = reduce_sum(rows[:, :], axis=0)
