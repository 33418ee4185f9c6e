import htp
from htp import In, Out, f32
from htp_csp import event, pipeline, process
from htp_tile import Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    done = event()

    @process
    def load() -> None:
        done.put(x[0, 0])

    @process
    def store() -> None:
        done.get()
        for i in tiles(M, 8):
            y[i, :] = x[i, :]

# kind: types of a pipeline; an item of an event
# expect: csp.no-arguments 16
# text: `done.put` takes no arguments
