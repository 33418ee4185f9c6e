"""A chain of 160 elementwise operations: what a long straight-line body costs to compile."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor, absolute, kernel, maximum, minimum, sqrt, tanh, tiles

N = htp.dim("N")


@kernel
def chain160(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
    for i in tiles(N, 256):
        u = x[i]
        v = u + 0.25
        v = v + 0.5
        v = v * 1.25
        v = v - u
        v = -v
        v = v / 1.5
        v = 1.0 - v
        v = v * v + u
        v = sqrt(absolute(v) + 1.0)
        v = v + tanh(u)
        v = maximum(v, u) + minimum(v, u)
        v = v + 0.5
        v = v * 1.25
        v = v - u
        v = -v
        v = v / 1.5
        v = 1.0 - v
        v = v * v + u
        v = sqrt(absolute(v) + 1.0)
        v = v + tanh(u)
        v = maximum(v, u) + minimum(v, u)
        v = v + 0.5
        v = v * 1.25
        v = v - u
        v = -v
        v = v / 1.5
        v = 1.0 - v
        v = v * v + u
        v = sqrt(absolute(v) + 1.0)
        v = v + tanh(u)
        v = maximum(v, u) + minimum(v, u)
        v = v + 0.5
        v = v * 1.25
        v = v - u
        v = -v
        v = v / 1.5
        v = 1.0 - v
        v = v * v + u
        v = sqrt(absolute(v) + 1.0)
        v = v + tanh(u)
        v = maximum(v, u) + minimum(v, u)
        v = v + 0.5
        v = v * 1.25
        v = v - u
        v = -v
        v = v / 1.5
        v = 1.0 - v
        v = v * v + u
        v = sqrt(absolute(v) + 1.0)
        v = v + tanh(u)
        v = maximum(v, u) + minimum(v, u)
        v = v + 0.5
        v = v * 1.25
        v = v - u
        v = -v
        v = v / 1.5
        v = 1.0 - v
        v = v * v + u
        v = sqrt(absolute(v) + 1.0)
        v = v + tanh(u)
        v = maximum(v, u) + minimum(v, u)
        v = v + 0.5
        v = v * 1.25
        v = v - u
        v = -v
        v = v / 1.5
        v = 1.0 - v
        v = v * v + u
        v = sqrt(absolute(v) + 1.0)
        v = v + tanh(u)
        v = maximum(v, u) + minimum(v, u)
        v = v + 0.5
        v = v * 1.25
        v = v - u
        v = -v
        v = v / 1.5
        v = 1.0 - v
        v = v * v + u
        v = sqrt(absolute(v) + 1.0)
        v = v + tanh(u)
        v = maximum(v, u) + minimum(v, u)
        v = v + 0.5
        v = v * 1.25
        v = v - u
        v = -v
        v = v / 1.5
        v = 1.0 - v
        v = v * v + u
        v = sqrt(absolute(v) + 1.0)
        v = v + tanh(u)
        v = maximum(v, u) + minimum(v, u)
        v = v + 0.5
        v = v * 1.25
        v = v - u
        v = -v
        v = v / 1.5
        v = 1.0 - v
        v = v * v + u
        v = sqrt(absolute(v) + 1.0)
        v = v + tanh(u)
        v = v + 0.25
        v = v + 0.25
        y[i] = v
