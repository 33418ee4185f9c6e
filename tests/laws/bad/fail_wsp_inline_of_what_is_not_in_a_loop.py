import htp
from htp import In, Out, f32
from htp_tile import buffer, exp, Tensor
from htp_wsp import P, Schedule, schedule, workload

M = htp.dim("M")
N = htp.dim("N")


@workload
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    h = buffer(f32, M, N)
    h[:, :] = exp(x[:, :])
    for i in P(M):
        y[i, :] = h[i, :]


@schedule(w)
def s(s: Schedule) -> None:
    s.inline("h")

# kind: inline; inline of what is not in a loop
# expect: wsp.inline-no-loop 20
# text: `h` is not inlined: it is stored to outside of loops of its own
