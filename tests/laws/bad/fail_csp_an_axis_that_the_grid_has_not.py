import htp
from htp import In, Out, f32
from htp_csp import R, S, pipeline, process, shard
from htp_tile import Tensor

N = htp.dim("N")


@pipeline
def w(x: In[Tensor[f32, 12, N]], y: Out[Tensor[f32, 12, N]]) -> None:
    @process(grid=4, args=(shard(x, S(1), R), shard(y, S(0), R)))
    def work(g: int, x: In[Tensor[f32, 3, N]], y: Out[Tensor[f32, 3, N]]) -> None:
        y[:, :] = x[:, :]

# kind: types of a pipeline; an axis that a grid has not
# expect: csp.shard-axis 11
# text: no axis 1 in the grid of `work`, number of axes 1
