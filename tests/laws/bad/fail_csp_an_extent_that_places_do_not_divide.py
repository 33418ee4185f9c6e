import htp
from htp import In, Out, f32
from htp_csp import R, S, pipeline, process, shard
from htp_tile import Tensor

N = htp.dim("N")


@pipeline
def w(x: In[Tensor[f32, 30, N]], y: Out[Tensor[f32, 30, N]]) -> None:
    @process(grid=4, args=(shard(x, S(0), R), shard(y, S(0), R)))
    def work(g: int, x: In[Tensor[f32, 8, N]], y: Out[Tensor[f32, 8, N]]) -> None:
        y[:, :] = x[:, :]

# kind: types of a pipeline; an extent that a grid does not divide
# expect: csp.shard-extent 11
# text: dimension 0 of `x` is 30 and cut over 4 instances, which does not make shards of 8
# expect: csp.shard-extent 11
# text: dimension 0 of `y` is 30 and cut over 4 instances, which does not make shards of 8
