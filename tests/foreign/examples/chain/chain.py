"""A signal through a swish, halved and added to itself; and the same of integer samples."""

import htp
from htp import In, Out, f32, i32
from htp_acme import Signal, hierarchy, routine, swish

N = htp.dim("N")


@routine
def chain(
    x: In[Signal[f32, N, hierarchy(board=4, chip=8)]],
    k: In[Signal[i32, N]],
    y: Out[Signal[f32, N, hierarchy(board=4, chip=8)]],
) -> None:
    z = swish(x[:], beta=1.5)
    y[:] = z * 0.5 + x[:] - swish(k[:])
