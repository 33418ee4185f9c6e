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
        for k in range(M * N):
            rows.put(x[k // N, :])

    @process
    def store() -> None:
        for m in range(M):
            y[m, :] = rows.get()

# kind: rates of a pipeline; a product beside one of its sizes
# expect: csp.unequal 17
# text: `load` puts 2 items into `rows`, and `store` gets 1 at M = 1, N = 2
