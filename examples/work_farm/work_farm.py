"""Work for three workers: rows that are worth it are dealt out, each is improved until it is near enough, and what the workers have is added up."""

import htp
from htp import In, Out, f32, i32
from htp_csp import channels, pipeline, process
from htp_tile import Tensor, absolute, full, holds, reduce_any, zeros

M = htp.dim("M")
N = htp.dim("N")
WORKERS = 3


@pipeline
def work_farm(x: In[Tensor[f32, M, N]], worth: In[Tensor[i32, M]], total: Out[Tensor[f32, 1, N]], steps: Out[Tensor[i32, WORKERS]]) -> None:
    todo = channels(WORKERS, f32, 1, N, capacity=2, checked=True)
    done = channels(WORKERS, f32, 1, N, capacity=1)

    @process
    def deal() -> None:
        for m in range((M + WORKERS - 1) // WORKERS):
            for w in range(WORKERS):
                if WORKERS * m + w < M:
                    if holds(worth[WORKERS * m + w] > 0):
                        todo[w].put(x[WORKERS * m + w, :])
        for w in range(WORKERS):
            todo[w].close()

    @process(grid=WORKERS)
    def work(w: int) -> None:
        roots = zeros(f32, 1, N)
        n = 0
        for row in todo[w]:
            square = absolute(row)
            guess = square * 0.5 + 0.5
            step = 0
            while step < 40 and holds(reduce_any(absolute(guess * guess - square) > square * 0.001, axis=1)):
                guess = (guess + square / guess) * 0.5
                step += 1
            roots = roots + guess
            n += step
        done[w].put(roots)
        steps[w] = full(i32, n, 1)

    @process
    def gather() -> None:
        roots = zeros(f32, 1, N)
        for w in range(WORKERS):
            roots = roots + done[w].get()
        total[:, :] = roots
