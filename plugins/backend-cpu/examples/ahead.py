"""Rows that are copied while the row before is added up: copies that begin and are waited for, and a name that is bound anew."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor, buffer, copy_async, kernel, reduce_sum, wait, whole

M = htp.dim("M")


@kernel
def ahead(x: In[Tensor[f32, M, 64]], y: Out[Tensor[f32, M, 1]]) -> None:
    rows = buffer(f32, 2, 64)
    if M > 0:
        coming = copy_async(rows, x[0, :], 0, whole)
        for m in range(M):
            wait(coming)
            coming = copy_async(rows, x[min(m + 1, M - 1), :], (m + 1) % 2, whole)
            row = rows[m % 2, :]
            row = row * row
            y[m, :] = reduce_sum(row, axis=1)
        wait(coming)
