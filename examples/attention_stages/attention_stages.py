"""Attention in stages: scores, their softmax as it comes, and what it weighs, each a process; no row of scores is ever whole."""

import htp
from htp import In, Out, f32
from htp_csp import channel, pipeline, process
from htp_tile import Tensor, exp, full, matmul, maximum, reduce_max, reduce_sum, tiles, zeros

S = htp.dim("S")
T = htp.dim("T")

D = 8
SCALE = 0.35355339059327373  # 1 / sqrt(D)
LOWEST = -1.0e30


@pipeline
def attention_stages(q: In[Tensor[f32, S, D]], kt: In[Tensor[f32, D, T]], v: In[Tensor[f32, T, D]], o: Out[Tensor[f32, S, D]]) -> None:
    scores = channel(f32, tiles(S, 16), tiles(T, 32), capacity=2)
    powers = channel(f32, tiles(S, 16), tiles(T, 32), capacity=2)
    fades = channel(f32, tiles(S, 16), 1, capacity=2)
    totals = channel(f32, tiles(S, 16), 1, capacity=1)

    @process
    def score() -> None:
        for i in tiles(S, 16):
            rows = q[i, :] * SCALE
            for j in tiles(T, 32):
                scores.put(matmul(rows, kt[:, j]))

    @process
    def weigh() -> None:
        for i in tiles(S, 16):
            top = full(f32, LOWEST, i, 1)
            total = zeros(f32, i, 1)
            for _j in tiles(T, 32):
                score = scores.get()
                higher = maximum(top, reduce_max(score, axis=1))
                e = exp(score - higher)
                fade = exp(top - higher)
                total = total * fade + reduce_sum(e, axis=1)
                top = higher
                powers.put(e)
                fades.put(fade)
            totals.put(total)

    @process
    def add() -> None:
        for i in tiles(S, 16):
            acc = zeros(f32, i, D)
            for j in tiles(T, 32):
                e = powers.get()
                acc = acc * fades.get()
                acc = matmul(e, v[j, :], acc)
            o[i, :] = acc / totals.get()
