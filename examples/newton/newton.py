"""Square roots by Newton's method: each block until all of it is near enough, and how many steps that took."""

import htp
from htp import In, Out, f32, i32
from htp_tile import Tensor, absolute, full, holds, kernel, reduce_any, tiles

N = htp.dim("N")
STEPS = 40
NEAR = 1e-6


@kernel
def newton(x: In[Tensor[f32, N]], root: Out[Tensor[f32, N]], steps: Out[Tensor[i32, N]]) -> None:
    for i in tiles(N, 16):
        square = absolute(x[i])
        guess = square * 0.5 + 0.5
        n = 0
        while n < STEPS and holds(reduce_any(absolute(guess * guess - square) > square * NEAR, axis=0)):
            guess = (guess + square / guess) * 0.5
            n += 1
        root[i] = guess
        steps[i] = full(i32, n, i)
