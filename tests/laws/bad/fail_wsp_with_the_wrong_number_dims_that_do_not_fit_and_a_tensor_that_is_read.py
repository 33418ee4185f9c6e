import htp
from htp import In, Out, f32
from htp_tile import Tensor
from htp_wsp import P, Schedule, schedule, workload

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


@workload
def square(x: In[Tensor[f32, K, K]], y: Out[Tensor[f32, K, K]]) -> None:
    for i in P(K):
        y[i, :] = x[i, :] * 2.0


@schedule(square)
def blocked(s: Schedule) -> None:
    s.tile("i", 8)


@workload
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    square(x)
    blocked(x, y)
    blocked(y, x)

# options: --entry w
# kind: nesting; with the wrong number, dims that do not fit, and a tensor that is read
# expect: wsp.call-argument 24
# text: `square` takes 2 arguments, `y` among them, and is given 1
# expect: wsp.call-argument 25
# text: `blocked` takes a tensor of (M, M) for `x`, and is given `x` of (M, N)
# expect: wsp.call-argument 25
# text: `blocked` takes a tensor of (M, M) for `y`, and is given `y` of (M, N)
# expect: wsp.call-argument 26
# text: `blocked` takes a tensor to read for `x`, and is given `y`, which is written
# expect: wsp.call-argument 26
# text: `blocked` takes a tensor to write for `y`, and is given `x`, which is read
