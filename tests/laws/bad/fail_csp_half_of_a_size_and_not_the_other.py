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
        for m in range(M // 2, M):
            rows.put(x[m, :])

    @process
    def store() -> None:
        for m in range(M // 2):
            y[m, :] = rows.get()
        for m in range(M // 2, M):
            y[m, :] = 0.0

# kind: rates of a pipeline; half of a size and not the other
# expect: csp.unequal 17
# text: `load` puts 1 items into `rows`, and `store` gets 0 at M = 1
