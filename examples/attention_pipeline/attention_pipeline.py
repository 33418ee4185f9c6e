"""Attention as a pipeline: one process loads blocks of queries, keys and values, one computes, one stores."""

import htp
from htp import In, Out, f32
from htp_csp import channel, pipeline, process
from htp_tile import Tensor, exp, full, matmul, maximum, reduce_max, reduce_sum, tiles, transpose, zeros

S = htp.dim("S")
T = htp.dim("T")

D = 8
SCALE = 0.35355339059327373  # 1 / sqrt(D)
LOWEST = -1.0e30


@pipeline
def attention_pipeline(
    q: In[Tensor[f32, S, D]], k: In[Tensor[f32, T, D]], v: In[Tensor[f32, T, D]], o: Out[Tensor[f32, S, D]]
) -> None:
    queries = channel(f32, tiles(S, 16), D, capacity=2)
    keys = channel(f32, tiles(T, 32), D, capacity=2)
    values = channel(f32, tiles(T, 32), D, capacity=2)
    results = channel(f32, tiles(S, 16), D, capacity=2)

    @process
    def load() -> None:
        for i in tiles(S, 16):
            queries.put(q[i, :])
            for j in tiles(T, 32):
                keys.put(k[j, :])
                values.put(v[j, :])

    @process
    def compute() -> None:
        for i in tiles(S, 16):
            rows = queries.get() * SCALE
            top = full(f32, LOWEST, i, 1)
            total = zeros(f32, i, 1)
            acc = zeros(f32, i, D)
            for j in tiles(T, 32):
                scores = matmul(rows, transpose(keys.get()))
                higher = maximum(top, reduce_max(scores, axis=1))
                e = exp(scores - higher)
                fade = exp(top - higher)
                total = total * fade + reduce_sum(e, axis=1)
                acc = matmul(e, values.get(), acc * fade)
                top = higher
            results.put(acc / total)

    @process
    def store() -> None:
        for i in tiles(S, 16):
            o[i, :] = results.get()
