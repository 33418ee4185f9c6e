import htp
from htp import In, Out, f32
from htp_csp import R, S, pipeline, process, shard
from htp_tile import Tensor

N = htp.dim("N")


@pipeline
def w(x: In[Tensor[f32, 12, N]], y: Out[Tensor[f32, 12, N]]) -> None:
    @process(gird=4, args=(shard(x, S(0), R), shard(y, S(0), R)))
    def work(g: int, x: In[Tensor[f32, 3, N]], y: Out[Tensor[f32, 3, N]]) -> None:
        y[:, :] = x[:, :]

# kind: types of a pipeline; a word that a process has not
# expect: csp.bad-process 11
# text: `process` takes `grid=` and `args=`, and not this
