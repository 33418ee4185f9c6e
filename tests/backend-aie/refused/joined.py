import htp
from htp import In, Out, f32
from htp_csp import pipeline, process
from htp_tile import Tensor

M = 8
N = 16


@pipeline
def both(x: In[Tensor[f32, M, N]], w: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
    @process
    def work() -> None:
        for m in range(4):
            y[m, :] = x[m, :] + w[m, :]
        for k in range(4):
            y[k + 4, :] = x[k + 4, :] - w[k + 4, :]

#: a link of two streams that a core acquires in two loops
#! old: start=0, column=0)\n        w_in = aie.feed(w, (8, 16), (1, 16), ((128, 1),), 0, 'work', 2, start=0, column=0)
#! new: start=0, column=0, link='both')\n        w_in = aie.feed(w, (8, 16), (1, 16), ((128, 1),), 0, 'work', 2, start=0, column=0, link='both')
#> 17:9 error aie.scattered-link: `work` does not acquire the streams of the link `both` once each in one block of statements
#>   note: this stage says `Codegen.Ready(target=aie)` holds, but it does not: take the edit back, or begin from an earlier stage [pipeline.not-held]
#>   hint: acquire them beside each other
