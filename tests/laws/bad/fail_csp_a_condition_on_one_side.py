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
            if m > 0:
                rows.put(x[m, :])

    @process
    def store() -> None:
        for m in range(M):
            y[m, :] = rows.get()

# kind: rates of a pipeline; a condition on one side
# expect: csp.unequal 18
# text: `load` puts 0 items into `rows`, and `store` gets 1 at M = 1
