import htp
from htp import InOut, f32
from htp_tile import Tensor
from htp_wsp import P, workload

M = htp.dim("M")


@workload
def work(y: InOut[Tensor[f32, M, M]]) -> None:
    for i in P(M):
        y[i, :] = y[:, :] * 2.0

# kind: P; a load of what others store
# expect: wsp.reads-written 11
# text: iterations of loop `i` may read what others write to `y`
