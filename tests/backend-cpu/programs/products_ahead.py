"""Products whose rows are taken several at a time, in a loop that reads ahead: where the last rows begin is known within an iteration alone."""

#: M=5 N=37; M=1 N=1; M=70 N=64

import htp
from htp import In, Out, f32
from htp_tile import Tensor, kernel, matmul, tiles, transpose, zeros

M = htp.dim("M")
N = htp.dim("N")


@kernel
def attended(q: In[Tensor[f32, M, 16]], k: In[Tensor[f32, N, 16]], v: In[Tensor[f32, N, 16]], o: Out[Tensor[f32, M, 16]]) -> None:
    for i in tiles(M, 64):
        acc = zeros(f32, i, 16)
        for j in htp.pipelined(tiles(N, 16), depth=2):
            s = matmul(q[i, :], transpose(k[j, :])) * 0.25
            acc = matmul(s, v[j, :], acc)
        o[i, :] = acc
