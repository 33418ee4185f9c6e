import htp
from htp import In, Out, f32
from htp_csp import channels, pipeline, process
from htp_tile import Tensor, tiles, zeros

M = htp.dim("M")
N = htp.dim("N")


@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    rows = channels(2, f32, 8, N, capacity=2)

    @process
    def load() -> None:
        rows[0].put(zeros(f32, 8, N))
        rows[1].put(zeros(f32, 8, N))

    @process(grid=2)
    def store(k: int) -> None:
        _ = rows[k].get()
        for i in tiles(M, 8):
            y[i, :] = x[i, :]

# kind: blocks of a pipeline; places that store the same
# expect: tile.shared-elements 23
# text: instances of the grid of `store` may store what others store in `y`
