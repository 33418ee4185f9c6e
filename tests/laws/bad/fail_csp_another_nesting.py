import htp
from htp import In, Out, f32
from htp_csp import channel, pipeline, process
from htp_tile import Tensor, tiles, zeros

M = htp.dim("M")
N = htp.dim("N")


@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channel(f32, 1, capacity=1)
    answers = channel(f32, 1, capacity=1)

    @process
    def load() -> None:
        for i in range(M):
            for j in range(N):
                rows.put(zeros(f32, 1))
                _ = answers.get()

    @process
    def store() -> None:
        for j in range(N):
            for i in range(M):
                answers.put(rows.get())
        for i in tiles(M, 8):
            y[i, :] = x[i, :]

# kind: rates of a pipeline; another nesting
# expect: csp.not-shown 19
# text: that the pipeline never gets stuck could not be shown for all sizes
