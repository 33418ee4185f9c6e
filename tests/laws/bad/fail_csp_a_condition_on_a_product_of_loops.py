import htp
from htp import In, Out, f32
from htp_csp import channel, pipeline, process
from htp_tile import Tensor

M = htp.dim("M")
N = htp.dim("N")


@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channel(f32, 1, N, capacity=1)

    @process
    def load() -> None:
        for m in range(M):
            for k in range(M):
                if m * k > 2:
                    rows.put(x[m, :])

    @process
    def store() -> None:
        for m in range(M):
            y[m, :] = rows.get()

# kind: rates of a pipeline; a condition on a product of loops
# expect: csp.rate-of-data 18
# text: how often this `if` uses channels is not known when compiling
