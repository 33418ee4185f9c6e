import htp
from htp import In, Out, f32
from htp_csp import channel, pipeline, process
from htp_tile import Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@pipeline
def inner(x: In[Tensor[f32, M, N]]) -> None:
    rows = channel(f32, tiles(M, 8), N, capacity=1, readers=2)

    @process
    def load() -> None:
        for i in tiles(M, 8):
            rows.put(x[i, :])

    @process(grid=2)
    def drop(k: int) -> None:
        for i in tiles(M, 8):
            _ = rows.get()


@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    @process(grid=2)
    def run(k: int) -> None:
        inner(x)

# options: --entry w
# kind: nesting; a broadcast at each place of a grid
# expect: csp.events-in-grid 12
# text: `inner` is called in a grid, and has the event or broadcast `rows`
