"""One step of an LSTM: the four gates are columns of one product, which is sliced."""

import htp
from htp import In, InOut, f32
from htp_tile import Tensor, kernel, matmul, sigmoid, tanh, tiles

B = htp.dim("B")
D = htp.dim("D")
H = htp.dim("H")


@kernel
def lstm(
    x: In[Tensor[f32, B, D]],
    w: In[Tensor[f32, D, 4 * H]],
    u: In[Tensor[f32, H, 4 * H]],
    bias: In[Tensor[f32, 4 * H]],
    h: InOut[Tensor[f32, B, H]],
    c: InOut[Tensor[f32, B, H]],
) -> None:
    for i in tiles(B, 8):
        gates = matmul(h[i, :], u[...], x[i, :] @ w[...]) + bias[:]
        new = sigmoid(gates[:, H : 2 * H]) * c[i, :] + sigmoid(gates[:, :H]) * tanh(gates[:, 2 * H : 3 * H])
        c[i, :] = new
        h[i, :] = sigmoid(gates[:, 3 * H :]) * tanh(new)
