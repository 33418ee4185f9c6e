import htp
from htp import In, Out, f32
from htp_csp import channel, pipeline, process
from htp_tile import Tensor

M = htp.dim("M")
N = htp.dim("N")


@pipeline
def unsharp(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    lines = channel(f32, 1, N, capacity=1)
    skipped = channel(f32, 1, N, capacity=1)
    smooth = channel(f32, 1, N, capacity=1)

    @process
    def load() -> None:
        for m in range(M):
            skipped.put(x[m, :])
            lines.put(x[m, :])

    @process
    def blur() -> None:
        above = lines.get()
        here = above
        for _m in range(M - 1):
            below = lines.get()
            smooth.put((above + here * 2.0 + below) * 0.25)
            above = here
            here = below
        smooth.put((above + here * 3.0) * 0.25)

    @process
    def sharpen() -> None:
        for m in range(M):
            blurred = smooth.get()
            line = skipped.get()
            y[m, :] = line * 2.0 - blurred

# kind: pipeline; too little room on one of two ways
# expect: csp.deadlock 19
# text: `load`, `sharpen` and `blur` wait for each other at M = 2
