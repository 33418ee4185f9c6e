import htp
from htp import In, Out, f32
from htp_csp import channel, pipeline, process
from htp_tile import Tensor

M = htp.dim("M")
N = htp.dim("N")


@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    a = channel(f32, 1, N, capacity=2)

    @process(grid=1)
    def fill(g: int) -> None:
        g = 5
        for k in range(g + 1):
            a.put(x[0, :])

    @process
    def empty() -> None:
        y[0, :] = a.get()

# kind: names of a pipeline; an index of a grid that is bound anew
# expect: csp.index-bound 16
# text: `g` is an index of the grid of `fill`, and is bound anew
