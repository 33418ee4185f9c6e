"""Rotary position embedding: each pair of features is turned by an angle that grows with the position. The first half of a head's
features lies at x[s, 0, :], the second at x[s, 1, :]."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor, cos, kernel, sin, tiles

S = htp.dim("S")
H = htp.dim("H")


@kernel
def rope(
    x: In[Tensor[f32, S, 2, H]],
    position: In[Tensor[f32, S, 1, 1]],
    frequency: In[Tensor[f32, 1, 1, H]],
    y: Out[Tensor[f32, S, 2, H]],
) -> None:
    for i in tiles(S, 16):
        angle = position[i, :, :] * frequency[:, :, :]
        c = cos(angle)
        s = sin(angle)
        a = x[i, 0, :]
        b = x[i, 1, :]
        y[i, 0, :] = a * c - b * s
        y[i, 1, :] = b * c + a * s
