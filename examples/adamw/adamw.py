"""A step of AdamW: the moments of the gradient are carried on, and the weights go against them."""

import htp
from htp import In, InOut, f32
from htp_tile import Tensor, full, kernel, sqrt, tiles

N = htp.dim("N")
BETA1 = 0.9
BETA2 = 0.999
EPSILON = 1e-3


@kernel
def adamw(
    rate: f32,
    decay: f32,
    step: int,
    gradient: In[Tensor[f32, N]],
    mean: InOut[Tensor[f32, N]],
    square: InOut[Tensor[f32, N]],
    weights: InOut[Tensor[f32, N]],
) -> None:
    for i in tiles(N, 256):
        first = 1 - full(f32, BETA1, 1) ** step
        second = 1 - full(f32, BETA2, 1) ** step
        g = gradient[i]
        m = BETA1 * mean[i] + (1 - BETA1) * g
        v = BETA2 * square[i] + (1 - BETA2) * g * g
        mean[i] = m
        square[i] = v
        weights[i] -= rate * (m / first / (sqrt(v / second) + EPSILON) + decay * weights[i])
