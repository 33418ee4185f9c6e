import htp
from htp import In, InOut, f32
from htp_tile import kernel, Tensor

M = htp.dim("M")
N = htp.dim("N")


@kernel
def k(x: In[Tensor[f32, M, N]], y: InOut[Tensor[f32, M, N]]) -> None:
    for n in htp.parallel(range(M)):
        y[n, :] = y[0, :] + x[n, :]

# kind: htp.parallel; a row that the next iteration reads
# expect: tile.reads-written 11
# text: an iteration of the parallel loop `n` reads what another one writes to `y`, as `n = 0` and `n = 1` meet at `y[0, 0]` when M = 2, N = 1
