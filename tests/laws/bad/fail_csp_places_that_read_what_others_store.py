import htp
from htp import InOut, f32
from htp_csp import channels, pipeline, process
from htp_tile import Tensor, zeros



@pipeline
def w(y: InOut[Tensor[f32, 2, 1]]) -> None:
    rows = channels(2, f32, 1, 1, capacity=2)

    @process
    def load() -> None:
        rows[0].put(zeros(f32, 1, 1))
        rows[1].put(zeros(f32, 1, 1))

    @process(grid=2)
    def store(k: int) -> None:
        t = rows[k].get()
        y[k, 0] = y[1 - k, 0] + t

# kind: blocks of a pipeline; places that read what others store
# expect: tile.shared-elements 20
# text: instances of the grid of `store` may read what others store in `y`
