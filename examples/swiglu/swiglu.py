"""SwiGLU, the gated activation of transformers' feed-forward layers: y = gate * sigmoid(gate) * up."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel, sigmoid, tiles

M = htp.dim("M")
N = htp.dim("N")


@kernel
def swiglu(gate: In[Tensor[f32, M, N]], up: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    for i in tiles(M, 8):
        g = gate[i, :]
        y[i, :] = g * sigmoid(g) * up[i, :]
