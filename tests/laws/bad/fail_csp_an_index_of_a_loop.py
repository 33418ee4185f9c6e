import htp
from htp import In, Out, f32
from htp_csp import channels, pipeline, process
from htp_tile import Tensor, tiles, zeros

M = htp.dim("M")
N = htp.dim("N")
P = 3


@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channels(P, f32, 8, 8, capacity=2)

    @process
    def load() -> None:
        for k in range(3):
            rows[k].put(zeros(f32, 8, 8))

    @process
    def store() -> None:
        for i in tiles(M, 8):
            y[i, :] = rows[0].get()

# kind: ends of a pipeline; an index of a loop
# expect: csp.never-read 13
# text: nobody gets from `rows[1]`
# expect: csp.never-read 13
# text: nobody gets from `rows[2]`
