import htp
from htp import In, InOut, Out, f32
from htp_csp import event, pipeline, process
from htp_tile import Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@pipeline
def w(x: In[Tensor[f32, M, N]], h: InOut[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    done = event()

    @process
    def first() -> None:
        for i in tiles(M, 8):
            h[i, :] = x[i, :]
        done.put()
        for i in tiles(M, 8):
            h[i, :] = x[i, :] * 2.0

    @process
    def second() -> None:
        done.get()
        for i in tiles(M, 8):
            y[i, :] = h[i, :]

# options: --entry w
# kind: tasks; a tensor that is handed over, and used again
# expect: csp.two-owners 26
# text: `first` and `second` both use `h`, which one of them stores
