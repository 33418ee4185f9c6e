import htp
from htp import Out, f32
from htp_csp import Channel, pipeline, process
from htp_tile import Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@pipeline
def w(rows: Channel[f32], y: Out[Tensor[f32, M, N]]) -> None:
    @process
    def store() -> None:
        for i in tiles(M, 8):
            y[i, :] = rows.get()

# options: --entry w
# kind: nesting; a channel as a parameter of what is compiled
# expect: csp.channel-parameter 11
# text: `w` is given the channel `rows`, so another pipeline calls it
