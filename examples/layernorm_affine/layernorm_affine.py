"""Layer normalisation with a gain and a bias for each column, adding to what is there; each row's mean is kept."""

import htp
from htp import In, InOut, Out, f32
from htp_tile import Tensor, kernel, reduce_sum, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def layernorm_affine(
    x: In[Tensor[f32, M, N]],
    gain: In[Tensor[f32, N]],
    bias: In[Tensor[f32, N]],
    mean: Out[Tensor[f32, M]],
    y: InOut[Tensor[f32, M, N]],
) -> None:
    for i in tiles(M, 8):
        row = x[i, :]
        mu = reduce_sum(row, axis=1) / N
        centred = row - mu
        variance = reduce_sum(centred**2, axis=1) / N
        mean[i] = mu
        y[i, :] += centred * (variance + 1e-5) ** -0.5 * gain[:] + bias[:]
