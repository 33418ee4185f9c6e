"""An int that is read by what stands before it is bound again from an element."""

#: N=1; N=3; N=17

import htp
from htp import In, InOut, i32
from htp_tile import Tensor, full, index, kernel

N = htp.dim("N")


@kernel
def an_int_bound_again(x: In[Tensor[i32, 4, N]], z: In[Tensor[i32, N]], y: InOut[Tensor[i32, 4, N]], c: int) -> None:
    v = c
    y[0, 0] = v
    v = index(z[0])
    for p in range(2):
        t = full(i32, v, 1)
        v = index(x[p, 0])
        y[1 + p, 0] = t
    row = (c % 3 + 3) % 3
    u = x[row, :]
    row = (index(z[0]) % 3 + 3) % 3
    y[3, :] = u + full(i32, row, N)
