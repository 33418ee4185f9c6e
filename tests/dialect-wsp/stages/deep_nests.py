import htp
from htp import In, Out, f32
from htp_tile import Tensor, buffer, matmul, maximum, zeros
from htp_wsp import P, Schedule, schedule, seq, workload

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


@workload
def layers(x: In[Tensor[f32, M, K]], a: In[Tensor[f32, K, N]], b: In[Tensor[f32, N, K]], y: Out[Tensor[f32, M, K]]) -> None:
    h = buffer(f32, M, N)
    for i in P(M):
        for j in P(N):
            acc = zeros(f32, i, j)
            for k in seq(K):
                acc = matmul(x[i, k], a[k, j], acc)
            h[i, j] = maximum(acc, 0.0)
    for p in P(M):
        for q in P(K):
            out = zeros(f32, p, q)
            for r in seq(N):
                out = matmul(h[p, r], b[r, q], out)
            y[p, q] = out


@schedule(layers)
def w(s: Schedule) -> None:
    s.tile("i", 32)
    s.tile("j", 64)
    s.tile("k", 32)
    s.tile("p", 32)
    s.tile("q", 64, 16)
    s.tile("r", 64, 32)
    s.unroll("r")
# ── wsp.apply ──
import htp
from htp import In, Out, f32
from htp_tile import Tensor, buffer, matmul, maximum, zeros
from htp_wsp import P, Schedule, schedule, seq, workload

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


@workload
def layers(x: In[Tensor[f32, M, K]], a: In[Tensor[f32, K, N]], b: In[Tensor[f32, N, K]], y: Out[Tensor[f32, M, K]]) -> None:
    h = buffer(f32, M, N)
    for i in P(M, 32):
        for j in P(N, 64):
            acc = zeros(f32, i, j)
            for k in seq(K, 32):
                acc = matmul(x[i, k], a[k, j], acc)
            h[i, j] = maximum(acc, 0.0)
    for p in P(M, 32):
        for q_0 in P(K, 64):
            for q in P(q_0, 16):
                out = zeros(f32, p, q)
                for r_0 in seq(N, 64):
                    for r in htp.unrolled(seq(r_0, 32)):
                        out = matmul(h[p, r], b[r, q], out)
                y[p, q] = out


@schedule(layers)
def w(s: Schedule) -> None:
    pass
# ── wsp.lower ──
import htp
from htp import In, Out, f32
from htp_tile import Tensor, buffer, matmul, maximum, zeros
import htp_tile as tile

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


@tile.kernel
def w(x: In[Tensor[f32, M, K]], a: In[Tensor[f32, K, N]], b: In[Tensor[f32, N, K]], y: Out[Tensor[f32, M, K]]) -> None:
    h = buffer(f32, M, N)
    for i in tile.tiles(M, 32):
        for j in tile.tiles(N, 64):
            acc = zeros(f32, i, j)
            for k in tile.tiles(K, 32):
                acc = matmul(x[i, k], a[k, j], acc)
            h[i, j] = maximum(acc, 0.0)
    for p in tile.tiles(M, 32):
        for q_0 in tile.tiles(K, 64):
            for q in tile.tiles(q_0, 16):
                out = zeros(f32, p, q)
                for r_0 in tile.tiles(N, 64):
                    for r in htp.unrolled(tile.tiles(r_0, 32)):
                        out = matmul(h[p, r], b[r, q], out)
                y[p, q] = out
