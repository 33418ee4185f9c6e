import htp
from htp import In, Out, f32
from htp_tile import kernel, Tensor, zeros

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    t = zeros(f32, 1, N)
    for n in htp.parallel(range(M)):
        t = x[n, :]
        y[n, :] = t
    y[0, :] = t

# kind: htp.parallel; a tile read behind the loop
# expect: tile.escapes 12
# text: iterations of the parallel loop `n` all bind `t`, and it is read behind the loop
