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
