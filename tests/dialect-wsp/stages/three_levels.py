import htp
import htp_tile
from htp import In, Out, f32
from htp_wsp import P, Schedule, schedule, workload

M = htp.dim("M")
N = htp.dim("N")
OUTER = 256


@workload
def w(x: In[htp_tile.Tensor[f32, M, N]], y: Out[htp_tile.Tensor[f32, M, N]]) -> None:
    """Twice x."""
    # Over the rows.
    for i in P(M):
        # Over the columns.
        for j in P(N):
            y[i, j] = x[i, j] * 2.0


@schedule(w)
def first(s: Schedule) -> None:
    """Three levels of rows."""
    s.tile("i", OUTER, OUTER // 4, 16)  # by thirds
    s.parallel("i_1")
# ── wsp.apply ──
import htp
import htp_tile
from htp import In, Out, f32
from htp_wsp import P, Schedule, schedule, workload

M = htp.dim("M")
N = htp.dim("N")
OUTER = 256


@workload
def w(x: In[htp_tile.Tensor[f32, M, N]], y: Out[htp_tile.Tensor[f32, M, N]]) -> None:
    """Twice x."""
    # Over the rows.
    for i_0 in P(M, 256):
        for i_1 in htp.parallel(P(i_0, 64)):
            for i in P(i_1, 16):
                # Over the columns.
                for j in P(N):
                    y[i, j] = x[i, j] * 2.0


@schedule(w)
def first(s: Schedule) -> None:
    """Three levels of rows."""
# ── wsp.lower ──
import htp
import htp_tile
from htp import In, Out, f32

M = htp.dim("M")
N = htp.dim("N")
OUTER = 256


@htp_tile.kernel
def w(x: In[htp_tile.Tensor[f32, M, N]], y: Out[htp_tile.Tensor[f32, M, N]]) -> None:
    """Twice x."""
    # Over the rows.
    for i_0 in htp_tile.tiles(M, 256):
        for i_1 in htp.parallel(htp_tile.tiles(i_0, 64)):
            for i in htp_tile.tiles(i_1, 16):
                # Over the columns.
                for j in htp_tile.tiles(N, 64):
                    y[i, j] = x[i, j] * 2.0
