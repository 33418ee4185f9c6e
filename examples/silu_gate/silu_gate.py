"""SiLU whose gate is kept for the backward pass, in two loops as they stand on paper: the gate, and what it lets through."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor, exp, kernel

ROWS = 24
N = 100


@kernel
def silu_gate(x: In[Tensor[f32, ROWS, N]], gate: Out[Tensor[f32, ROWS, N]], y: Out[Tensor[f32, ROWS, N]]) -> None:
    for i in range(ROWS):
        gate[i, :] = 1.0 / (1.0 + exp(-x[i, :]))
    for i in range(ROWS):
        y[i, :] = x[i, :] * gate[i, :]
