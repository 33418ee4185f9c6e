import htp
from htp import In, Out, f32
from htp_csp import R, S, pipeline, process, shard
from htp_tile import Tensor

N = htp.dim("N")


@pipeline
def w(x: In[Tensor[f32, 12, N]], y: Out[Tensor[f32, 12, N]]) -> None:
    @process(grid=(4, 2), args=(shard(x, S(0), R), shard(y, S(0), R)))
    def work(g: int, h: int, x: In[Tensor[f32, 3, N]], y: Out[Tensor[f32, 3, N]]) -> None:
        y[:, :] = x[:, :]

# kind: races of a pipeline; a part that two places store
# expect: csp.shard-shared 11
# text: `y` is stored, and not cut over the axis 1 of the grid of `work`, along which 2 instances would store the same
