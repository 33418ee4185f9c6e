"""SwiGLU with its slopes, y = gate * s(gate) * up, as the formulas stand on paper: the logistic curve s is written out wherever it stands."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor, exp, kernel, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def swiglu_slopes(
    gate: In[Tensor[f32, M, N]],
    up: In[Tensor[f32, M, N]],
    y: Out[Tensor[f32, M, N]],
    along_gate: Out[Tensor[f32, M, N]],
    along_up: Out[Tensor[f32, M, N]],
) -> None:
    for i in tiles(M, 8):
        g = gate[i, :]
        y[i, :] = g * (1.0 / (1.0 + exp(-g))) * up[i, :]
        along_up[i, :] = g * (1.0 / (1.0 + exp(-g)))
        slope = 1.0 / (1.0 + exp(-g)) + g * (1.0 / (1.0 + exp(-g))) * (1.0 - 1.0 / (1.0 + exp(-g)))
        along_gate[i, :] = up[i, :] * slope
