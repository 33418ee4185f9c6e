import htp
from htp import In, Out, f32
from htp_csp import event, pipeline, process
from htp_tile import Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    done = event(capacity=2)

    @process
    def store() -> None:
        for i in tiles(M, 8):
            y[i, :] = rows.get()

# kind: declarations of a pipeline; an event with a capacity
# expect: csp.bad-channel 12
# text: `event` does not take these arguments
