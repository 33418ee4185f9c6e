import htp
from htp import In, Out, f32
from htp_tile import reduce_sum, Tensor, zeros
from htp_wsp import P, workload

M = htp.dim("M")
N = htp.dim("N")


@workload
def work(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, 1, N]]) -> None:
    t = zeros(f32, 1, N)
    for i in P(M):
        t = reduce_sum(x[i, :], axis=0)
    y[0, :] = t

# kind: P; a tile read behind the loop
# expect: wsp.escapes 13
# text: iterations of loop `i` all bind `t`, and it is read behind the loop
