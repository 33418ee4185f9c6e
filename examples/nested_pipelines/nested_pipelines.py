"""A pipeline put together from others: a stage that two channels go through twice, and rows that a pipeline of its own works on for each batch."""

import htp
from htp import In, Out, f32
from htp_csp import Channel, channel, channels, pipeline, process
from htp_tile import Tensor, exp, reduce_max, reduce_sum, tiles

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")
BATCHES = 2


@pipeline
def softmax(source: Channel[f32], sink: Channel[f32]) -> None:
    """The softmax of each row that comes, in two processes."""
    shifted = channel(f32, tiles(M, 8), N, capacity=1)

    @process
    def shift() -> None:
        for _i in tiles(M, 8):
            row = source.get()
            shifted.put(exp(row - reduce_max(row, axis=1)))

    @process
    def divide() -> None:
        for _i in tiles(M, 8):
            e = shifted.get()
            sink.put(e / reduce_sum(e, axis=1))


@pipeline
def doubled(batch: int, x: In[Tensor[f32, BATCHES, K, N]], y: Out[Tensor[f32, BATCHES, K, N]]) -> None:
    """Twice the rows of one batch, dealt out to two."""
    rows = channels(2, f32, 1, 1, N, capacity=1)

    @process
    def deal() -> None:
        for k in range(K):
            for w in range(2):
                rows[w].put(x[batch, k, :] * (w + 1))

    @process
    def join() -> None:
        for k in range(K):
            low = rows[0].get()
            y[batch, k, :] = rows[1].get() + low - low


@pipeline
def nested_pipelines(
    x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]], u: In[Tensor[f32, BATCHES, K, N]], v: Out[Tensor[f32, BATCHES, K, N]]
) -> None:
    rows = channel(f32, tiles(M, 8), N, capacity=2)
    once = channel(f32, tiles(M, 8), N, capacity=2)
    twice = channel(f32, tiles(M, 8), N, capacity=2)
    softmax(rows, once)
    softmax(once, sink=twice)

    @process
    def load() -> None:
        for i in tiles(M, 8):
            rows.put(x[i, :])

    @process
    def store() -> None:
        for i in tiles(M, 8):
            y[i, :] = twice.get()

    @process
    def batches() -> None:
        for batch in range(BATCHES):
            doubled(batch, u, v)
