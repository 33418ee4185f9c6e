"""Blocks of a range, used for more than to index tensors: what counts them, and what indexes a buffer that lies over them."""

#: M=0 N=17 K=2; M=1 N=17 K=2; M=5 N=3 K=2; M=21 N=17 K=3; M=21 N=17 K=20

import htp
from htp import In, InOut, i32
from htp_tile import Tensor, buffer, full, iota, scatter_add, whole
from htp_wsp import P, workload

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")


@workload
def counted(x: In[Tensor[i32, M, N]], k: In[Tensor[i32, K, 1]], y: InOut[Tensor[i32, M, N]], z: InOut[Tensor[i32, M, 1]]) -> None:
    for i in P(1, M - 1, 4):
        h = buffer(i32, i, N)
        h[i, :] = x[i, :] + iota(i32, i, 1, axis=-2) * 100
        for r in range(i.start, i.stop):
            h[r, :] = h[r, :] + x[r - 1, :]
        z[i, :] = full(i32, i.start, i, 1) + i.stop * 100
        for p in P(i, 2):
            y[p, :] = h[p, :] + iota(i32, 1, N, axis=1)
    for j in P(K, M, 4):
        g = buffer(i32, j, N)
        g[j, :] = y[j, :] * 3
        rows = iota(i32, j, axis=0)
        y[j, :] = g[rows, :] + g[j.start : j.stop, :]
        scatter_add(g, x[j, :], rows, whole)
        if len(j) > 2:
            g[j.start : j.start + 2, :] = g[j.stop - 2 : j.stop, :]
        y[j, :] = y[j, :] + g[:, :]
