"""Values that are computed of the ones that their names had before, where no operation goes in place."""

import htp
from htp import In, Out, i32
from htp_tile import Tensor, kernel, matmul, transpose

M = htp.dim("M")


@kernel
def in_place_of_itself(x: In[Tensor[i32, M, 8, 8]], y: Out[Tensor[i32, M, 8, 8]]) -> None:
    for m in range(M):
        a = x[m, :, :]
        for n in range(3):
            a = transpose(a)
            a = matmul(a, a, a)
        y[m, :, :] = a
