import htp
from htp import In, Out, f32
from htp_tile import Tensor, tiles
from htp_wsp import P, Schedule, schedule, seq, workload

N = htp.dim("N")


@workload
def other(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
    for i in P(N):
        y[i] = x[i]


@workload
def base(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
    for i in P(N):
        twice = x[i] + x[i]
        y[i] = twice
    for i in seq(N):
        pass


@schedule(other)
def others(s: Schedule) -> None:
    s.tile("i", 8)


@schedule(base)
def v(s: Schedule) -> None:
    pass


@schedule(other)
def w(s: Schedule) -> None:
    s.tile("i", 32)
    s.bind("i", level="core")
# ── wsp.apply ──
import htp
from htp import In, Out, f32
from htp_tile import Tensor, tiles
from htp_wsp import P, Schedule, schedule, seq, workload

N = htp.dim("N")


@workload
def other(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
    for i in htp.parallel(P(N, 32), level='core'):
        y[i] = x[i]


@workload
def base(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
    for i in P(N):
        twice = x[i] + x[i]
        y[i] = twice
    for i in seq(N):
        pass


@schedule(other)
def w(s: Schedule) -> None:
    pass
# ── wsp.lower ──
import htp
from htp import In, Out, f32
from htp_tile import Tensor, tiles
from htp_wsp import P, seq, workload
import htp_tile as tile

N = htp.dim("N")


@tile.kernel
def w(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
    for i in htp.parallel(tile.tiles(N, 32), level='core'):
        y[i] = x[i]


@workload
def base(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:
    for i in P(N):
        twice = x[i] + x[i]
        y[i] = twice
    for i in seq(N):
        pass
