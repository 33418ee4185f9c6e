import htp
from htp import In, Out, f32
from htp_csp import Schedule, channel, pipeline, process, schedule
from htp_tile import Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    asked = channel(f32, tiles(M, 8), N, capacity=1)
    answers = channel(f32, tiles(M, 8), N, capacity=1)

    @process
    def ask() -> None:
        for i in tiles(M, 8):
            asked.put(x[i, :])
            y[i, :] = answers.get()

    @process
    def answer() -> None:
        for i in tiles(M, 8):
            answers.put(asked.get() * 2.0)


@schedule(w)
def s(s: Schedule) -> None:
    s.chain("ask", "answer")

# kind: schedules of a pipeline; an answer that comes later
# expect: csp.waits-for-itself 19
# text: `ask_answer` waits for itself at M = 1
