"""Every directive about one nest of loops, in an order that matters."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor, matmul, zeros
from htp_wsp import P, Schedule, schedule, seq, workload

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")

BLOCK = 64


def two_levels(s: Schedule, loop: str, inner: int, level: str = "core") -> None:
    """Blocks for the cores, cut again."""
    s.tile(loop, inner * 4, inner)
    s.bind(f"{loop}_0", level=level)


@workload
def w(a: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], c: Out[Tensor[f32, M, N]]) -> None:
    for i in P(M):
        for j in P(N):
            acc = zeros(f32, i, j)
            for k in seq(K):
                acc = matmul(a[i, k], b[k, j], acc)
            c[i, j] = acc


@schedule(w)
def base(s: Schedule) -> None:
    """Where it begins."""
    two_levels(s, "i", BLOCK // 4)
    s.tile("j", BLOCK)
    s.tile("k", BLOCK)


@schedule(base)
def better(s: Schedule) -> None:
    """The columns in blocks of 128."""
    s.tile("j", 2 * BLOCK, override=True)
    s.split("j", 32, outer="jj")
    s.reorder("jj", "i")
    s.unroll("i")
    s.vectorize("j")
    s.pipeline("k", depth=2)
# ── wsp.apply ──
"""Every directive about one nest of loops, in an order that matters."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor, matmul, zeros
from htp_wsp import P, Schedule, schedule, seq, workload

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")

BLOCK = 64


@workload
def w(a: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], c: Out[Tensor[f32, M, N]]) -> None:
    for i_0 in htp.parallel(P(M, 64), level='core'):
        for jj in P(N, 128):
            for i in htp.unrolled(P(i_0, 16)):
                for j_0 in P(jj, 32):
                    for j in htp.vectorized(P(j_0, 16)):
                        acc = zeros(f32, i, j)
                        for k in htp.pipelined(seq(K, 64), depth=2):
                            acc = matmul(a[i, k], b[k, j], acc)
                        c[i, j] = acc


@schedule(w)
def better(s: Schedule) -> None:
    """The columns in blocks of 128."""
# ── wsp.lower ──
"""Every directive about one nest of loops, in an order that matters."""

import htp
from htp import In, Out, f32
from htp_tile import Tensor, matmul, zeros
import htp_tile as tile

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")

BLOCK = 64


@tile.kernel
def better(a: In[Tensor[f32, M, K]], b: In[Tensor[f32, K, N]], c: Out[Tensor[f32, M, N]]) -> None:
    for i_0 in htp.parallel(tile.tiles(M, 64), level='core'):
        for jj in tile.tiles(N, 128):
            for i in htp.unrolled(tile.tiles(i_0, 16)):
                for j_0 in tile.tiles(jj, 32):
                    for j in htp.vectorized(tile.tiles(j_0, 16)):
                        acc = zeros(f32, i, j)
                        for k in htp.pipelined(tile.tiles(K, 64), depth=2):
                            acc = matmul(a[i, k], b[k, j], acc)
                        c[i, j] = acc
