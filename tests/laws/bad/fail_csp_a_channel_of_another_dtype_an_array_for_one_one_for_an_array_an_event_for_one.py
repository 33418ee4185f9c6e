import htp
from htp import In, Out, f32, i32
from htp_csp import Channel, Channels, channel, channels, event, pipeline, process
from htp_tile import Tensor

M = htp.dim("M")
N = htp.dim("N")


@pipeline
def one(rows: Channel[f32]) -> None:
    @process
    def run() -> None:
        _ = rows.get()


@pipeline
def several(rows: Channels[f32]) -> None:
    @process
    def run() -> None:
        _ = rows[0].get()


@pipeline
def meeting(done: Channel[None]) -> None:
    @process
    def run() -> None:
        done.get()


@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    ints = channel(i32, 8, N, capacity=1)
    rows = channel(f32, 8, N, capacity=1)
    lanes = channels(2, f32, 8, N, capacity=1)
    done = event()
    one(ints)
    one(lanes)
    several(rows)
    one(done)
    meeting(lanes[0])
    one(x)

# options: --entry w
# kind: nesting; a channel of another dtype, an array for one, one for an array, an event for one
# expect: csp.call-channel 37
# text: `one` takes a channel of f32 for `rows`, and `ints` is none
# expect: csp.call-channel 38
# text: `one` takes a channel of f32 for `rows`, and `lanes` is none
# expect: csp.call-channel 39
# text: `several` takes an array of channels of f32 for `rows`, and `rows` is none
# expect: csp.call-channel 40
# text: `one` takes a channel of f32 for `rows`, and `done` is none
# expect: csp.call-channel 41
# text: `meeting` takes an event for `done`, and `lanes[0]` is none
# expect: csp.call-channel 42
# text: `one` takes a channel of f32 for `rows`, and `x` is none
