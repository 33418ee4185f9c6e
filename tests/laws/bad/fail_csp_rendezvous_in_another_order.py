import htp
from htp import In, Out, f32
from htp_csp import event, pipeline, process
from htp_tile import Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    a = event()
    b = event()

    @process
    def one() -> None:
        a.put()
        b.put()

    @process
    def other() -> None:
        b.get()
        a.get()
        for i in tiles(M, 8):
            y[i, :] = x[i, :]

# kind: deadlocks of a pipeline; rendezvous in another order
# expect: csp.deadlock 17
# text: `one` and `other` wait for each other
