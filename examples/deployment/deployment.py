"""Softmax of rows of a fixed width, with a schedule for machines of one core and one for more: the sources of several packages."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor, exp, reduce_max, reduce_sum
from htp_wsp import P, Schedule, schedule, workload

M = htp.dim("M")
WIDTH = 64


@workload
def softmax(x: In[Tensor[f32, M, WIDTH]], y: Out[Tensor[f32, M, WIDTH]]) -> None:
    for i in P(M):
        e = exp(x[i, :] - reduce_max(x[i, :], axis=1))
        y[i, :] = e / reduce_sum(e, axis=1)


@schedule(softmax)
def alone(s: Schedule) -> None:
    s.tile("i", 4)


@schedule(softmax)
def together(s: Schedule) -> None:
    s.tile("i", 32, 4)
    s.bind("i_0", level="core")
