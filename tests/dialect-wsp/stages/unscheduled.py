import htp
from htp import In, Out, f32
from htp_tile import Tensor
from htp_wsp import P, workload

N = htp.dim("N")


@workload
def w(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
    for i in P(N):
        y[i] = x[i] * 2.0
# ── wsp.apply ──
import htp
from htp import In, Out, f32
from htp_tile import Tensor
from htp_wsp import P, workload

N = htp.dim("N")


@workload
def w(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
    for i in P(N):
        y[i] = x[i] * 2.0
# ── wsp.lower ──
import htp
from htp import In, Out, f32
from htp_tile import Tensor
import htp_tile as tile

N = htp.dim("N")


@tile.kernel
def w(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
    for i in tile.tiles(N, 64):
        y[i] = x[i] * 2.0
