import htp
from htp import In, Out, f32
from htp_csp import R, S, pipeline, process, shard
from htp_tile import Tensor

N = htp.dim("N")


@pipeline
def other(x: In[Tensor[f32, 3, N]], y: Out[Tensor[f32, 3, N]]) -> None:
    @process
    def copy() -> None:
        y[:, :] = x[:, :]


@pipeline
def w(x: In[Tensor[f32, 12, N]], y: Out[Tensor[f32, 12, N]]) -> None:
    @process(grid=4, args=(shard(x, S(0), R), shard(y, S(0), R)))
    def work(g: int, x: In[Tensor[f32, 3, N]], y: Out[Tensor[f32, 3, N]]) -> None:
        other(x, y)

# kind: types of a pipeline; a part handed to another pipeline
# expect: csp.shard-use 20
# text: `x` is a shard of `x`, and is used by its indices alone
# expect: csp.shard-use 20
# text: `y` is a shard of `y`, and is used by its indices alone
