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
# expect: wsp.call-missing 24
# text: `square` is not given its parameter `y`
# expect: wsp.call-extents 25
# text: `blocked` takes a tensor of (M, M) for `x`, and `x` has (M, N)
# expect: wsp.call-extents 25
# text: `blocked` takes a tensor of (M, M) for `y`, and `y` has (M, N)
# expect: wsp.call-reads 26
# text: `blocked` reads its parameter `x`, and `y` is only written
# expect: wsp.call-writes 26
# text: `blocked` writes its parameter `y`, and `x` is only read
